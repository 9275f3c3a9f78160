/**
 * The steps of a container's way from its sailing to its empty return: which event follows which, on which leg, and how
 * long each took where both were told when they happened.
 */

import { instantOf } from '../values/time.ts'
import type { ContainerProjection, MilestoneName } from './projection.ts'

export const legs = ['at_sea', 'at_transshipment', 'at_terminal', 'on_rail', 'to_be_returned'] as const
export type OverdueLeg = (typeof legs)[number]

interface StepRow {
  readonly leg: OverdueLeg
  readonly expected: MilestoneName
  /** Whether the line's estimate of the arrival says when, if there is one. */
  readonly isBySea?: boolean
}

/** By the event before. Any later event ends a step, because sources leave some out. */
export const stepRows = {
  vessel_loaded: { leg: 'at_sea', expected: 'vessel_arrived', isBySea: true },
  vessel_departed: { leg: 'at_sea', expected: 'vessel_arrived', isBySea: true },
  feeder_loaded: { leg: 'at_sea', expected: 'vessel_arrived', isBySea: true },
  feeder_departed: { leg: 'at_sea', expected: 'vessel_arrived', isBySea: true },
  transshipment_loaded: { leg: 'at_sea', expected: 'vessel_arrived', isBySea: true },
  transshipment_departed: { leg: 'at_sea', expected: 'vessel_arrived', isBySea: true },
  transshipment_arrived: { leg: 'at_transshipment', expected: 'transshipment_discharged' },
  transshipment_discharged: { leg: 'at_transshipment', expected: 'transshipment_loaded' },
  feeder_arrived: { leg: 'at_transshipment', expected: 'feeder_discharged' },
  feeder_discharged: { leg: 'at_transshipment', expected: 'vessel_loaded' },
  vessel_arrived: { leg: 'at_terminal', expected: 'vessel_discharged' },
  vessel_discharged: { leg: 'at_terminal', expected: 'full_out' },
  rail_loaded: { leg: 'on_rail', expected: 'rail_departed' },
  rail_departed: { leg: 'on_rail', expected: 'rail_arrived' },
  rail_arrived: { leg: 'on_rail', expected: 'rail_unloaded' },
  arrived_at_inland_destination: { leg: 'on_rail', expected: 'rail_unloaded' },
  rail_unloaded: { leg: 'at_terminal', expected: 'full_out' },
  full_out: { leg: 'to_be_returned', expected: 'empty_in' },
} as const satisfies Partial<Record<MilestoneName, StepRow>>
export type StepStart = keyof typeof stepRows

/** The step from the line's estimate of the arrival, not from an event. */
export const byEstimate = 'estimate>vessel_arrived'

export interface Move {
  readonly name: StepStart | 'empty_in'
  readonly callKey: string
  readonly atMs: number
  /** When it was first told to us; null when that is not known. */
  readonly toldMs: number | null
  readonly place: string | null
}

export type FollowedContainer = Pick<
  ContainerProjection,
  'status' | 'milestones' | 'portOfDischarge' | 'destination'
> & {
  readonly podEta?: ContainerProjection['podEta']
}

/** When each event was first told, by `reportKey`: ISO instants. */
export type ReportTimes = Readonly<Record<string, string>>

export function reportKey({ name, callKey }: { readonly name: string; readonly callKey: string }): string {
  return `${name} ${callKey}`
}

/** What has happened, in journey order. Of events at one moment the last counts. */
export function movesOf({ milestones }: Pick<FollowedContainer, 'milestones'>, told: ReportTimes): readonly Move[] {
  const moves = milestones.flatMap((milestone): readonly Move[] => {
    const { name, callKey, time, place } = milestone
    if (milestone.kind !== 'actual' || !(isStart(name) || name === 'empty_in')) return []
    const reportedAt = told[reportKey(milestone)]
    const atMs = Date.parse(instantOf(time, place.timeZone).at)
    return [
      { name, callKey, atMs, toldMs: reportedAt === undefined ? null : Date.parse(reportedAt), place: place.unlocode },
    ]
  })
  return moves.filter(({ atMs }, index) => moves[index + 1]?.atMs !== atMs)
}

export function isStart(name: MilestoneName): name is StepStart {
  return name in stepRows
}

export function rowOf(start: StepStart): StepRow {
  return stepRows[start]
}

/** The line's last estimate of the arrival at the port of discharge. It stays after the ship has come. */
export function estimateOf({ podEta, portOfDischarge }: FollowedContainer): number | null {
  const time = podEta?.time ?? portOfDischarge.eta
  return time === null ? null : Date.parse(instantOf(time, portOfDischarge.place?.timeZone ?? null).at)
}

/** From where to where a step by sea or rail leads; the place of any other. Null when it is not known. */
export function placeOfStep({ leg }: StepRow, from: string | null, container: FollowedContainer): string | null {
  if (leg !== 'at_sea' && leg !== 'on_rail') return from
  const to = (leg === 'at_sea' ? container.portOfDischarge : container.destination)?.place?.unlocode ?? null
  return from === null || to === null ? null : `${from}-${to}`
}

export interface StepTime {
  /** Such as `vessel_arrived>vessel_discharged`. */
  readonly step: string
  readonly place: string | null
  /** From the event, or from the line's estimate, until the next event was told. */
  readonly hours: number
  /** ISO instant. */
  readonly endedAt: string
}

const hourMs = 3_600_000
/** What was told later than this after it happened was told with a whole history, and says nothing of the pace. */
const liveMs = 7 * 24 * hourMs

/** How long each step took that has ended. */
export function stepTimesOf(container: FollowedContainer, moves: readonly Move[]): readonly StepTime[] {
  const estimateMs = estimateOf(container)
  return moves.flatMap((from, index): readonly StepTime[] => {
    const to = moves[index + 1]
    if (to === undefined || from.name === 'empty_in' || !wasLive(from, to)) return []
    const row = rowOf(from.name)
    const isByRail = from.name === 'vessel_discharged' && to.name.startsWith('rail_')
    const time = (step: string, sinceMs: number): StepTime => ({
      step,
      place: placeOfStep(row, from.place, container),
      hours: (to.toldMs - sinceMs) / hourMs,
      endedAt: new Date(to.toldMs).toISOString(),
    })
    const hasLanded = to.name === 'vessel_arrived' || to.name === 'vessel_discharged'
    return [
      time(`${from.name}>${isByRail ? 'rail_loaded' : row.expected}`, from.atMs),
      ...(row.isBySea === true && hasLanded && estimateMs !== null ? [time(byEstimate, estimateMs)] : []),
    ]
  })
}

function wasLive(from: Move, to: Move): to is Move & { readonly toldMs: number } {
  return from.toldMs !== null && to.toldMs !== null && to.toldMs >= from.toldMs && from.toldMs - from.atMs <= liveMs
}
