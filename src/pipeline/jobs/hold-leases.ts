/**
 * Shows that this process lives, and watches the others: when it finds a dead one, it releases the leases of that
 * process. Decision 0038 explains why a lock and a heartbeat are used.
 */

import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { openSingleConnection, type Pool } from '../../db/database.ts'
import { deleteWorker, listWorkers, reclaimWorker, recordHeartbeat, registerWorker } from '../../db/workers.ts'
import type { Service } from '../../modules/service.ts'
import { programVersion } from '../../platform/program-version.ts'
import { holderNumber } from './holder.ts'
import { releaseDeadWorker } from './release-leases.ts'
import { openWorkerWatch } from './watch-workers.ts'

const checkEveryMs = 1_000
const beatEveryMs = 5_000

/**
 * Resolves when this process has a number. Holds it until `stop`, which must come after the workers have stopped. A
 * session that breaks is replaced; a process that others declared dead meanwhile gets another number.
 */
export async function keepWorkerRegistered(service: Service): Promise<{ readonly stop: () => Promise<void> }> {
  const stopping = new AbortController()
  const first = await openSession(service)
  const running = keepRegistered(service, first, stopping.signal)
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

async function keepRegistered(service: Service, first: Pool, signal: AbortSignal): Promise<void> {
  let session: Pool | null = first
  while (!signal.aborted) {
    try {
      session ??= await openSession(service)
      await watchWorkers(service, session, signal)
    } catch (error) {
      if (!signal.aborted) service.log.warn('database.unreachable', { error })
    }
    if (signal.aborted) break
    await endQuietly(session)
    session = null
    await pause(checkEveryMs / 2, undefined, { signal }).catch(() => {})
  }
  // Without the row nobody searches for leases of this process; it has none, because its workers have stopped.
  if (session !== null) await deleteWorker(session, holderNumber(service)).catch(() => {})
  await endQuietly(session)
}

/** Throws when the database does not answer. */
async function openSession(service: Service): Promise<Pool> {
  const session = openSingleConnection(service.pool)
  try {
    const before = holderNumber(service)
    if (before === 0 || !(await reclaimWorker(session, before))) {
      const { sessions } = service.holder
      const { role } = service.config.server
      const of = { sessions, host: hostname(), pid: process.pid, role, version: programVersion }
      Atomics.store(service.holder.number, 0, await registerWorker(session, of))
    }
    return session
  } catch (error) {
    await endQuietly(session)
    throw error
  }
}

async function endQuietly(session: Pool | null): Promise<void> {
  await session?.end().catch(() => {})
}

/** Until the signal, or until others have declared this process dead. Throws when its session breaks. */
async function watchWorkers(service: Service, session: Pool, signal: AbortSignal): Promise<void> {
  const ownNumber = holderNumber(service)
  const watching = openWorkerWatch(ownNumber)
  let beatAt = performance.now() + beatEveryMs
  while (!signal.aborted) {
    if (performance.now() >= beatAt) {
      if (!(await recordHeartbeat(session, ownNumber))) return
      beatAt = performance.now() + beatEveryMs
    }
    const queriedMs = performance.now()
    const workers = await listWorkers(session)
    if (!workers.some(({ id, isConnected }) => id === ownNumber && isConnected)) return
    for (const { worker, why } of watching.check(workers, { queriedMs, nowMs: performance.now() }))
      await releaseDeadWorker(service, worker, why).catch((error: unknown) => {
        service.metrics.jobFailed({ job: 'take_over', worker: worker.id, error })
      })
    await pause(checkEveryMs, undefined, { signal }).catch(() => {})
  }
}
