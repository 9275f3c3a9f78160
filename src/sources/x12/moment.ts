/** Dates and times of X12 as times of events: with the precision that was sent, and with a zone only where one was. */

import { type EventTime, instantOf, parseEventTime } from '../../core/values/time.ts'
import { type IssueList, quoted, type SourceIssue } from '../source-issue.ts'

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
    issues.add('unreadable_time', at, `${quoted(`${date} ${time}`)} is not a date and time`)
    return null
  }
  const ms = Date.parse(instantOf(clock, null).at)
  if (ms < earliestMs || ms > fetchedAtMs + 2 * yearMs) {
    issues.add('implausible_time', at, `${quoted(date)} is a placeholder or a mistake`)
    return null
  }
  if (clock.kind === 'day' || localZones.has(zone)) return clock
  const timeZone = zones.get(zone)
  if (timeZone !== undefined) return { kind: 'instant', at: instantOf(clock, timeZone).at }
  const detail = `${quoted(zone)} is not a known time zone: only the day is read`
  issues.addOnce('time_without_zone', { path, lost: 'field' }, detail)
  return dayOf(clock)
}

export function dayOf(time: EventTime): EventTime {
  if (time.kind === 'day') return time
  return { kind: 'day', on: (time.kind === 'local' ? time.local : time.at).slice(0, 10) }
}

/**
 * Date: `CCYYMMDD`, or `YYMMDD` (before 4010, read as this century). Time: `HHMM`, `HHMMSS` or with hundredths; without
 * a time only the day is read.
 */
export function readWallClock(date: string, time: string): EventTime | null {
  const [, century = '20', year, month, day] = /^(\d\d)??(\d\d)(\d\d)(\d\d)$/.exec(date) ?? []
  if (year === undefined) return null
  const on = `${century}${year}-${month}-${day}`
  if (time === '') return parseEventTime(on)
  const [, hour, minute, second = '00'] = /^(\d\d)(\d\d)(\d\d)?(?:\d\d?)?$/.exec(time) ?? []
  return hour === undefined ? null : parseEventTime(`${on}T${hour}:${minute}:${second}`)
}
