/**
 * What should happen next to a container, and until when: the next event, how long the step to it usually takes, and the
 * limit that 95 of 100 keep to.
 */

import {
  byEstimate,
  estimateOf,
  type FollowedContainer,
  type Move,
  type OverdueLeg,
  placeOfStep,
  rowOf,
  type StepStart,
} from './expected-steps.ts'
import type { MilestoneName } from './projection.ts'

/** How long a step usually takes. `own`: by earlier containers of the account; `prior`: by the shipped table. */
export interface UsualTime {
  readonly by: 'own' | 'prior'
  /** How many it was seen of. */
  readonly cases: number
  /** Half of them took at most so long. */
  readonly usualHours: number
  /** 95 of 100 took at most so long. */
  readonly limitHours: number
}

export interface NextStep {
  readonly leg: OverdueLeg
  readonly step: string
  readonly after: StepStart
  readonly afterCall: string
  /** ISO instants. */
  readonly afterAt: string
  readonly toldAt: string | null
  /** The line's estimate, from which the time is counted; null when it is counted from the event. */
  readonly estimateAt: string | null
  readonly expected: MilestoneName
  readonly place: string | null
  /** Only the same place can be compared: passages differ. */
  readonly isOfPlaceAlone: boolean
}

export interface Expectation extends NextStep, UsualTime {
  /** ISO instant: later than this it is overdue. */
  readonly dueAt: string
}

/** A quantile of fewer is chance. */
export const casesMin = 30

const hourMs = 3_600_000
/** Late news often comes together: what was just told gets so long before the next event is missed. */
const graceMs = 24 * hourMs

/** Null when nothing is expected, or nobody can say when. */
export function nextStepOf(container: FollowedContainer, moves: readonly Move[]): NextStep | null {
  const last = moves.at(-1)
  if (last === undefined || last.name === 'empty_in') return null
  const row = rowOf(last.name)
  const estimateMs = row.isBySea === true ? estimateOf(container) : null
  const waitsForTrain = last.name === 'vessel_discharged' && container.status === 'awaiting_inland_transfer'
  const expected = waitsForTrain ? 'rail_loaded' : row.expected
  return {
    leg: row.leg,
    step: estimateMs === null ? `${last.name}>${expected}` : byEstimate,
    after: last.name,
    afterCall: last.callKey,
    afterAt: isoOf(last.atMs),
    toldAt: last.toldMs === null ? null : isoOf(last.toldMs),
    estimateAt: estimateMs === null ? null : isoOf(estimateMs),
    expected,
    place: placeOfStep(row, last.place, container),
    isOfPlaceAlone: row.isBySea === true && estimateMs === null,
  }
}

export function expect(next: NextStep, usual: UsualTime): Expectation {
  const limitMs = Date.parse(next.estimateAt ?? next.afterAt) + Math.max(0, usual.limitHours) * hourMs
  const heardMs = next.toldAt === null ? 0 : Date.parse(next.toldAt) + graceMs
  return { ...next, ...usual, dueAt: isoOf(Math.max(limitMs, heardMs)) }
}

/** Null for too few. The limit is the value that the next case exceeds in at most 5 of 100. */
export function usualTimeOf(hours: readonly number[]): Omit<UsualTime, 'by'> | null {
  if (hours.length < casesMin) return null
  const sorted = hours.toSorted((a, b) => a - b)
  const at = (place: number): number => sorted[Math.min(sorted.length, place) - 1] ?? 0
  const cases = sorted.length
  return { cases, usualHours: at(Math.ceil(cases / 2)), limitHours: at(Math.ceil(0.95 * (cases + 1))) }
}

/** True while the same event is awaited for the same reason: then what was told of it stays. */
export function isSameExpectation(a: NextStep, b: NextStep): boolean {
  return keyOf(a) === keyOf(b)
}

export function keyOf({ step, afterCall, afterAt, estimateAt }: NextStep): string {
  return [step, afterCall, afterAt, estimateAt].join(' ')
}

/** Whether the line, as far as it is polled, still answers. Only then is its silence a delay of the container. */
export const sourceStates = ['answering', 'silent', 'unknown'] as const
export type SourceState = (typeof sourceStates)[number]
const silentMs = 48 * hourMs

/** `lastAnswerAt`: null when the line is not polled. */
export function sourceStateOf(lastAnswerAt: string | null, now: string): SourceState {
  if (lastAnswerAt === null) return 'unknown'
  return Date.parse(now) - Date.parse(lastAnswerAt) >= silentMs ? 'silent' : 'answering'
}

const words: Readonly<Partial<Record<MilestoneName, string>>> = {
  vessel_loaded: 'the loading on the ship',
  vessel_departed: 'the departure of the ship',
  vessel_arrived: 'the arrival at the port of discharge',
  vessel_discharged: 'the unloading from the ship',
  transshipment_arrived: 'the arrival at the port of transshipment',
  transshipment_discharged: 'the unloading for transshipment',
  transshipment_loaded: 'the loading on the next ship',
  transshipment_departed: 'the departure of the next ship',
  feeder_loaded: 'the loading on the feeder',
  feeder_departed: 'the departure of the feeder',
  feeder_arrived: 'the arrival of the feeder',
  feeder_discharged: 'the unloading from the feeder',
  rail_loaded: 'the loading on the train',
  rail_departed: 'the departure of the train',
  rail_arrived: 'the arrival of the train',
  arrived_at_inland_destination: 'the inland arrival',
  rail_unloaded: 'the unloading from the train',
  full_out: 'the pick-up',
  empty_in: 'the empty return',
}

export function nameEvent(name: MilestoneName): string {
  return words[name] ?? name.replaceAll('_', ' ')
}

/** "Usually 1.2 days after the arrival at the port of discharge, 95 of 100 within 3; now 5." */
export function proofOf(expectation: Expectation, now: string): string {
  const { after, afterAt, estimateAt, usualHours, limitHours } = expectation
  const since = estimateAt === null ? nameEvent(after) : 'the estimate of the line'
  const side = usualHours < 0 ? 'before' : 'after'
  const waited = (Date.parse(now) - Date.parse(estimateAt ?? afterAt)) / hourMs
  const present = waited < 0 ? `the estimate is in ${daysOf(-waited)}` : `now ${numberOf(waited)}`
  return `Usually ${daysOf(Math.abs(usualHours))} ${side} ${since}, 95 of 100 within ${numberOf(Math.max(0, limitHours))}; ${present}.`
}

/** What the proof rests on. */
export function groundOf({ by, cases }: UsualTime): string {
  return by === 'own'
    ? `By ${cases} earlier containers of this line.`
    : 'By simulated journeys: too few of your own yet.'
}

function daysOf(hours: number): string {
  const text = numberOf(hours)
  return `${text} ${text === '1' ? 'day' : 'days'}`
}

function numberOf(hours: number): string {
  return String(Number((hours / 24).toFixed(1)))
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
