/** After a crash: the work that the dead process had leased is due again at once. */

import { inTransaction } from '../../db/database.ts'
import { releaseLeases } from '../../db/leases.ts'
import { deleteAllWorkers, deleteWorker, lockDeadWorker, type Worker } from '../../db/workers.ts'
import { realNow, type Service } from '../../modules/service.ts'

/**
 * Only for a process that is alone on its database, before its workers start: then every lease belongs to a dead
 * process.
 */
export async function releaseAllLeases(service: Service): Promise<void> {
  const released = await inTransaction(service.pool, async (db) => {
    await deleteAllWorkers(db)
    return releaseLeases(db, { holders: 'all', now: realNow(service) })
  })
  if (released > 0) service.log.info('leases.released', { released })
}

/** `gone`: its session has ended. `silent`: it no longer shows that it lives. */
export type WhyDead = 'gone' | 'silent'

/**
 * Ends the sessions of a process that others believe dead, and releases its leases. One of the living processes does
 * it.
 */
export async function releaseDeadWorker(service: Service, dead: Worker, why: WhyDead): Promise<void> {
  const reclaimed = await inTransaction(service.pool, async (db) => {
    const locked = await lockDeadWorker(db, dead.id)
    if (locked === null) return null
    const released = await releaseLeases(db, { holders: [dead.id], now: realNow(service) })
    await deleteWorker(db, dead.id)
    return { ...locked, released }
  })
  if (reclaimed === null) return
  const { id, host, pid, role } = dead
  service.metrics.workerTakenOver({ why, worker: id, host, pid, role, ...reclaimed })
}
