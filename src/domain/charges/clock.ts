/** A clock that runs: when it started and stopped, the first day that counts, and what is decided of each day. */

import { localDateIn, localMidnight } from '../values/time.ts'
import { offsetMsAt } from '../values/time-zone.ts'
import { type ChargeCalendar, closureOn, dayAfter, dayOffOf, gateClosesOn, workingDayFrom } from './calendar.ts'
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

/** The first day that counts, or which information is missing to find it. */
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
    if (closes !== null && isAfterClock(start, closes)) day = dayAfter(day)
  }
  if (isFirstFullDay) day = dayAfter(day)
  for (let step = 0; step < offset; step += 1) {
    const next = dayAfter(day)
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

export interface DayDecider {
  readonly next: (day: string) => DecidedDay
  /** When free hours end; each day on which the clock is stopped moves it. */
  readonly freeUntilMs: () => number
}

/** Decides one day after the other, from the first day that counts. Each call is about the next day. */
export function createDayDecider(clock: Clock): DayDecider {
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
  const near = standstills.map((standstill) => ({ standstill, ...daysOf(standstill, zone) }))
  const next = (day: string): DecidedDay => {
    const touching = near.filter(({ from, to }) => from <= day && day <= to)
    const still =
      touching.length === 0
        ? null
        : standstillOn(
            touching.map(({ standstill }) => standstill),
            boundsOf(day, zone),
            terms.stoppedDay,
          )
    const closure = terms.stopsFor.includes('closure') ? closureOn(calendar, day) : null
    if (still !== null || closure !== null) {
      const { fromMs, toMs } = boundsOf(day, zone)
      freeUntilMs += toMs - fromMs
      if (still === null && closure !== null) return notCounted(closure)
      if (still !== null) return notCounted(still.of, still.claimId)
    }
    if (terms.freeUnit === 'hours') {
      const until = new Date(freeUntilMs).toISOString()
      const isStopDay = stop !== null && stop.day === day
      if (boundsOf(day, zone).toMs <= freeUntilMs || (isStopDay && stop.atMs !== null && stop.atMs <= freeUntilMs))
        return { outcome: 'free', reason: { kind: 'free_hours', until }, claimId: null, rates: terms }
      if (isStopDay && stop.atMs === null && boundsOf(day, zone).fromMs < freeUntilMs)
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

/** The first and the last day that a standstill touches. */
function daysOf({ fromMs, toMs }: Standstill, zone: string | null): { readonly from: string; readonly to: string } {
  const dayOf = (ms: number) => localDateIn(new Date(ms).toISOString(), zone)
  return { from: dayOf(fromMs), to: toMs === null ? '9999-12-31' : dayOf(toMs) }
}

/** Hours run from the moment of the start, or from the beginning of the first day when that is later. */
function freeHoursFrom({ terms, start, firstDay, zone }: Clock): number {
  if (terms.freeUnit !== 'hours') return 0
  const fromMs = start.day === firstDay && start.atMs !== null ? start.atMs : boundsOf(firstDay, zone).fromMs
  return fromMs + terms.free * hourMs
}

/** The first moment of the day and that of the next. */
export function boundsOf(day: string, zone: string | null): { readonly fromMs: number; readonly toMs: number } {
  return {
    fromMs: Date.parse(localMidnight(day, zone)),
    toMs: Date.parse(localMidnight(dayAfter(day), zone)),
  }
}

function tierOf(
  tiers: readonly Tier[],
  dayNumber: number,
): { readonly index: number; readonly tier: Tier | undefined } {
  const index = tiers.findIndex(({ to }) => to === null || dayNumber <= to)
  return { index, tier: tiers[index] }
}
