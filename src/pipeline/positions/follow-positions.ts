/**
 * The background work on ships' positions: listens to every environment that has a feed, and deletes positions that are
 * too old.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { Service } from '../../modules/service.ts'
import { foldBy } from '../ledger/fold.ts'
import { readRules } from '../ledger/rules.ts'
import { openAisCounts } from './ais-counts.ts'
import type { FeedEnvironment } from './feed-environments.ts'
import { listenToFeeds } from './listen-to-feeds.ts'
import { prunePositions } from './prune-positions.ts'

const pruneEveryMs = 3_600_000

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
