/**
 * A time of a container, as precise as it is given. Its zone is part of the time, or the zone name after it, or the
 * zone of the facility.
 */

import { type EventTime, instantOf } from '../../domain/values/time.ts'
import { quoteValue } from '../source-issue.ts'
import { type ContainerContext, type JsonNode, textAt } from './container-context.ts'
import type { TimeField } from './profile.ts'
import { parseWrittenTime, type WrittenTime } from './time-format.ts'

export interface TimeReading {
  readonly time: EventTime
  readonly path: string
}

const earliestMs = Date.UTC(2000, 0, 1)
const yearMs = 365 * 86_400_000

/** Null with an issue for an unreadable or implausible time; null without an issue for an empty field. */
export function readTime(
  context: Pick<ContainerContext, 'profile' | 'issues' | 'zone' | 'fetchedAtMs'>,
  field: TimeField,
  node: JsonNode,
  lost: 'event' | 'field' = 'field',
): TimeReading | null {
  const raw = textAt(context, field.at, node)
  if (raw === null) return null
  const clock = field.timeAt === undefined ? null : textAt(context, field.timeAt, node)
  const { path } = raw
  const at = { path, lost } as const
  const text = clock === null ? raw.text : `${raw.text.replace(/[T ]00:00(:00(\.0+)?)?$/, '')} ${clock.text}`
  const written = parseWrittenTime(text, formatOf(field, clock !== null))
  if (written === null) {
    context.issues.add('unreadable_time', at, `${quoteValue(text)} does not have the time format of the profile`)
    return null
  }
  const ms = Date.parse(instantOf(written.time, null).at)
  if (ms < earliestMs || ms > context.fetchedAtMs + 2 * yearMs) {
    context.issues.add('implausible_time', at, `${quoteValue(text)} is a placeholder or a mistake`)
    return null
  }
  if (field.isDay === true) return { time: { kind: 'day', on: dayAsWritten(written, text) }, path }
  return { time: applyZone(context, written, path), path }
}

/** If the field with the time of day is empty, only the date part of the format is used. */
function formatOf({ format, timeAt }: TimeField, hasClock: boolean): string | null {
  if (format === undefined) return null
  return timeAt !== undefined && !hasClock ? (format.split(' ', 1)[0] ?? format) : format
}

/** The day as it is written, without converting it to any zone. */
function dayAsWritten({ time }: WrittenTime, text: string): string {
  if (time.kind === 'day') return time.on
  if (time.kind === 'local') return time.local.slice(0, 10)
  return /^\d{4}-\d{2}-\d{2}/.test(text) ? text.slice(0, 10) : time.at.slice(0, 10)
}

function applyZone(
  { profile, zone, issues }: Pick<ContainerContext, 'profile' | 'issues' | 'zone'>,
  { time, zoneName }: WrittenTime,
  path: string,
): EventTime {
  if (time.kind !== 'local') return time
  const named = zoneName === null ? zone : zoneOf(profile.zones ?? {}, zoneName)
  if (named !== null) return { kind: 'instant', at: instantOf(time, named).at }
  const detail =
    zoneName === null
      ? 'the time has no zone, and the zone of the source is not known'
      : `${quoteValue(zoneName)} is a zone that is not mapped`
  issues.addOnce('time_without_zone', { path, lost: 'nothing' }, detail)
  return time
}

function zoneOf(zones: Readonly<Record<string, string>>, name: string): string | null {
  const upper = name.toUpperCase()
  return zones[upper] ?? (upper === 'UTC' || upper === 'GMT' || upper === 'Z' ? 'UTC' : null)
}
