/**
 * Keeps a process's reference data up to date: loads what this version ships into the database behind the requests, and
 * lays over the tables in memory what was imported, by this process or by another one.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { applyOverlay } from '../../../reference/overlay.ts'
import { readImportedReference } from '../../../store/read/imported-reference.ts'
import { readNewestEdition } from '../../../store/reference-editions.ts'
import type { Service } from '../../service.ts'
import { loadShippedReference } from './load-shipped.ts'

export interface ReferenceKeeper {
  readonly stop: () => Promise<void>
}

/** An import is seen by every process within this time. */
const pollMs = 30_000
/** What is imported matters to the first request; what is shipped is in memory already. */
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

  /** False when it failed: it is done again later. */
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

/** Takes what was imported when anything was loaded since `seen`; returns the newest edition's number. */
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
