/** Times as `DTM` writes them (elements 2005, 2380, 2379): with the precision and the zone that they really have. */

import { type EventTime, instantOf, parseEventTime } from '../../domain/values/time.ts'
import { quoteValue } from '../source-issue.ts'
import type { ReadContext } from './context.ts'
import { codeOf, pathTo, textOf } from './fields.ts'
import type { Segment } from './segments.ts'

const yearMs = 365 * 24 * 3_600_000
/** Earlier times are placeholders, such as 19000101: no container message is that old. */
const earliestMs = Date.UTC(2000, 0, 1)

/** Null, with an issue, when the segment has no plausible time; the event is then lost. */
export function readMoment(segment: Segment, context: ReadContext): EventTime | null {
  const { issues, profile, fetchedAtMs } = context
  const at = { path: pathTo(segment, 0), lost: 'event' } as const
  const text = textOf(segment, 0, 1)
  const format = codeOf(segment, 0, 2)
  const read = readDate(text, format)
  if (read === null) {
    issues.add('unreadable_time', at, `${quoteValue(text)} is not a time of format ${quoteValue(format)}`)
    return null
  }
  const ms = Date.parse(read.time.kind === 'instant' ? read.time.at : instantOf(read.time, null).at)
  if (ms < earliestMs || ms > fetchedAtMs + 2 * yearMs) {
    issues.add('implausible_time', at, `${quoteValue(text)} is a placeholder or a mistake`)
    return null
  }
  if (read.isOfUnknownZone) {
    const detail = `${quoteValue(text)} has an unknown time zone: only its day is read`
    issues.addOnce('time_without_zone', { ...at, lost: 'field' }, detail)
  }
  return profile.zonelessTimes === 'utc' ? assumeUtc(read.time) : read.time
}

/**
 * The time at which the message states that it was written (`DTM+137`). Null if it has no zone: a zone is never
 * guessed.
 */
export function readWrittenAt(segments: readonly Segment[], context: ReadContext): string | null {
  const dated = segments.find(({ tag, elements }) => tag === 'DTM' && elements[0]?.[0]?.trim() === '137')
  const read = dated === undefined ? null : readDate(textOf(dated, 0, 1), codeOf(dated, 0, 2))
  if (read === null) return null
  const time = context.profile.zonelessTimes === 'utc' ? assumeUtc(read.time) : read.time
  if (time.kind !== 'instant') return null
  const ms = Date.parse(time.at)
  return ms < earliestMs || ms > context.fetchedAtMs + 2 * yearMs ? null : time.at
}

function assumeUtc(time: EventTime): EventTime {
  return time.kind === 'local' ? { kind: 'instant', at: `${time.local}.000Z` } : time
}

interface ReadDate {
  readonly time: EventTime
  readonly isOfUnknownZone: boolean
}

/** For each format: whether the year has four digits, whether there is a time of day, and how the zone is written. */
const formats: Readonly<Record<string, readonly [isLong: boolean, hasClock: boolean, zone: '' | 'ZZZ' | 'offset']>> = {
  '101': [false, false, ''],
  '102': [true, false, ''],
  '201': [false, true, ''],
  '202': [false, true, ''],
  '203': [true, true, ''],
  '204': [true, true, ''],
  '205': [true, true, 'offset'],
  '208': [true, true, 'offset'],
  '301': [false, true, 'ZZZ'],
  '302': [false, true, 'ZZZ'],
  '303': [true, true, 'ZZZ'],
  '304': [true, true, 'ZZZ'],
}
/** Where the format is left out, the length shows which format with a year of four digits applies. */
const formatByLength: Readonly<Record<number, string>> = { 8: '102', 12: '203', 14: '204' }

/** Senders omit parts of the time of day that the format has, or add seconds: the available digits are read. */
const clockAndZone = '((?:\\d{2}){0,3})(?:\\s*(\\D.*))?$'
const longDate = new RegExp(`^(\\d{8})${clockAndZone}`)
const shortDate = new RegExp(`^(\\d{6})${clockAndZone}`)

function readDate(text: string, format: string): ReadDate | null {
  const shape = formats[format || (formatByLength[text.length] ?? '')]
  if (shape === undefined) return null
  const [isLong, hasClock, zone] = shape
  const [, date, clock = '', rest = ''] = (isLong ? longDate : shortDate).exec(text) ?? []
  if (date === undefined || (clock !== '' && !hasClock) || (zone === '' && rest !== '')) return null
  const long = isLong ? date : `20${date}`
  const day = `${long.slice(0, 4)}-${long.slice(4, 6)}-${long.slice(6, 8)}`
  if (clock === '') return timeOf(day)
  const local = `${day}T${clock.slice(0, 2)}:${clock.slice(2, 4) || '00'}:${clock.slice(4, 6) || '00'}`
  if (zone === '' || rest === '') return timeOf(local)
  const offset = offsetOf(rest)
  if (offset !== null) return timeOf(`${local}${offset}`)
  // EST and CST each mean several zones.
  const onDay = parseEventTime(local) === null ? null : timeOf(day)
  return onDay === null ? null : { ...onDay, isOfUnknownZone: true }
}

function timeOf(text: string): ReadDate | null {
  const time = parseEventTime(text)
  return time === null ? null : { time, isOfUnknownZone: false }
}

function offsetOf(zone: string): string | null {
  if (/^(?:Z|UTC|GMT)$/i.test(zone)) return 'Z'
  return /^[+-][0-9]{2}(?:[0-9]{2})?$/.test(zone) ? zone : null
}
