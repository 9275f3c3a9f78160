/**
 * The partitions of tables that are partitioned by time, a day or a month each (UTC, migration 0113). They are created
 * ahead, and dropped with all their rows. A row without its partition is in the default partition, and moves when the
 * partition is created.
 */

import type { Db } from './database.ts'

export type PartitionedTable = 'day_looks' | 'vessel_positions' | 'webhook_notifications' | 'webhook_notification_logs'

/**
 * The first days of the partitions that these days (2026-11-23) lack, and of those that rows from `from` on lack
 * because they came before the partition was created.
 */
export async function findMissingPartitions(
  db: Db,
  of: { readonly table: PartitionedTable; readonly days: readonly string[]; readonly from: string },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ day: string }>({
    name: 'time_parts_missing',
    text: `select day from missing_time_parts($1, $2::date[], $3) as day`,
    values: [of.table, of.days, of.from],
  })
  return rows.map(({ day }) => day)
}

/**
 * Creates the partition of this day, unless it exists. Fails with 55P03 when the table is in use, so that others do not
 * wait behind it.
 */
export async function createPartition(db: Db, table: PartitionedTable, day: string): Promise<void> {
  await db.query({
    name: 'time_part_make',
    text: `select make_time_part($1, $2::date)`,
    values: [table, day],
  })
}

export interface Partition {
  readonly name: string
  readonly endsAt: string
}

/** The partitions that ended by then and may have rows, the oldest first. */
export async function findEndedPartitions(
  db: Db,
  { table, before }: { readonly table: PartitionedTable; readonly before: string },
): Promise<readonly Partition[]> {
  const { rows } = await db.query<Partition>({
    name: 'time_parts_ended',
    // The partition before all others is created again, empty, when it is dropped.
    text: `select name, ends_at as "endsAt" from time_parts($1)
            where ends_at <= $2 and (starts_at > '-infinity' or pg_relation_size(format('public.%I', name)::regclass) > 0)
            order by ends_at`,
    values: [table, before],
  })
  return rows
}

/**
 * The beginning of the oldest partition. Older rows are in a partition from before the table was partitioned, or in
 * none. Null: no partitions.
 */
export async function findPartitionsStart(db: Db, table: PartitionedTable): Promise<string | null> {
  const { rows } = await db.query<{ start: string | null }>({
    name: 'time_parts_start',
    text: `select min(starts_at) as start from time_parts($1) where starts_at > '-infinity'`,
    values: [table],
  })
  return rows[0]?.start ?? null
}

/**
 * Returns false when another process has dropped it. Fails with 55P03 when the table is in use, so that others do not wait
 * behind it.
 */
export async function dropPartition(db: Db, table: PartitionedTable, partition: string): Promise<boolean> {
  const { rows } = await db.query<{ isDropped: boolean }>({
    name: 'time_part_drop',
    text: `select drop_time_part($1, $2) as "isDropped"`,
    values: [table, partition],
  })
  return rows[0]?.isDropped === true
}

/**
 * One step of making a partition of the rows from before the table was partitioned. Returns what was done; null when
 * nothing is left. One of the steps reads the whole table, without a lock that others wait for.
 */
export async function partitionOldRows(db: Db, table: PartitionedTable, now: string): Promise<string | null> {
  await db.query({ text: 'set local statement_timeout = 0' })
  const { rows } = await db.query<{ done: string | null }>({
    name: 'time_parts_cut',
    text: `select cut_time_parts($1, $2) as done`,
    values: [table, now],
  })
  return rows[0]?.done ?? null
}
