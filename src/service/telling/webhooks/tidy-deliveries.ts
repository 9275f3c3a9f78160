/**
 * Keeps the partitions of notifications (months) and of attempts (days): makes them in advance, drops those that are too
 * old, and raises the floor from which the queue is read. Any number of processes may run it at once.
 */

import { addDays } from '../../../core/values/time.ts'
import { inTransaction } from '../../../store/database.ts'
import type { Part, PartedTable } from '../../../store/ground/time-parts.ts'
import {
  holdDeliveryFloor,
  noteGoneBefore,
  readDeliveryFloor,
  setDeliveryFloor,
} from '../../../store/telling/delivery-floor.ts'
import { dropParts, makeParts } from '../../ground/keep-parts.ts'
import { realNow, type Service } from '../../service.ts'

/** Longer than any time in which nobody makes partitions. Rows without a partition of their time are kept all the same. */
const ahead = { webhook_notification_logs: [0, 1, 2, 3], webhook_notifications: [0, 32] } as const

/** Returns how many partitions were made, cut off or dropped. */
export async function tidyDeliveries(service: Service): Promise<number> {
  const now = realNow(service)
  // A day: longer than any transaction that makes notifications.
  await inTransaction(service.pool, (db) => setDeliveryFloor(db, addDays(now, -1)))
  return (
    (await make(service, 'webhook_notification_logs', now)) +
    (await make(service, 'webhook_notifications', now)) +
    (await dropOldAttempts(service, now)) +
    (await dropOldNotifications(service, now))
  )
}

function make(service: Service, table: keyof typeof ahead, now: string): Promise<number> {
  const days = ahead[table].map((each) => addDays(now, each).slice(0, 10))
  return makeParts(service, { table, days, from: oldestOf(service, table, now), now })
}

/** Rows from before it are not given a partition any more. */
function oldestOf({ config }: Service, table: keyof typeof ahead, now: string): string {
  const days =
    table === 'webhook_notifications' ? notificationsKeptDays(config) : config.network.attemptsKeptDays
  return days === 0 ? '2000-01-01T00:00:00.000Z' : addDays(now, -days)
}

/** No longer than events are: what was notified could not be shown. 0: for ever. */
function notificationsKeptDays({ network }: Service['config']): number {
  const { notificationsKeptDays: own, eventsKeptDays: events } = network
  return own === 0 || events === 0 ? Math.max(own, events) : Math.min(own, events)
}

async function dropOldAttempts(service: Service, now: string): Promise<number> {
  const table = 'webhook_notification_logs'
  const before = addDays(now, -service.config.network.attemptsKeptDays)
  return report(service, table, await dropParts(service, { table, before }))
}

/** A month in which a notification is pending stays. */
async function dropOldNotifications(service: Service, now: string): Promise<number> {
  const days = notificationsKeptDays(service.config)
  if (days === 0) return 0
  const table = 'webhook_notifications'
  const dropped = await dropParts(service, {
    table,
    before: addDays(now, -days),
    mayDrop: async (db, { endsAt }) => {
      if (!(await holdDeliveryFloor(db)) || (await readDeliveryFloor(db)) < endsAt) return false
      await noteGoneBefore(db, endsAt)
      return true
    },
  })
  return report(service, table, dropped)
}

function report(service: Service, table: PartedTable, parts: readonly Part[]): number {
  for (const { name } of parts) service.log.info('part.dropped', { table, part: name })
  return parts.length
}
