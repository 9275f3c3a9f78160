/**
 * The floor of the queue of deliveries: no notification that was made before it is pending. Notifications are stored
 * for years, a month in each partition (migration 0114), and without the floor a search for work would read all
 * partitions.
 */

import type { Db } from '../../db/database.ts'

/** Any number that no other advisory lock uses. */
const floorLock = 7_116_100_114
const forEver = '2000-01-01T00:00:00.000Z'

/**
 * SQL: the floor at the time of the statement. A statement that had to wait for others sees the floor as it is then.
 */
export const queueFloor = '(select oldest_at from delivery_floor)'

/** In a transaction it must be a statement of its own, after those that waited for others. */
export async function readDeliveryFloor(db: Db): Promise<string> {
  const { rows } = await db.query<{ floor: string }>({
    name: 'delivery_floor_read',
    text: `select oldest_at as floor from delivery_floor`,
  })
  return rows[0]?.floor ?? forEver
}

/** Called before notifications become pending again: the floor is not raised until the transaction has ended. */
export async function lockDeliveryFloorShared(db: Db): Promise<void> {
  await db.query({
    name: 'delivery_floor_keep',
    text: `select pg_advisory_xact_lock_shared($1)`,
    values: [floorLock],
  })
}

/** For notifications that became pending again, the oldest of which was made then. */
export async function lowerDeliveryFloor(db: Db, from: string): Promise<void> {
  await db.query({
    name: 'delivery_floor_lower',
    text: `update delivery_floor set oldest_at = $1 where oldest_at > $1`,
    values: [from],
  })
}

/** From now on, until the transaction ends, nothing is made pending again. Returns false when that is under way. */
export async function holdDeliveryFloor(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ isHeld: boolean }>({
    name: 'delivery_floor_take',
    text: `select pg_try_advisory_xact_lock($1) as "isHeld"`,
    values: [floorLock],
  })
  return rows[0]?.isHeld === true
}

/**
 * Sets the floor to the oldest notification that is pending, or to `to` if that is earlier. Nothing changes while one
 * is made pending again. It is also lowered, because a program from before this table makes old ones pending without
 * notice.
 */
export async function setDeliveryFloor(db: Db, to: string): Promise<void> {
  if (!(await holdDeliveryFloor(db))) return
  await db.query({
    name: 'delivery_floor_set',
    // A pending one is due, leased or waits for its first attempt: each half is answered from a partial index.
    text: `update delivery_floor f set oldest_at = o.at
             from (select least($1::timestamptz,
                                (select min(created_at) from webhook_notifications
                                  where delivery_status = 'pending' and next_attempt_at is not null),
                                (select min(created_at) from webhook_notifications
                                  where delivery_status = 'pending' and attempts = 0)) as at) o
            where f.oldest_at <> o.at`,
    values: [to],
  })
}

/** Notifications from before this time were dropped; null when none were. */
export async function readDroppedBefore(db: Db): Promise<string | null> {
  const { rows } = await db.query<{ droppedBefore: string | null }>({
    name: 'deliveries_gone_read',
    text: `select gone_before as "droppedBefore" from delivery_floor`,
  })
  return rows[0]?.droppedBefore ?? null
}

export async function recordDroppedBefore(db: Db, before: string): Promise<void> {
  await db.query({
    name: 'deliveries_gone_note',
    text: `update delivery_floor set gone_before = greatest(gone_before, $1)`,
    values: [before],
  })
}
