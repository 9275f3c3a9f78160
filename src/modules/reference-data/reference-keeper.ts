/**
 * Keeps the reference data of a process up to date. It loads what this version ships into the database in the
 * background, and puts what was imported, by this process or another one, over the tables in memory.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { applyOverlay } from '../../reference/overlay.ts'
import type { Service } from '../service.ts'
import { readImportedReference } from './imported-reference-sql.ts'
import { loadShippedReference } from './load-shipped.ts'
import { readNewestEdition } from './reference-editions-sql.ts'

export interface ReferenceRefresher {
  readonly stop: () => Promise<void>
}

/** An import is seen by every process within this time. */
const pollMs = 30_000
/**
 * The first load waits, because what is shipped is in memory already. Imports do not wait, because the first request
 * may need them.
 */
const firstLoadAfterMs = 3_000
const retryMs = 5_000

export function startReferenceRefresher(service: Service): ReferenceRefresher {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }

  async function run(): Promise<void> {
    let seen = 0
    const refresh = async (): Promise<void> => {
      seen = await loadImports(service, seen)
    }
    await runSafely(refresh)
    await waitFor(firstLoadAfterMs)
    while (!signal.aborted && !(await runSafely(() => loadAndLogShipped(service, signal)))) await waitFor(retryMs)
    while (!signal.aborted) {
      await runSafely(refresh)
      await waitFor(pollMs)
    }
  }

  /** Returns false when the work failed. The caller tries again later. */
  async function runSafely(work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (!signal.aborted) service.metrics.jobFailed({ job: 'reference', error })
      return false
    }
  }

  async function waitFor(ms: number): Promise<void> {
    await pause(ms, undefined, { signal }).catch(() => {})
  }
}

/** Reads what was imported when any edition was loaded after `seen`; returns the newest edition's number. */
export async function loadImports(service: Service, seen: number): Promise<number> {
  const newest = await readNewestEdition(service.pool)
  if (newest === seen) return seen
  const imported = await readImportedReference(service.pool)
  applyOverlay(imported)
  const [places, terminals, vessels] = [imported.places, imported.terminals, imported.vessels].map(
    (rows) => rows.length,
  )
  service.log.info('reference.imports_taken', { places, terminals, vessels })
  return newest
}

async function loadAndLogShipped(service: Service, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now()
  const rows = await loadShippedReference(service, signal)
  if (rows > 0) service.log.info('reference.loaded', { rows, durationMs: Math.round(performance.now() - startedAt) })
}
