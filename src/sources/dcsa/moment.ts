/** The times of an event: when it happens, with the precision that the line really has, and when it was stated. */

import type { ObservedPlace } from '../../core/observation.ts'
import { type EventTime, instantOf, parseEventTime } from '../../core/time.ts'
import { quoted } from '../source-issue.ts'
import type { ReadContext } from './context.ts'
import type { MemberName } from './names.ts'
import { type Part, pointTo, readFirstText, readText } from './part.ts'

const hourMs = 3_600_000
const yearMs = 365 * 24 * hourMs
/** Before it no container message spoke of the present: placeholders such as 1970-01-01 and 1999-01-01. */
const earliestMs = Date.UTC(2000, 0, 1)

/** Null when the event says no time that can be meant; the event is lost with it, and the issue says so. */
export function readEventTime(
  part: Part,
  context: ReadContext & { readonly place: ObservedPlace },
): EventTime | null {
  const { issues, profile, place } = context
  const at = { path: `${part.path}/eventDateTime`, lost: 'event' } as const
  const text = readText(part, 'eventDateTime', issues)
  if (text === null) {
    issues.add('missing_field', at, 'an event without its time')
    return null
  }
  const time = parseEventTime(text)
  if (time === null) {
    issues.add('unreadable_time', at, `${quoted(text)} is no ISO 8601 time`)
    return null
  }
  if (!isPlausible(time, context.fetchedAtMs)) {
    issues.add('implausible_time', at, `${quoted(text)} is a placeholder or a mistake`)
    return null
  }
  if (profile.hasDayOnlyTimes && time.kind !== 'day' && isMidnight(text))
    return { kind: 'day', on: text.slice(0, 10) }
  if (profile.zoneFallback === 'place' && time.kind === 'local' && place.timeZone !== null) {
    return { kind: 'instant', at: instantOf(time, place.timeZone).at }
  }
  return time
}

/** Neither a placeholder nor further ahead than anybody plans. */
export function isPlausible(time: EventTime, fetchedAtMs: number): boolean {
  const ms = Date.parse(instantOf(time, null).at)
  return ms >= earliestMs && ms <= fetchedAtMs + 2 * yearMs
}

/** The day as written counts, whatever zone stands behind the midnight. */
function isMidnight(text: string): boolean {
  return /^.{10}[Tt ]00:00(?::00(?:[.,]0+)?)?(?![\d:.,])/.test(text)
}

/** 2.2 has only the first, 3.0 only the second. */
const statedFields: readonly MemberName[] = ['eventCreatedDateTime', 'eventUpdatedDateTime']

/**
 * When the line made the statement (2.2) or last changed it (3.0); only a moment with a zone will do, for statements
 * are ordered by it. Whatever is wrong with it, the event itself is read.
 */
export function readStatedAt(part: Part, { issues, profile, fetchedAtMs }: ReadContext): string | null {
  const text = readFirstText(part, statedFields, issues)
  const at = { path: pointTo(part, statedFields), lost: 'field' } as const
  if (text === null) {
    if (!profile.mayLack.includes('eventCreatedDateTime')) {
      issues.addOnce('missing_field', at, 'not said when it was stated')
    }
    return null
  }
  const time = parseEventTime(text)
  if (time === null) {
    issues.add('unreadable_time', at, `${quoted(text)} is no ISO 8601 time`)
    return null
  }
  if (time.kind !== 'instant') {
    issues.addOnce('time_without_zone', at, 'without a zone it is no moment')
    return null
  }
  const ms = Date.parse(time.at)
  if (ms < earliestMs || ms > fetchedAtMs + 48 * hourMs) {
    issues.add('implausible_time', at, `${quoted(text)} is not when it was stated`)
    return null
  }
  return time.at
}
