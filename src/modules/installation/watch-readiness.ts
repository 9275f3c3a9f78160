/**
 * A server checks every few seconds whether it can work, and logs when that changes. It also compares its clock and
 * its time zones with the database's.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { isArchivingFailing, readDatabaseClock } from '../../db/probe-disk-space.ts'
import { readPause } from '../../pipeline/jobs/pause.ts'
import { reportJumps } from '../issues/watch-lines.ts'
import type { Service } from '../service.ts'
import { reportSilentFeeds } from '../sources/position-feeds.ts'
import { reportShapeChanges } from '../sources/watch-shapes.ts'
import { compareZones } from './compare-zones.ts'
import { isReady } from './is-ready.ts'

const compareClocksEveryMs = 20_000
/** The first time after a minute, so that a start has nothing to do with it. */
const compareZonesEveryMs = 86_400_000
const compareZonesAfterMs = 60_000
/**
 * A larger difference harms leases and the signatures of webhooks. A slow answer of the database, or a correction of
 * the clock by a second, makes no larger one.
 */
const clockToleranceMs = 5_000

/** Watches until `stop` is called. */
export function watchReadiness(
  service: Service,
  everyMs = 3_000,
  zonesAfterMs = compareZonesAfterMs,
): { readonly stop: () => Promise<void> } {
  const { log, metrics, operatorIssues } = service
  const stopping = new AbortController()
  const { signal } = stopping
  metrics.watch({
    name: 'troubles',
    help: 'Number of faults that the operator must repair now; the log says what to do.',
    read: () => operatorIssues.active().length,
  })
  metrics.watch({
    name: 'paused',
    help: '1 while a restored copy waits for `landfall resume`.',
    read: async () => ((await readPause(service).catch(() => null)) === null ? 0 : 1),
  })
  if (service.config.backup.walArchive !== null)
    metrics.watch({
      name: 'wal_archive_failing',
      help: '1 while PostgreSQL cannot copy its log to LANDFALL_WAL_ARCHIVE. The log then grows until the disk is full.',
      read: async () => ((await isArchivingFailing(service.pool).catch(() => false)) ? 1 : 0),
    })
  const running = (async () => {
    let wasReady = true
    let comparedMs = Number.NEGATIVE_INFINITY
    let zonesAtMs = service.config.server.role === 'api' ? Number.POSITIVE_INFINITY : performance.now() + zonesAfterMs
    let clock = { wallMs: Date.now(), steadyMs: performance.now() }
    while (!signal.aborted) {
      const { isReady: ready, ...state } = await isReady(service)
      if (ready !== wasReady && !signal.aborted)
        if (ready) log.info('server.ready', {})
        else log.warn('server.not_ready', state)
      wasReady = ready
      clock = findJump(service, clock)
      if (ready && performance.now() - comparedMs > compareClocksEveryMs) {
        comparedMs = performance.now()
        for (const check of [compareClocks, reportJumps, reportSilentFeeds, reportShapeChanges])
          await check(service).catch((error: unknown) => log.warn('database.unreachable', { error }))
      }
      if (ready && performance.now() > zonesAtMs) {
        zonesAtMs = performance.now() + compareZonesEveryMs
        await compareZones(service).catch((error: unknown) => log.warn('database.unreachable', { error }))
      }
      await pause(everyMs, undefined, { signal }).catch(() => {})
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

type ClockReading = { readonly wallMs: number; readonly steadyMs: number }

/** The steady clock is never set. When the wall clock has moved by a different time, somebody has set it. */
function findJump({ operatorIssues }: Service, before: ClockReading): ClockReading {
  const now = { wallMs: Date.now(), steadyMs: performance.now() }
  const jumpMs = now.wallMs - before.wallMs - (now.steadyMs - before.steadyMs)
  if (Math.abs(jumpMs) > clockToleranceMs) {
    const seconds = Math.round(jumpMs / 1_000)
    operatorIssues.raise('clock_jumped', {
      reason: `By ${Math.abs(seconds)} seconds ${seconds > 0 ? 'forward' : 'back'}.`,
    })
  }
  return now
}

async function compareClocks({ pool, clock, operatorIssues }: Service): Promise<void> {
  const queriedMs = clock.now()
  const theirsMs = Date.parse(await readDatabaseClock(pool))
  const aheadMs = (queriedMs + clock.now()) / 2 - theirsMs
  if (Math.abs(aheadMs) <= clockToleranceMs) return operatorIssues.end('clock_differs')
  const seconds = Math.round(aheadMs / 1_000)
  operatorIssues.raise('clock_differs', {
    reason: `This machine is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'} the database.`,
  })
}
