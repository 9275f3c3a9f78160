/**
 * The background work on ships' positions: listens to every world that has a feed, and deletes positions that are too
 * old.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { foldBy } from '../../ledger/fold.ts'
import { readRules } from '../../ledger/rules.ts'
import type { Service } from '../../service.ts'
import { openAisCounts } from './ais-counts.ts'
import { listenToWorld } from './listen.ts'
import { prunePositions } from './prune-positions.ts'
import type { World } from './worlds.ts'

const pruneEveryMs = 3_600_000

/** Resolves when the signal has aborted and everything is written and released. */
export async function followPositions(
  service: Service,
  worlds: readonly World[],
  signal: AbortSignal,
): Promise<void> {
  const counts = openAisCounts(service.metrics)
  const fold = foldBy(readRules(service.config))
  const listening = worlds.map((world) => listenToWorld(service, world, { fold, counts, signal }))
  await Promise.all([...listening, prune(service, signal)])
}

async function prune(service: Service, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await prunePositions(service).catch((error: unknown) => {
      service.metrics.jobFailed({ job: 'positions', error })
    })
    await pause(pruneEveryMs, undefined, { signal }).catch(() => {})
  }
}
