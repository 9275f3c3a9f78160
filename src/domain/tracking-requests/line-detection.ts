/**
 * How the line of a number is found when the caller names none: the likely lines are polled one after the other until
 * one has it. A line that gives no answer is polled again later; a missing answer rules nothing out. A line that knows
 * a container only from a trip that is over does not win: a container is used by one customer after another, and that
 * trip was of another customer.
 */

import { addMs } from '../values/time.ts'
import { unreachable } from '../values/unreachable.ts'
import type { KindAnswer } from './kind-search.ts'

/** A line that may have the number, and its poll: the number as the line writes it, and the poll target. */
export interface CandidateLine {
  readonly scac: string
  readonly number: string
  readonly subjectId: string
}

/**
 * Why a line that could be polled is not: its calls cost money and the account has not allowed that, or its limit is
 * reached.
 */
export const exclusionReasons = ['billed', 'limit'] as const

export interface ExcludedLine {
  readonly scac: string
  readonly because: (typeof exclusionReasons)[number]
}

/**
 * How a search is made. Older searches have no such rules: they polled few lines and chose the first that knew the
 * number.
 */
export interface SearchRules {
  /** How long the currently polled line may take before the next one is polled, in ms of the journey's clock. */
  readonly patienceMs: number
  readonly leftOut: readonly ExcludedLine[]
}

export interface LineDetection {
  /** The lines still to be polled; the first is polled now. Empty when no line is possible. */
  readonly candidates: readonly CandidateLine[]
  /** The lines that gave no answer. They are polled again when all others have not found it. */
  readonly unanswered: readonly CandidateLine[]
  /** SCACs of the lines that answered that they do not know the number. */
  readonly ruledOut: readonly string[]
  readonly search?: SearchRules
  /** The lines that know the container, but no trip of it that was under way when the request was made. */
  readonly idle?: readonly CandidateLine[]
  /**
   * All others have not found it: the next answer of the one line that knows the container is accepted, whatever it is.
   */
  readonly isLastResort?: boolean
}

/** The search of a new request. */
export function startDetection(candidates: readonly CandidateLine[], search: SearchRules | undefined): LineDetection {
  return { candidates, unanswered: [], ruledOut: [], ...(search !== undefined && { search }) }
}

/** Null when no line is left to poll. */
export function polledLine(detection: LineDetection): CandidateLine | null {
  return detection.candidates[0] ?? null
}

export type DetectionEvent =
  /** The polled line does not know the number; the next one is polled. */
  | { readonly kind: 'line_ruled_out'; readonly nextLookAt: string }
  /** The polled line gave no answer. */
  | { readonly kind: 'line_put_off'; readonly nextLookAt: string }
  /** The polled line knows the container, but no trip of it under way. */
  | { readonly kind: 'line_passed_over'; readonly nextLookAt: string }
  /** No other line knows the container: the one line that does is polled once more, and is chosen. */
  | { readonly kind: 'last_resort_asked'; readonly nextLookAt: string }

export interface DetectionStep {
  readonly events: readonly DetectionEvent[]
  /**
   * `track`: the request has its line. `retry`: the lines without an answer are polled later. `fail`: none was found.
   * Null: the search continues.
   */
  readonly outcome: 'track' | 'retry' | 'fail' | null
}

/**
 * The first line that has the number is the request's line. When all have answered that they do not know it, none is
 * found. The lines that gave no answer are polled again like any line that is down. A container that only one line
 * knows, from a trip that is over, belongs to that line after all. When several lines know it so, its line is unknown.
 */
export function stepDetection(
  detection: LineDetection,
  poll: { readonly answer: KindAnswer; readonly isTripOver: boolean; readonly now: string },
): DetectionStep {
  const { answer, isTripOver, now } = poll
  const isPast = isTripOver && detection.isLastResort !== true
  const finding = findings[answer] === 'has_it' && isPast ? 'knows_no_trip' : findings[answer]
  if (finding === 'has_it') return { events: [], outcome: 'track' }
  const moved = { kind: findingEvents[finding], nextLookAt: now } as const
  const after = evolveDetection(detection, moved)
  if (polledLine(after) !== null) return { events: [moved], outcome: null }
  if (after.unanswered.length > 0) return { events: [moved], outcome: 'retry' }
  if (after.idle?.length === 1)
    return { events: [moved, { kind: 'last_resort_asked', nextLookAt: now }], outcome: null }
  return { events: [moved], outcome: 'fail' }
}

const findings: Readonly<Record<KindAnswer, 'has_it' | 'does_not_know_it' | 'no_answer'>> = {
  found: 'has_it',
  known_without_data: 'has_it',
  cancelled: 'has_it',
  not_found: 'does_not_know_it',
  invalid_number: 'does_not_know_it',
  unreachable: 'no_answer',
  unrecognized: 'no_answer',
  internal_error: 'no_answer',
}

const findingEvents = {
  knows_no_trip: 'line_passed_over',
  does_not_know_it: 'line_ruled_out',
  no_answer: 'line_put_off',
} as const

export function evolveDetection(detection: LineDetection, { kind }: DetectionEvent): LineDetection {
  const { idle = [], unanswered, ruledOut } = detection
  if (kind === 'last_resort_asked') return { ...detection, candidates: idle, idle: [], isLastResort: true }
  const [polled, ...candidates] = detection.candidates
  if (polled === undefined) return detection
  switch (kind) {
    case 'line_ruled_out':
      return { ...detection, candidates, ruledOut: [...ruledOut, polled.scac] }
    case 'line_put_off':
      return { ...detection, candidates, unanswered: [...unanswered, polled] }
    case 'line_passed_over':
      return { ...detection, candidates, idle: [...idle, polled] }
    default:
      return unreachable(kind)
  }
}

/** The lines that gave no answer are polled once more. */
export function requeueUnanswered(detection: LineDetection): LineDetection {
  const { candidates, unanswered } = detection
  return { ...detection, candidates: [...candidates, ...unanswered], unanswered: [] }
}

/**
 * When the next line is polled although the current one has not answered: a line in cooldown, or whose queue is long,
 * must not delay the others. The wait doubles each round. Null while there is no other line to poll.
 */
export function nextLinePollAt(detection: LineDetection, polledAt: string, round: number): string | null {
  const { candidates, unanswered, search } = detection
  if (search === undefined || candidates.length === 0 || candidates.length + unanswered.length < 2) return null
  return addMs(polledAt, search.patienceMs * 2 ** round)
}
