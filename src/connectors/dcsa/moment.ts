/** The times of an event: when it happens, with the precision that the line really has, and when it was stated. */

import type { ObservedPlace } from '../../domain/statements/observation.ts'
import { type EventTime, instantOf, parseEventTime } from '../../domain/values/time.ts'
import { quoteValue } from '../source-issue.ts'
import type { ReadContext } from './context.ts'
import { type JsonNode, pointTo, readFirstText, readText } from './json-node.ts'
import type { MemberName } from './names.ts'

const hourMs = 3_600_000
const yearMs = 365 * 24 * hourMs
/** Earlier times are placeholders, such as 1970-01-01 and 1999-01-01: no container message is that old. */
const earliestMs = Date.UTC(2000, 0, 1)

/** Null, with an issue, when the event has no plausible time; the event is then lost. */
export function readEventTime(
  node: JsonNode,
  context: ReadContext & { readonly place: ObservedPlace },
): EventTime | null {
  const { issues, profile, place } = context
  const at = { path: `${node.path}/eventDateTime`, lost: 'event' } as const
  const text = readText(node, 'eventDateTime', issues)
  if (text === null) {
    issues.add('missing_field', at, 'the event has no time')
    return null
  }
  const time = parseEventTime(text)
  if (time === null) {
    issues.add('unreadable_time', at, `${quoteValue(text)} is not an ISO 8601 time`)
    return null
  }
  if (!isPlausible(time, context.fetchedAtMs)) {
    issues.add('implausible_time', at, `${quoteValue(text)} is a placeholder or a mistake`)
    return null
  }
  if (profile.hasDayOnlyTimes && time.kind !== 'day' && isMidnight(text)) return { kind: 'day', on: text.slice(0, 10) }
  if (profile.zoneFallback === 'place' && time.kind === 'local' && place.timeZone !== null) {
    return { kind: 'instant', at: instantOf(time, place.timeZone).at }
  }
  return time
}

/** True for a time that is neither a placeholder nor further ahead than anybody plans. */
export function isPlausible(time: EventTime, fetchedAtMs: number): boolean {
  const ms = Date.parse(instantOf(time, null).at)
  return ms >= earliestMs && ms <= fetchedAtMs + 2 * yearMs
}

/** True for midnight as written (00:00 or 24:00), whatever zone follows it: the day as written counts. */
function isMidnight(text: string): boolean {
  return /^.{10}[Tt ](?:00|24)(?::00(?::00(?:[.,]0+)?)?)?(?![\d:.,])/.test(text)
}

/** 2.2 has only the first field, 3.0 only the second. */
const statedFields: readonly MemberName[] = ['eventCreatedDateTime', 'eventUpdatedDateTime']

/**
 * When the line made the statement (2.2) or last changed it (3.0). Statements are ordered by this time, so it must have
 * a zone. If it is missing or wrong, the event itself is still read.
 */
export function readStatedAt(node: JsonNode, { issues, profile, fetchedAtMs }: ReadContext): string | null {
  const text = readFirstText(node, statedFields, issues)
  const at = { path: pointTo(node, statedFields), lost: 'field' } as const
  if (text === null) {
    if (!profile.mayLack.includes('eventCreatedDateTime')) {
      issues.addOnce(
        'missing_field',
        at,
        'the time of the statement is missing (eventCreatedDateTime or eventUpdatedDateTime)',
      )
    }
    return null
  }
  const time = parseEventTime(text)
  if (time === null) {
    issues.add('unreadable_time', at, `${quoteValue(text)} is not an ISO 8601 time`)
    return null
  }
  if (time.kind !== 'instant') {
    issues.addOnce('time_without_zone', at, 'the time has no zone: add Z or an offset such as +01:00')
    return null
  }
  const ms = Date.parse(time.at)
  if (ms < earliestMs || ms > fetchedAtMs + 48 * hourMs) {
    issues.add(
      'implausible_time',
      at,
      `${quoteValue(text)} cannot be the time of the statement: it is too early or in the future`,
    )
    return null
  }
  return time.at
}
