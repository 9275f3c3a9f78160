/**
 * The background work on ships' positions: listens to every environment that has a feed, and deletes positions that are
 * too old.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { Service } from '../../modules/service.ts'
import { dropPartitions } from '../jobs/partitions.ts'
import { foldBy } from '../ledger/fold.ts'
import { readRules } from '../ledger/rules.ts'
import { openAisCounts } from './ais-counts.ts'
import type { FeedEnvironment } from './feed-environments.ts'
import { dropStrayFixes } from './fixes-sql.ts'
import { listenToFeeds } from './listen-to-feeds.ts'

const pruneEveryMs = 3_600_000
const dayMs = 86_400_000

/** Resolves when the signal has aborted and everything is written and released. */
export async function followPositions(
  service: Service,
  environments: readonly FeedEnvironment[],
  signal: AbortSignal,
): Promise<void> {
  const counts = openAisCounts(service.metrics)
  const fold = foldBy(readRules(service.config))
  const listening = environments.map((environment) => listenToFeeds(service, environment, { fold, counts, signal }))
  await Promise.all([...listening, pruneRegularly(service, signal)])
}

async function pruneRegularly(service: Service, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await prunePositions(service).catch((error: unknown) => {
      service.metrics.jobFailed({ job: 'positions', error })
    })
    await pause(pruneEveryMs, undefined, { signal }).catch(() => {})
  }
}

/**
 * Drops months that are too old, by the clock of the environment that is furthest behind. Returns how many. Any number of
 * processes may do it at once.
 */
export async function prunePositions(service: Service): Promise<number> {
  const now = Math.min(service.journeyClock(false).now(), service.journeyClock(true).now())
  const before = new Date(now - service.config.positions.keptDays * dayMs).toISOString()
  const dropped = await dropPartitions(service, { table: 'vessel_positions', before })
  await dropStrayFixes(service.pool, before)
  if (dropped.length > 0)
    service.log.info('positions.pruned', { months: dropped.map(({ name }) => monthOfPartition(name)) })
  return dropped.length
}

/** `vessel_positions_202601` → `2026-01`. */
function monthOfPartition(name: string): string {
  return name.replace(/^.*_(\d{4})(\d{2})$/, '$1-$2')
}
