/** After a crash: the work that the dead process had taken is due again at once. */

import { inTransaction } from '../../../store/database.ts'
import { releaseLeases } from '../../../store/ground/leases.ts'
import { deleteAllWorkers, deleteWorker, lockDeadWorker, type Worker } from '../../../store/ground/workers.ts'
import { realNow, type Service } from '../../service.ts'

/**
 * Only for a process that is alone on its database, before its workers start: then every lease belongs to a dead
 * process.
 */
export async function releaseLeasesOfTheDead(service: Service): Promise<void> {
  const released = await inTransaction(service.pool, async (db) => {
    await deleteAllWorkers(db)
    return releaseLeases(db, { holders: 'all', now: realNow(service) })
  })
  if (released > 0) service.log.info('leases.released', { released })
}

/** `gone`: its session has ended. `silent`: it no longer shows that it lives. */
export type WhyDead = 'gone' | 'silent'

/** Ends the sessions of a process that others believe dead, and gives its leases back. One of the living does it. */
export async function takeOver(service: Service, dead: Worker, why: WhyDead): Promise<void> {
  const taken = await inTransaction(service.pool, async (db) => {
    const locked = await lockDeadWorker(db, dead.id)
    if (locked === null) return null
    const released = await releaseLeases(db, { holders: [dead.id], now: realNow(service) })
    await deleteWorker(db, dead.id)
    return { ...locked, released }
  })
  if (taken === null) return
  const { id, host, pid, role } = dead
  service.metrics.workerTakenOver({ why, worker: id, host, pid, role, ...taken })
}
