/**
 * Times as agents see them: the local time of the place, with offset and zone (RFC 9557), and not more precise than the
 * source. A bare date means that the source gave only the day. A time without offset has an unknown zone. A `Z` without
 * a zone is UTC, because the zone of the place is unknown.
 */

import { type EventTime, instantOf } from '../../domain/values/time.ts'
import { writeWithOffset } from '../../domain/values/time-zone.ts'
import { markUnlessCode } from './fence.ts'

export function writeTime(time: EventTime | null | undefined, timeZone: string | null): string | null {
  if (time === null || time === undefined) return null
  if (time.kind === 'day') return time.on
  const { at, zoneUsed } = instantOf(time, timeZone)
  if (time.kind === 'local' && zoneUsed !== timeZone) return time.local
  return writeInstant(at, timeZone)
}

/** Such as `2026-02-01T11:30:00-08:00[America/Los_Angeles]`. */
export function writeInstant(at: string, timeZone: string | null): string {
  const written = writeWithOffset(at, timeZone)
  return written.endsWith('Z') ? written : `${written}[${timeZone}]`
}

/** What a source stated: a time as above, anything else as data on one line. */
export function writeValue(value: unknown, timeZone: string | null): string | null | undefined {
  if (value === null || value === undefined) return value
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value)) return writeInstant(value, timeZone)
  return markUnlessCode(typeof value === 'string' ? value : JSON.stringify(value))
}
