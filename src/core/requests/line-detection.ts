/**
 * How the line of a number is found when the caller names none: the likely lines are asked one after the other until
 * one has it. A line that gives no answer is asked again later; a missing answer rules nothing out. A line that knows a
 * box only from a trip that is over does not win: a box is used by one customer after another, and that trip was
 * another customer's.
 */

import { addMs } from '../values/time.ts'
import { unreachable } from '../values/unreachable.ts'
import type { Answer } from './kind-search.ts'

/**
 * A line that may have the number, and what is asked: the number as the line writes it, and the subject of the looks.
 */
export interface CandidateLine {
  readonly scac: string
  readonly number: string
  readonly subjectId: string
}

/**
 * Why a line that could be asked is not: its calls cost money and the account has not allowed that, or its limit is
 * reached.
 */
export const leftOutReasons = ['billed', 'limit'] as const

export interface LeftOutLine {
  readonly scac: string
  readonly because: (typeof leftOutReasons)[number]
}

/**
 * How a search is made. Older searches have no such rules: they asked few lines and took the first that knew the
 * number.
 */
export interface SearchRules {
  /** How long the line whose turn it is may take before the next one is asked, in ms of the journey's clock. */
  readonly patienceMs: number
  readonly leftOut: readonly LeftOutLine[]
}

export interface LineDetection {
  /** The lines still to be asked; the first is asked now. Empty when no line comes into question. */
  readonly candidates: readonly CandidateLine[]
  /** The lines that gave no answer. They are asked again when all others have said no. */
  readonly unanswered: readonly CandidateLine[]
  /** SCACs of the lines that answered that they do not know the number. */
  readonly ruledOut: readonly string[]
  readonly search?: SearchRules
  /** The lines that know the box, but no trip of it that was under way when the request was made. */
  readonly idle?: readonly CandidateLine[]
  /** All others have said no: the next answer of the one line that knows the box is taken, whatever it is. */
  readonly isLastResort?: boolean
}

/** The search of a new request. */
export function startDetection(
  candidates: readonly CandidateLine[],
  search: SearchRules | undefined,
): LineDetection {
  return { candidates, unanswered: [], ruledOut: [], ...(search !== undefined && { search }) }
}

/** Null when nobody is left to ask. */
export function lineAsked(detection: LineDetection): CandidateLine | null {
  return detection.candidates[0] ?? null
}

export type DetectionEvent =
  /** The line that was asked does not know the number; the next one is asked. */
  | { readonly kind: 'line_ruled_out'; readonly nextLookAt: string }
  /** The line that was asked gave no answer. */
  | { readonly kind: 'line_put_off'; readonly nextLookAt: string }
  /** The line that was asked knows the box, but no trip of it under way. */
  | { readonly kind: 'line_passed_over'; readonly nextLookAt: string }
  /** No other line knows the box: the one line that does is asked once more, and is taken. */
  | { readonly kind: 'last_resort_asked'; readonly nextLookAt: string }

export interface DetectionStep {
  readonly events: readonly DetectionEvent[]
  /**
   * `track`: the request has its line. `retry`: the lines without an answer are asked later. `fail`: none was found.
   * Null: the search continues.
   */
  readonly outcome: 'track' | 'retry' | 'fail' | null
}

/**
 * The first line that has the number is the request's line. When all have said that they do not know it, none is found.
 * The lines that gave no answer are asked again like any line that is down. A box that only one line knows, from a trip
 * that is over, belongs to that line after all. When several lines know it so, nobody can say whose it is.
 */
export function stepDetection(
  detection: LineDetection,
  look: { readonly answer: Answer; readonly isTripOver: boolean; readonly now: string },
): DetectionStep {
  const { answer, isTripOver, now } = look
  const isPast = isTripOver && detection.isLastResort !== true
  const finding = findings[answer] === 'has_it' && isPast ? 'knows_no_trip' : findings[answer]
  if (finding === 'has_it') return { events: [], outcome: 'track' }
  const moved = { kind: turnEnds[finding], nextLookAt: now } as const
  const after = evolveDetection(detection, moved)
  if (lineAsked(after) !== null) return { events: [moved], outcome: null }
  if (after.unanswered.length > 0) return { events: [moved], outcome: 'retry' }
  if (after.idle?.length === 1)
    return { events: [moved, { kind: 'last_resort_asked', nextLookAt: now }], outcome: null }
  return { events: [moved], outcome: 'fail' }
}

const findings: Readonly<Record<Answer, 'has_it' | 'does_not_know_it' | 'no_answer'>> = {
  found: 'has_it',
  known_without_data: 'has_it',
  cancelled: 'has_it',
  not_found: 'does_not_know_it',
  invalid_number: 'does_not_know_it',
  unreachable: 'no_answer',
  unrecognized: 'no_answer',
  internal_error: 'no_answer',
}

const turnEnds = {
  knows_no_trip: 'line_passed_over',
  does_not_know_it: 'line_ruled_out',
  no_answer: 'line_put_off',
} as const

export function evolveDetection(detection: LineDetection, { kind }: DetectionEvent): LineDetection {
  const { idle = [], unanswered, ruledOut } = detection
  if (kind === 'last_resort_asked') return { ...detection, candidates: idle, idle: [], isLastResort: true }
  const [asked, ...candidates] = detection.candidates
  if (asked === undefined) return detection
  switch (kind) {
    case 'line_ruled_out':
      return { ...detection, candidates, ruledOut: [...ruledOut, asked.scac] }
    case 'line_put_off':
      return { ...detection, candidates, unanswered: [...unanswered, asked] }
    case 'line_passed_over':
      return { ...detection, candidates, idle: [...idle, asked] }
    default:
      return unreachable(kind)
  }
}

/** The lines that gave no answer are asked once more. */
export function askAgain(detection: LineDetection): LineDetection {
  const { candidates, unanswered } = detection
  return { ...detection, candidates: [...candidates, ...unanswered], unanswered: [] }
}

/**
 * When the next line is asked although the current one has not answered: a line that is paused, or whose queue is long,
 * must not delay the others. The wait doubles each round. Null while there is no other line to ask.
 */
export function impatientAt(detection: LineDetection, askedAt: string, round: number): string | null {
  const { candidates, unanswered, search } = detection
  if (search === undefined || candidates.length === 0 || candidates.length + unanswered.length < 2)
    return null
  return addMs(askedAt, search.patienceMs * 2 ** round)
}
