/**
 * A calendar of a terminal, a line or a country: which days are working days. Calendars are data that an account sends.
 * A new version never changes an older one.
 */

import { addDays } from '../values/time.ts'

export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
export type Weekday = (typeof weekdays)[number]

export const closureKinds = ['scheduled', 'unscheduled'] as const

export interface NamedDay {
  readonly on: string
  readonly name: string
}

export interface Closure extends NamedDay {
  readonly kind: (typeof closureKinds)[number]
}

export interface GateHours {
  readonly weekday: Weekday
  /** Wall clock, `07:00`. */
  readonly opens: string
  readonly closes: string
}

export interface CalendarContent {
  /** IANA. Null: the zone of the place where the clock runs. */
  readonly zone: string | null
  readonly weekend: readonly Weekday[]
  readonly holidays: readonly NamedDay[]
  readonly closures: readonly Closure[]
  /** Empty: nothing is known of the gate. Otherwise it is closed on a weekday that is not listed. */
  readonly gateHours: readonly GateHours[]
  /** Where the days come from. */
  readonly source: string | null
}

export interface ChargeCalendar extends CalendarContent {
  /** The account's own name of the calendar: `us-lax`. */
  readonly code: string
  readonly version: number
  readonly recordedAt: string
}

/** Why a day is not a working day. */
export type DayOff =
  | { readonly kind: 'weekend'; readonly weekday: Weekday }
  | { readonly kind: 'holiday'; readonly name: string }
  | { readonly kind: 'closure'; readonly name: string; readonly closure: Closure['kind'] }
  | { readonly kind: 'gate_closed'; readonly weekday: Weekday }

/** Null for a working day, and for every day when there is no calendar. */
export function dayOffOf(calendar: CalendarContent | null, day: string): DayOff | null {
  if (calendar === null) return null
  const closure = closureOn(calendar, day)
  if (closure !== null) return closure
  const holiday = calendar.holidays.find(({ on }) => on === day)
  if (holiday !== undefined) return { kind: 'holiday', name: holiday.name }
  const weekday = weekdayOf(day)
  if (calendar.weekend.includes(weekday)) return { kind: 'weekend', weekday }
  const isOpen = calendar.gateHours.some((hours) => hours.weekday === weekday)
  return calendar.gateHours.length > 0 && !isOpen ? { kind: 'gate_closed', weekday } : null
}

export function closureOn(calendar: CalendarContent | null, day: string): DayOff | null {
  const closure = calendar?.closures.find(({ on }) => on === day)
  return closure === undefined ? null : { kind: 'closure', name: closure.name, closure: closure.kind }
}

/** When the gate closes on that day; null when it is not known or the gate does not open. */
export function gateClosesOn(calendar: CalendarContent | null, day: string): string | null {
  const weekday = weekdayOf(day)
  return calendar?.gateHours.find((hours) => hours.weekday === weekday)?.closes ?? null
}

export function weekdayOf(day: string): Weekday {
  const days = Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8))) / 86_400_000
  // 1970-01-01 was a Thursday, and no day here is before it.
  return weekdays[(days + 4) % 7] ?? 'sun'
}

/**
 * The next day. For each container, the code goes through the days one by one: this function needs a tenth of the time
 * of `addDays`.
 */
export function dayAfter(day: string): string {
  const date = Number(day.slice(8))
  return date < 28 ? `${day.slice(0, 8)}${date < 9 ? '0' : ''}${date + 1}` : addDays(day, 1)
}

/** More days off in a row than any calendar has: a calendar without a working day is a mistake. */
const daysOffMax = 366

/** The first working day on or after this day; null when the calendar has none for a year. */
export function workingDayFrom(calendar: CalendarContent | null, day: string): string | null {
  let next = day
  for (let step = 0; step <= daysOffMax; step += 1) {
    if (dayOffOf(calendar, next) === null) return next
    next = dayAfter(next)
  }
  return null
}
