/**
 * Deletes what deliveries leave when its retention time is over: sent bytes, expired secrets, and attempts outside of
 * daily partitions.
 */

import { findPartitionsStart } from '../../db/time-partitions.ts'
import type { Service } from '../../modules/service.ts'
import { deleteAttempts, deleteEndedSecrets, dropNotificationBodies } from './delete-attempts-sql.ts'
import { deletePayloads } from './payloads-sql.ts'

const dayMs = 86_400_000
const batchMax = 5_000

/** Handles one batch; returns how many rows changed. Any number of processes may do it at once. */
export async function cleanUp(service: Service): Promise<number> {
  const nowMs = service.clock.now()
  const before = new Date(nowMs - service.config.network.attemptsKeptDays * dayMs).toISOString()
  // Attempts in the partition of a day are dropped with it (`prune-deliveries.ts`).
  const start = await findPartitionsStart(service.pool, 'webhook_notification_logs')
  const strays = start !== null && start < before ? start : before
  const attempts = await deleteAttempts(service.pool, { before: strays, limit: batchMax })
  const bodies = await dropNotificationBodies(service.pool, { before, limit: batchMax })
  const payloads = await deletePayloads(service.pool, { before, limit: batchMax })
  const secrets = await deleteEndedSecrets(service.pool, new Date(nowMs).toISOString())
  return attempts + bodies + payloads + secrets
}
