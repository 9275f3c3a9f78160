/** Times as `DTM` writes them (elements 2005, 2380, 2379): with the precision and the zone that they really have. */

import { type EventTime, instantOf, parseEventTime } from '../../core/values/time.ts'
import { quoted } from '../source-issue.ts'
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
    issues.add('unreadable_time', at, `${quoted(text)} is not a time of format ${quoted(format)}`)
    return null
  }
  const ms = Date.parse(read.time.kind === 'instant' ? read.time.at : instantOf(read.time, null).at)
  if (ms < earliestMs || ms > fetchedAtMs + 2 * yearMs) {
    issues.add('implausible_time', at, `${quoted(text)} is a placeholder or a mistake`)
    return null
  }
  if (read.isOfUnknownZone) {
    const detail = `${quoted(text)} has an unknown time zone: only its day is read`
    issues.addOnce('time_without_zone', { ...at, lost: 'field' }, detail)
  }
  return profile.zonelessTimes === 'utc' ? inUtc(read.time) : read.time
}

/** When the message says that it was written (`DTM+137`). Null if it has no zone: a zone is never guessed. */
export function readWrittenAt(segments: readonly Segment[], context: ReadContext): string | null {
  const dated = segments.find(({ tag, elements }) => tag === 'DTM' && elements[0]?.[0]?.trim() === '137')
  const read = dated === undefined ? null : readDate(textOf(dated, 0, 1), codeOf(dated, 0, 2))
  if (read === null) return null
  const time = context.profile.zonelessTimes === 'utc' ? inUtc(read.time) : read.time
  if (time.kind !== 'instant') return null
  const ms = Date.parse(time.at)
  return ms < earliestMs || ms > context.fetchedAtMs + 2 * yearMs ? null : time.at
}

function inUtc(time: EventTime): EventTime {
  return time.kind === 'local' ? { kind: 'instant', at: `${time.local}.000Z` } : time
}

interface ReadDate {
  readonly time: EventTime
  readonly isOfUnknownZone: boolean
}

/**
 * For each format: whether the year has four digits, how many digits the time of day has, and how the zone is written.
 */
const formats: Readonly<
  Record<string, readonly [isLong: boolean, clock: 0 | 4 | 6, zone: '' | 'ZZZ' | 'offset']>
> = {
  '101': [false, 0, ''],
  '102': [true, 0, ''],
  '201': [false, 4, ''],
  '202': [false, 6, ''],
  '203': [true, 4, ''],
  '204': [true, 6, ''],
  '205': [true, 4, 'offset'],
  '208': [true, 6, 'offset'],
  '301': [false, 4, 'ZZZ'],
  '302': [false, 6, 'ZZZ'],
  '303': [true, 4, 'ZZZ'],
  '304': [true, 6, 'ZZZ'],
}
/** Where the format is left out, the length shows which format with a year of four digits is meant. */
const formatByLength: Readonly<Record<number, string>> = { 8: '102', 12: '203', 14: '204' }

function readDate(text: string, format: string): ReadDate | null {
  const shape = formats[format || (formatByLength[text.length] ?? '')]
  if (shape === undefined) return null
  const [isLong, clock, zone] = shape
  const digits = (isLong ? 8 : 6) + clock
  const [head, rest] = [text.slice(0, digits), text.slice(digits).trim()]
  if (!new RegExp(`^[0-9]{${digits}}$`).test(head) || (zone === '' && rest !== '')) return null
  const long = isLong ? head : `20${head}`
  const day = `${long.slice(0, 4)}-${long.slice(4, 6)}-${long.slice(6, 8)}`
  if (clock === 0) return timeOf(day)
  const local = `${day}T${long.slice(8, 10)}:${long.slice(10, 12)}:${long.slice(12, 14) || '00'}`
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
