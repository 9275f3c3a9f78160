/**
 * Keeps the reference data of a process up to date. It loads what this version ships into the database in the
 * background, and puts what was imported, by this process or another one, over the tables in memory.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { applyOverlay } from '../../../reference/overlay.ts'
import { readNewestEdition } from '../../../store/knowing/reference-editions.ts'
import { readImportedReference } from '../../../store/read/imported-reference.ts'
import type { Service } from '../../service.ts'
import { loadShippedReference } from './load-shipped.ts'

export interface ReferenceKeeper {
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

export function keepReference(service: Service): ReferenceKeeper {
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
    const take = async (): Promise<void> => {
      seen = await takeImports(service, seen)
    }
    await done(take)
    await rest(firstLoadAfterMs)
    while (!signal.aborted && !(await done(() => load(service, signal)))) await rest(retryMs)
    while (!signal.aborted) {
      await done(take)
      await rest(pollMs)
    }
  }

  /** Returns false when the work failed. The caller tries again later. */
  async function done(work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (!signal.aborted) service.metrics.jobFailed({ job: 'reference', error })
      return false
    }
  }

  async function rest(ms: number): Promise<void> {
    await pause(ms, undefined, { signal }).catch(() => {})
  }
}

/** Reads what was imported when any edition was loaded after `seen`; returns the newest edition's number. */
export async function takeImports(service: Service, seen: number): Promise<number> {
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

async function load(service: Service, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now()
  const rows = await loadShippedReference(service, signal)
  if (rows > 0)
    service.log.info('reference.loaded', { rows, durationMs: Math.round(performance.now() - startedAt) })
}
