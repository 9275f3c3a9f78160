/**
 * The database reckons the days and the order of local times with its own rules of time zones, this process with those of
 * Node.js. Where one of them is older, a list can have a day or an hour in another place than the answer shows.
 */

import { setImmediate as pause } from 'node:timers/promises'
import { readDatabaseOffsets } from '../../db/database-offsets.ts'
import { offsetsWithoutCache } from '../../domain/values/time-zone.ts'
import type { Service } from '../service.ts'

const dayMs = 86_400_000
/** From now on for a year. */
const steps = { count: 13, everyMs: 30 * dayMs }
const loggedMax = 20

/** Logs the zones in which the two differ within the next year; once a day is enough. */
export async function compareZones({ pool, clock, log }: Service): Promise<void> {
  const zones = Intl.supportedValuesOf('timeZone')
  const moments = Array.from({ length: steps.count }, (_, step) => clock.now() + step * steps.everyMs)
  const theirs = await readDatabaseOffsets(pool, { zones, moments })
  const differing: string[] = []
  for (const zone of zones) {
    const ours = offsetsWithoutCache(zone, moments)
    const known = theirs.get(zone)
    if (known === undefined || ours.some((offset, at) => offset !== known[at])) differing.push(zone)
    // Each zone takes some tenths of a millisecond; requests go first.
    await pause()
  }
  if (differing.length > 0)
    log.warn('database.zones_differ', {
      zones: differing.slice(0, loggedMax),
      count: differing.length,
      remedy: `Update the time zones of the database server (tzdata) or Node.js (${process.versions['tz'] ?? 'unknown'} here), whichever is older, and restart it.`,
    })
}
