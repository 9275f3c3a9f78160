/** Deletes what deliveries leave when its retention time is over: attempts, sent bytes, and expired secrets. */

import { deleteAttempts, deleteEndedSecrets, dropBodies } from '../../../store/telling/webhook-history.ts'
import type { Service } from '../../service.ts'

const dayMs = 86_400_000
const batchMax = 5_000

/** Handles one batch; returns how many rows changed. Any number of processes may do it at once. */
export async function cleanUp(service: Service): Promise<number> {
  const nowMs = service.clock.now()
  const before = new Date(nowMs - service.config.network.attemptsKeptDays * dayMs).toISOString()
  const attempts = await deleteAttempts(service.pool, { before, limit: batchMax })
  const bodies = await dropBodies(service.pool, { before, limit: batchMax })
  const secrets = await deleteEndedSecrets(service.pool, new Date(nowMs).toISOString())
  return attempts + bodies + secrets
}
