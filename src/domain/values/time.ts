/** The time of an event with the precision and zone that its source gave, and its reading as an instant. */

import { offsetMsAt } from './time-zone.ts'

/**
 * `instant`: a moment, ISO 8601 UTC (`2026-01-06T14:30:00.000Z`). `local`: a wall clock without zone
 * (`2026-01-06T14:30:00`). `day`: a calendar day at the place (`2026-01-06`).
 */
export type EventTime =
  | { readonly kind: 'instant'; readonly at: string }
  | { readonly kind: 'local'; readonly local: string }
  | { readonly kind: 'day'; readonly on: string }

/** The `zoneUsed` of a day or a wall clock that had to be read as if it were UTC. */
export const assumedUtc = 'UTC-assumed'

/** A time read as a moment. `zoneUsed`: `UTC` for a stated instant, an IANA zone, or `UTC-assumed`. */
export interface InstantReading {
  readonly at: string
  readonly zoneUsed: string
}

const dayMs = 86_400_000
/**
 * The form of most instants: UTC to the second or the millisecond, with a day that every month has. They need no
 * further check.
 */
const plainInstant =
  /^(?:19[7-9]\d|2[01]\d\d)-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/
const eventTimePattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/**
 * Reads the ISO 8601 profile that carriers send: `2026-01-29`, `2026-01-06T14:30`, `2026-01-06T14:30:00.000Z`,
 * `2026-01-06T14:30:00+08:00`. Null for anything else. Lenient as RFC 3339 is: lower-case t and z, a blank for T;
 * beyond it: no seconds, no minutes, decimal comma, `+0800` and `+08`, no zone at all. 24:00 is 00:00 of the next day,
 * and second 60 is second 0 of the next minute (ISO 8601). Strict: real days only (no 30 February), offsets to ±14:00,
 * years 1970 to 2199, so that the placeholders 0001-01-01 and 9999-12-31 are no times. Instants have milliseconds, wall
 * clocks seconds; finer digits are cut off.
 */
export function parseEventTime(text: string): EventTime | null {
  if (plainInstant.test(text)) return { kind: 'instant', at: text.length === 24 ? text : `${text.slice(0, 19)}.000Z` }
  const parts = text.length > 40 ? null : eventTimePattern.exec(text)
  if (parts === null) return null
  const [, year = '', month = '', day = '', hour, minute = '00', second = '00', fraction = '', zone] = parts
  if (!isRealDay(Number(year), Number(month), Number(day))) return null
  const on = `${year}-${month}-${day}`
  if (hour === undefined) return { kind: 'day', on }
  if (hour === '24' || second === '60') {
    const next = carryOver(on, [hour, minute, second])
    return next === null ? null : parseEventTime(`${next}.${fraction || '0'}${zone ?? ''}`)
  }
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const local = `${on}T${hour}:${minute}:${second}`
  if (zone === undefined) return { kind: 'local', local }
  const offsetMs = parseOffset(zone)
  if (offsetMs === null) return null
  const millis = fraction.slice(0, 3).padEnd(3, '0')
  // Most times are in UTC: a clock would only give the same text back.
  if (offsetMs === 0) return { kind: 'instant', at: `${local}.${millis}Z` }
  return { kind: 'instant', at: new Date(msOfWallClock(local) + Number(millis) - offsetMs).toISOString() }
}

/** The wall clock that 24:00 or a second 60 denotes. Null for any other excess. */
function carryOver(on: string, clock: readonly [hour: string, minute: string, second: string]): string | null {
  const [hour, minute, second] = clock.map(Number) as [number, number, number]
  const isDayEnd = hour === 24 && minute === 0 && second === 0
  if (!isDayEnd && (hour > 23 || minute > 59)) return null
  return new Date(msOfDay(on) + ((hour * 60 + minute) * 60 + second) * 1_000).toISOString().slice(0, 19)
}

