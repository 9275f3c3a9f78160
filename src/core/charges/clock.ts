/** A clock that runs: when it started and stopped, the first day that counts, and what is decided of each day. */

import { addDays, localMidnight } from '../values/time.ts'
import { offsetMsAt } from '../values/time-zone.ts'
import { type ChargeCalendar, closureOn, dayOffOf, gateClosesOn, workingDayFrom } from './calendar.ts'
import type { DayReason } from './day-statement.ts'
import type { ClockMoment, MissingReason } from './evidence.ts'
import { type Standstill, standstillOn } from './standstill.ts'
import type { ChargeTerms, Tier } from './terms.ts'

export interface Clock {
  readonly terms: ChargeTerms
  /** The terms whose rate counts on a day: the same, unless each day has the rate that is valid on it. */
  readonly ratesOn: (day: string) => ChargeTerms
  readonly calendar: ChargeCalendar | null
  readonly zone: string | null
  readonly start: ClockMoment
  readonly stop: ClockMoment | null
  readonly standstills: readonly Standstill[]
  readonly firstDay: string
}

const hourMs = 3_600_000

/** The first day that counts, or what is missing to tell it. */
export function firstDayOf(
  terms: ChargeTerms,
  calendar: ChargeCalendar | null,
  start: ClockMoment,
): { readonly day: string } | { readonly missing: MissingReason } {
  const { offset, offsetUnit, isFirstFullDay, isOnWorkingDay, isGateCutOff } = terms.start
  let day = start.day
  if (isGateCutOff) {
    const closes = gateClosesOn(calendar, day)
    if (closes !== null && start.atMs === null) return { missing: 'hour_of_start' }
    if (closes !== null && isAfterClock(start, closes)) day = addDays(day, 1)
  }
  if (isFirstFullDay) day = addDays(day, 1)
  for (let step = 0; step < offset; step += 1) {
    const next = addDays(day, 1)
    const reached = offsetUnit === 'working_days' ? workingDayFrom(calendar, next) : next
    if (reached === null) return { missing: 'working_day' }
    day = reached
  }
  const first = isOnWorkingDay ? workingDayFrom(calendar, day) : day
  return first === null ? { missing: 'working_day' } : { day: first }
}

function isAfterClock({ atMs, zone }: ClockMoment, closes: string): boolean {
  if (atMs === null) return false
  const offsetMs = zone === null ? 0 : (offsetMsAt(zone, atMs) ?? 0)
  return new Date(atMs + offsetMs).toISOString().slice(11, 16) > closes
}

export interface DecidedDay {
  readonly outcome: 'free' | 'charged' | 'not_counted' | 'unknown'
  readonly reason: DayReason
  readonly claimId: string | null
  /** The terms whose rate counts. */
  readonly rates: ChargeTerms
}

interface Days {
  readonly next: (day: string) => DecidedDay
  /** When free hours end; each day on which the clock stands still moves it. */
  readonly freeUntilMs: () => number
}

