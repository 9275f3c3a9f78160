/** Free time: until when a container may be picked up without a fee (last free day, LFD), and what that day means. */

import type { SourceKind } from '../statements/observation.ts'
import { type EventTime, localDateIn, localMidnight } from '../values/time.ts'
import type { ContainerProjection, ContainerStatus, ContainerView, FreeTime, MilestoneName } from './projection.ts'

/** The LFD that counts: the line's, else the terminal's, else the railway's. A fixed order, not the earliest. */
export function pickupLfd(freeTime: FreeTime): EventTime | null {
  return freeTime.line ?? freeTime.terminal ?? freeTime.rail
}

/** Who charges, and the field of their stated day. */
const givers = { line: 'line', terminal: 'terminal', railway: 'rail' } as const
export const freeDayGivers = ['line', 'terminal', 'railway', 'terms'] as const

/** Who gave a last free day: one who charges, or the account's own terms. */
export interface FreeDay {
  readonly on: string
  readonly by: (typeof freeDayGivers)[number]
  /** Which kind of source stated it; null for terms. */
  readonly source: SourceKind | null
  /** Of the terms. */
  readonly termsCode: string | null
}

/** Last free days by the account's own terms, for each slot of a tally; null where it gives none. */
export type CalculatedFreeDays = readonly (readonly [slot: string, day: string | null, code: string, phase: string])[]

/** What last free days depend on besides the stated ones. */
export interface FreeTimeContext {
  readonly hasLeftByRail: boolean
  readonly calculatedFreeDays: CalculatedFreeDays
}

/**
 * The last free days at the place of pick-up, the earliest first: that one counts for people, because money runs after
 * it. Those of the terminal, and of terms at the port whose clock has stopped, do not count once the container has left
 * the port by rail.
 */
export function freeDaysOf(
  { freeTime, pickupTimeZone, saidBy }: Pick<ContainerView, 'freeTime' | 'pickupTimeZone' | 'saidBy'>,
  { hasLeftByRail, calculatedFreeDays }: FreeTimeContext,
): readonly FreeDay[] {
  const stated = (['line', 'terminal', 'railway'] as const).flatMap((by): readonly FreeDay[] => {
    const lfd = by === 'terminal' && hasLeftByRail ? null : freeTime[givers[by]]
    if (lfd === null) return []
    const source = saidBy[`pickup_lfd_${givers[by]}`] ?? null
    return [{ on: lfdDay(lfd, pickupTimeZone), by, source, termsCode: null }]
  })
  return [...stated, ...freeDaysOfTerms(calculatedFreeDays, hasLeftByRail)].toSorted(byDay)
}

function byDay(a: FreeDay, b: FreeDay): number {
  return a.on < b.on ? -1 : a.on > b.on ? 1 : 0
}

const pickupSlot = / (?:demurrage|storage|combined) (?<place>port|ramp)$/

/** Whether the terms of a slot are about the time until a container is picked up. */
export function isSlotOfPickup(slot: string): boolean {
  return pickupSlot.test(slot)
}

/** The earliest first. */
export function freeDaysOfTerms(days: CalculatedFreeDays, hasLeftByRail: boolean): readonly FreeDay[] {
  const found = days.flatMap(([slot, on, code, phase]): readonly FreeDay[] => {
    const place = pickupSlot.exec(slot)?.groups?.['place']
    if (on === null || place === undefined || (place === 'port' && hasLeftByRail && phase === 'stopped')) return []
    return [{ on, by: 'terms', source: null, termsCode: code }]
  })
  return found.toSorted(byDay)
}

/** Of a container with this status and these milestones that happened: the last move by ship was followed by one by rail. */
export function hasLeftByRail(status: string, happened: readonly MilestoneName[]): boolean {
  if (status === 'on_rail') return true
  const byShip = happened.findLastIndex((name) => /^(?:vessel|feeder|transshipment)_/.test(name))
  return byShip >= 0 && happened.findLastIndex((name) => name.startsWith('rail_')) > byShip
}

/**
 * The calendar day of an LFD at the place of pick-up. An instant falls on its day there; in UTC when the zone is
 * unknown.
 */
export function lfdDay(lfd: EventTime, pickupTimeZone: string | null): string {
  if (lfd.kind === 'day') return lfd.on
  if (lfd.kind === 'local') return lfd.local.slice(0, 10)
  return localDateIn(lfd.at, pickupTimeZone)
}

/** An LFD as the wire shows it: 00:00 of its day at the place of pick-up, in UTC. */
export function lfdInstant(lfd: EventTime, pickupTimeZone: string | null): string {
  return localMidnight(lfdDay(lfd, pickupTimeZone), pickupTimeZone)
}

const waiting: ReadonlySet<ContainerStatus> = new Set([
  'on_ship',
  'grounded',
  'available',
  'not_available',
  'awaiting_inland_transfer',
  'on_rail',
])

type WaitingContainer = Pick<ContainerProjection, 'status' | 'freeTime' | 'pickupTimeZone' | 'saidBy' | 'holds'>

export function isWaiting(status: ContainerStatus): boolean {
  return waiting.has(status)
}

/**
 * The midnight at which the earliest last free day that was stated begins. Null when none is known, or when the
 * container does not wait.
 */
export function firstFreeMidnight(container: Omit<WaitingContainer, 'holds'>): string | null {
  const { status, pickupTimeZone } = container
  if (!waiting.has(status)) return null
  const [first] = freeDaysOf(container, { hasLeftByRail: status === 'on_rail', calculatedFreeDays: [] })
  return first === undefined ? null : localMidnight(first.on, pickupTimeZone)
}

/** Whether the container is held at the terminal or ramp where it is. Its release may come at any hour. */
export function isHeldThere({ status, holds }: Pick<WaitingContainer, 'status' | 'holds'>): boolean {
  return status !== 'on_ship' && waiting.has(status) && holds.length > 0
}