function isRealDay(year: number, month: number, day: number): boolean {
  if (year < 1970 || year > 2199 || month < 1 || month > 12 || day < 1) return false
  return day <= 28 || day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

function parseOffset(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', ''))
  if (minutes > 14 * 60 || Number(zone.slice(-2)) > 59) return null
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}

/**
 * The time as a moment at a place in `timeZone` (IANA; null when unknown, and a name that this runtime does not know
 * counts as unknown). A day is its midnight there, a wall clock that moment there. Without a zone both are read as if
 * UTC, and `zoneUsed` shows it.
 */
export function instantOf(time: EventTime, timeZone: string | null): InstantReading {
  if (time.kind === 'instant') return { at: time.at, zoneUsed: 'UTC' }
  const wallMs = time.kind === 'day' ? msOfDay(time.on) : msOfWallClock(time.local)
  const ms = timeZone === null ? null : msInZone(wallMs, timeZone)
  if (ms === null || timeZone === null) return { at: new Date(wallMs).toISOString(), zoneUsed: assumedUtc }
  return { at: new Date(ms).toISOString(), zoneUsed: timeZone }
}

/**
 * The moment at which a zone's clocks showed a wall time; null for an unknown zone. When they showed it twice
 * (clocks set back), the first; when never (set forward), as much later as the clocks jumped: RFC 5545 and
 * Temporal's `compatible`.
 */
function msInZone(wallMs: number, timeZone: string): number | null {
  const before = offsetMsAt(timeZone, wallMs - dayMs)
  const after = offsetMsAt(timeZone, wallMs + dayMs)
  if (before === null || after === null) return null
  if (before === after) return wallMs - before
  if (offsetMsAt(timeZone, wallMs - before) === before) return wallMs - before
  if (offsetMsAt(timeZone, wallMs - after) === after) return wallMs - after
  return wallMs - before
}

/** The calendar day that a moment falls on in a zone; in UTC when the zone is null or unknown. */
export function localDateIn(at: string, timeZone: string | null): string {
  const ms = Date.parse(at)
  const offsetMs = timeZone === null ? 0 : (offsetMsAt(timeZone, ms) ?? 0)
  return new Date(ms + offsetMs).toISOString().slice(0, 10)
}

/**
 * The moment a day begins in a zone (UTC when null or unknown). Where clocks skip midnight, the day's first moment;
 * a day that a zone left out altogether (Samoa, 2011-12-30) begins when the next one does.
 */
export function localMidnight(day: string, timeZone: string | null): string {
  return instantOf({ kind: 'day', on: day }, timeZone).at
}

/** A time and the zone of the place where it holds. */
export interface PlacedTime {
  readonly time: EventTime
  readonly timeZone: string | null
}

/** Order by moment, for sorting: negative when `a` is earlier. At one moment the more precise time comes first. */
export function compareTimes(a: PlacedTime, b: PlacedTime): number {
  const left = instantOf(a.time, a.timeZone).at
  const right = instantOf(b.time, b.timeZone).at
  if (left !== right) return compareInstants(left, right)
  return precision[a.time.kind] - precision[b.time.kind]
}

const precision: Readonly<Record<EventTime['kind'], number>> = { instant: 0, local: 1, day: 2 }

/**
 * The order of two ISO instants. Instants of equal length are compared as text, others (with and without ms) as
 * moments.
 */
export function compareInstants(a: string, b: string): number {
  if (a.length === b.length) return a < b ? -1 : a > b ? 1 : 0
  return Date.parse(a) - Date.parse(b)
}

/** A day (`YYYY-MM-DD`) stays a day; an instant moves by multiples of 24 hours. */
export function addDays(dayOrInstant: string, days: number): string {
  if (dayOrInstant.length > 10) return addMs(dayOrInstant, days * dayMs)
  return new Date(msOfDay(dayOrInstant) + days * dayMs).toISOString().slice(0, 10)
}

export function addMs(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString()
}

/** Milliseconds from one instant to another; negative when `to` is earlier. */
export function msBetween(span: { readonly from: string; readonly to: string }): number {
  return Date.parse(span.to) - Date.parse(span.from)
}

function msOfDay(day: string): number {
  return Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8, 10)))
}

function msOfWallClock(local: string): number {
  return Date.parse(`${local}Z`)
}

/** The last moment of a time, by how it was written: without a fraction it is its whole second. */
export function lastMomentOf({ at, written }: { readonly at: string; readonly written: string }): string {
  return /:\d\d[.,]\d/.test(written) ? at : `${at.slice(0, 19)}.999Z`
}

/** The later of two instants. */
export function laterOf(a: string, b: string): string {
  return compareInstants(a, b) < 0 ? b : a
}

/** The earlier of two instants. */
export function earlierOf(a: string, b: string): string {
  return compareInstants(a, b) <= 0 ? a : b
}