/** Decides one day after the other, from the first day that counts. Each call is about the next day. */
export function openDays(clock: Clock): Days {
  const { terms, calendar, zone, standstills, stop } = clock
  let freeUsed = 0
  let charged = 0
  let freeUntilMs = freeHoursFrom(clock)
  const notCounted = (reason: DayReason, claimId: string | null = null): DecidedDay => ({
    outcome: 'not_counted',
    reason,
    claimId,
    rates: terms,
  })
  const charge = (day: string): DecidedDay => {
    charged += 1
    const rates = clock.ratesOn(day)
    const dayNumber = rates.tiersCount === 'all' ? rates.free + charged : charged
    const { index, tier } = tierOf(rates.tiers, dayNumber)
    const reason = { kind: 'tier', tier: index + 1, dayNumber, rate: tier?.rate ?? null } as const
    return { outcome: 'charged', reason, claimId: null, rates }
  }
  const next = (day: string): DecidedDay => {
    const still =
      standstills.length === 0 ? null : standstillOn(standstills, bounds(day, zone), terms.stoppedDay)
    const closure = terms.stopsFor.includes('closure') ? closureOn(calendar, day) : null
    if (still !== null || closure !== null) {
      const { fromMs, toMs } = bounds(day, zone)
      freeUntilMs += toMs - fromMs
      if (still === null && closure !== null) return notCounted(closure)
      if (still !== null) return notCounted(still.of, still.claimId)
    }
    if (terms.freeUnit === 'hours') {
      const until = new Date(freeUntilMs).toISOString()
      const isStopDay = stop !== null && stop.day === day
      if (
        bounds(day, zone).toMs <= freeUntilMs ||
        (isStopDay && stop.atMs !== null && stop.atMs <= freeUntilMs)
      )
        return { outcome: 'free', reason: { kind: 'free_hours', until }, claimId: null, rates: terms }
      if (isStopDay && stop.atMs === null && bounds(day, zone).fromMs < freeUntilMs)
        return {
          outcome: 'unknown',
          reason: { kind: 'hour_of_stop_unknown', until },
          claimId: null,
          rates: terms,
        }
    } else if (freeUsed < terms.free) {
      const off = terms.freeUnit === 'working_days' ? dayOffOf(calendar, day) : null
      if (off !== null) return notCounted(off)
      freeUsed += 1
      const reason = { kind: 'free_day', number: freeUsed, of: terms.free } as const
      return { outcome: 'free', reason, claimId: null, rates: terms }
    }
    const off = terms.chargedUnit === 'working_days' ? dayOffOf(calendar, day) : null
    return off === null ? charge(day) : notCounted(off)
  }
  return { next, freeUntilMs: () => freeUntilMs }
}

/** Hours run from the moment of the start, or from the beginning of the first day when that is later. */
function freeHoursFrom({ terms, start, firstDay, zone }: Clock): number {
  if (terms.freeUnit !== 'hours') return 0
  const fromMs = start.day === firstDay && start.atMs !== null ? start.atMs : bounds(firstDay, zone).fromMs
  return fromMs + terms.free * hourMs
}

function bounds(day: string, zone: string | null): { readonly fromMs: number; readonly toMs: number } {
  return {
    fromMs: Date.parse(localMidnight(day, zone)),
    toMs: Date.parse(localMidnight(addDays(day, 1), zone)),
  }
}

function tierOf(
  tiers: readonly Tier[],
  dayNumber: number,
): { readonly index: number; readonly tier: Tier | undefined } {
  const index = tiers.findIndex(({ to }) => to === null || dayNumber <= to)
  return { index, tier: tiers[index] }
}

/** How far the search for the last free day goes. */
const searchDaysMax = 2_000

export interface LastFreeDay {
  readonly day: string
  /** When free time ends within that day; null when the whole day is free. */
  readonly until: string | null
}

/**
 * The day on which free time is used up, whether the box is still there or not. Null when there is no free time, and
 * while the clock stands still with no end in sight.
 */
export function lastFreeDayOf(clock: Clock): LastFreeDay | null {
  const endless = clock.standstills.filter(({ toMs }) => toMs === null).map(({ fromMs }) => fromMs)
  const stillFromMs = endless.length === 0 ? Infinity : Math.min(...endless)
  const days = openDays({ ...clock, stop: null })
  let last: LastFreeDay | null = null
  let day = clock.firstDay
  for (let step = 0; step < searchDaysMax; step += 1) {
    const { outcome, reason } = days.next(day)
    if (outcome === 'charged')
      return clock.terms.freeUnit === 'hours' ? (hoursEnd(clock, day, days) ?? last) : last
    if (outcome === 'free') last = { day, until: null }
    if (reason.kind === 'free_day' && reason.number === reason.of) return last
    const isStill = reason.kind === 'hold' || reason.kind === 'not_available'
    if (isStill && bounds(day, clock.zone).fromMs >= stillFromMs) return null
    day = addDays(day, 1)
  }
  return null
}

/** Hours that end within the first charged day. */
function hoursEnd({ terms, zone }: Clock, day: string, days: Days): LastFreeDay | null {
  const endMs = days.freeUntilMs()
  return terms.free > 0 && endMs > bounds(day, zone).fromMs
    ? { day, until: new Date(endMs).toISOString() }
    : null
}
