/**
 * Recognises a source that knows only days and writes each as midnight UTC. Between places of several zones no five
 * real times are all midnight of one zone.
 */

import type { IssueList } from '../source-issue.ts'
import type { StatedEvent } from './event.ts'

const timesMin = 5
const zonesMin = 2

/** The events of one answer, with days for such times, and an issue that states this. */
export function withDaysOnly(events: readonly StatedEvent[], issues: IssueList): readonly StatedEvent[] {
  const timed = events.filter(({ time }) => time !== null && time.kind !== 'day')
  const zones = new Set(timed.flatMap(({ place }) => place.timeZone ?? []))
  const isDaysOnly = timed.length >= timesMin && zones.size >= zonesMin && timed.every(isMidnightUtc)
  if (!isDaysOnly) return events
  const detail = `each of the ${timed.length} times is midnight UTC: they are read as days`
  issues.add('day_only_times', { path: '', lost: 'nothing' }, detail)
  return events.map((event) => {
    const { time } = event
    return time?.kind === 'instant' ? { ...event, time: { kind: 'day', on: time.at.slice(0, 10) } } : event
  })
}

function isMidnightUtc({ time }: StatedEvent): boolean {
  return time?.kind === 'instant' && time.at.endsWith('T00:00:00.000Z')
}
