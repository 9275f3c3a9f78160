/** Dates and times of X12 as times of events: with the precision that was sent, and with a zone only where one was. */

import { type EventTime, instantOf, parseEventTime } from '../../domain/values/time.ts'
import { type IssueList, quoteValue, type SourceIssue } from '../source-issue.ts'

const yearMs = 365 * 24 * 3_600_000
/** Earlier dates are placeholders: no status message is that old. */
const earliestMs = Date.UTC(2000, 0, 1)

export interface WrittenMoment {
  readonly path: string
  readonly date: string
  readonly time: string
  /** Code of element 623; empty where the segment has none. */
  readonly zone: string
}

/**
 * Zones by their code (element 623). `LT` is local time at the place, so it stays a wall clock. The numbered codes, and
 * letters beyond these, are not known to us.
 */
const zones: ReadonlyMap<string, string> = new Map([
  ['UT', 'UTC'],
  ['GM', 'UTC'],
  ['ET', 'America/New_York'],
  ['CT', 'America/Chicago'],
  ['MT', 'America/Denver'],
  ['PT', 'America/Los_Angeles'],
])
const localZones: ReadonlySet<string> = new Set(['', 'LT'])

/** Null, with an issue, when no plausible time is given. */
export function readMoment(
  { path, date, time, zone }: WrittenMoment,
  context: {
    readonly issues: IssueList
    readonly fetchedAtMs: number
    readonly lost?: SourceIssue['lost']
  },
): EventTime | null {
  const { issues, fetchedAtMs, lost = 'event' } = context
  const at = { path, lost }
  if (date === '') {
    issues.add('missing_field', at, 'the status has no date')
    return null
  }
  const clock = readWallClock(date, time)
  if (clock === null) {
    issues.add('unreadable_time', at, `${quoteValue(`${date} ${time}`)} is not a date and time`)
    return null
  }
  const ms = Date.parse(instantOf(clock, null).at)
  if (ms < earliestMs || ms > fetchedAtMs + 2 * yearMs) {
    issues.add('implausible_time', at, `${quoteValue(date)} is a placeholder or a mistake`)
    return null
  }
  if (clock.kind === 'day' || localZones.has(zone)) return clock
  const timeZone = zones.get(zone)
  if (timeZone !== undefined) return { kind: 'instant', at: instantOf(clock, timeZone).at }
  const detail = `${quoteValue(zone)} is not a known time zone: only the day is read`
  issues.addOnce('time_without_zone', { path, lost: 'field' }, detail)
  return dayOf(clock)
}

export function dayOf(time: EventTime): EventTime {
  if (time.kind === 'day') return time
  return { kind: 'day', on: (time.kind === 'local' ? time.local : time.at).slice(0, 10) }
}

/** Date: `CCYYMMDD`, or `YYMMDD` (before 4010, read as this century). Without a time only the day is read. */
export function readWallClock(date: string, time: string): EventTime | null {
  const [, century = '20', year, month, day] = /^(\d\d)??(\d\d)(\d\d)(\d\d)$/.exec(date) ?? []
  if (year === undefined) return null
  const on = `${century}${year}-${month}-${day}`
  if (time === '') return parseEventTime(on)
  const clock = clockOf(time)
  return clock === null ? null : parseEventTime(`${on}T${clock}`)
}

/**
 * Time: `HHMM`, `HHMMSS`, with tenths or hundredths, or the hour alone. Some senders leave out the first zero: `930`.
 * The result has colons: `09:30:00`.
 */
export function clockOf(time: string): string | null {
  const digits = time.length === 3 || time.length === 5 ? `0${time}` : time
  const [, hour, minute = '00', second = '00'] = /^(\d\d)(?:(\d\d)(?:(\d\d)\d{0,2})?)?$/.exec(digits) ?? []
  return hour === undefined ? null : `${hour}:${minute}:${second}`
}
