/**
 * Removes what deliveries leave when its retention time is over, and maintains the partitions of notifications (months)
 * and of attempts (days): creates them in advance, drops those that are too old, and raises the floor from which the queue
 * is read. Any number of processes may run it at once.
 */

import { inTransaction } from '../../db/database.ts'
import { findPartitionsStart, type Partition, type PartitionedTable } from '../../db/time-partitions.ts'
import { addDays } from '../../domain/values/time.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { dropPartitions, makePartitions } from '../jobs/partitions.ts'
import { deleteAttempts, deleteEndedSecrets, dropNotificationBodies } from './delete-attempts-sql.ts'
import { holdDeliveryFloor, readDeliveryFloor, recordDroppedBefore, setDeliveryFloor } from './delivery-floor-sql.ts'
import { deletePayloads } from './payloads-sql.ts'

/**
 * In days: longer than any time in which nobody creates partitions. Rows without a partition of their time are stored all
 * the same. One of 28 and 32 days after any day is in the next month.
 */
const ahead = { webhook_notification_logs: [0, 1, 2, 3], webhook_notifications: [0, 28, 32] } as const

/** Returns how many partitions were made, cut off or dropped. */
export async function pruneDeliveries(service: Service): Promise<number> {
  const now = realNow(service)
  // A day: longer than any transaction that makes notifications.
  await inTransaction(service.pool, (db) => setDeliveryFloor(db, addDays(now, -1)))
  return (
    (await ensurePartitions(service, 'webhook_notification_logs', now)) +
    (await ensurePartitions(service, 'webhook_notifications', now)) +
    (await dropOldAttempts(service, now)) +
    (await dropOldNotifications(service, now))
  )
}

function ensurePartitions(service: Service, table: keyof typeof ahead, now: string): Promise<number> {
  const days = ahead[table].map((each) => addDays(now, each).slice(0, 10))
  return makePartitions(service, { table, days, from: retentionStart(service, table, now), now })
}

/** Rows from before it are not given a partition any more. */
function retentionStart({ config }: Service, table: keyof typeof ahead, now: string): string {
  const days = config.network[table === 'webhook_notifications' ? 'notificationsKeptDays' : 'attemptsKeptDays']
  return days === 0 ? '2000-01-01T00:00:00.000Z' : addDays(now, -days)
}

async function dropOldAttempts(service: Service, now: string): Promise<number> {
  const table = 'webhook_notification_logs'
  const before = addDays(now, -service.config.network.attemptsKeptDays)
  return reportDropped(service, table, await dropPartitions(service, { table, before }))
}

/** A month in which a notification is pending stays. */
async function dropOldNotifications(service: Service, now: string): Promise<number> {
  const { notificationsKeptDays: days } = service.config.network
  if (days === 0) return 0
  const table = 'webhook_notifications'
  const dropped = await dropPartitions(service, {
    table,
    before: addDays(now, -days),
    mayDrop: async (db, { endsAt }) => {
      if (!(await holdDeliveryFloor(db)) || (await readDeliveryFloor(db)) < endsAt) return false
      await recordDroppedBefore(db, endsAt)
      return true
    },
  })
  return reportDropped(service, table, dropped)
}

function reportDropped(service: Service, table: PartitionedTable, partitions: readonly Partition[]): number {
  for (const { name } of partitions) service.log.info('part.dropped', { table, part: name })
  return partitions.length
}

const dayMs = 86_400_000
const batchMax = 5_000

/**
 * Deletes sent bytes, expired secrets, and attempts outside of daily partitions. Handles one batch; returns how many rows
 * changed.
 */
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
