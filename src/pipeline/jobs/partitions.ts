/**
 * Maintains the partitions of a table that is partitioned by time: creates them in advance and drops those that are too
 * old. Any number of processes may do it at once.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { type Db, inTransaction } from '../../db/database.ts'
import {
  createPartition,
  dropPartition,
  findEndedPartitions,
  findMissingPartitions,
  type Partition,
  type PartitionedTable,
  partitionOldRows,
} from '../../db/time-partitions.ts'
import type { Service } from '../../modules/service.ts'
import { isErrorCode } from '../../platform/error-code.ts'

type Needs = Pick<Service, 'pool'>

/**
 * Creates the partitions of these days, and of rows from `from` on that have none. Rows from before there were
 * partitions become one of them first. Returns how many steps were done.
 */
export async function makePartitions(
  service: Needs,
  of: {
    readonly table: PartitionedTable
    readonly days: readonly string[]
    readonly from: string
    readonly now: string
  },
): Promise<number> {
  let done = 0
  const cut = () => runExclusively(service, (db) => partitionOldRows(db, of.table, of.now))
  for (let step = await cut(); step !== null && step !== 'unbounded'; step = await cut()) done += 1
  const missing = await findMissingPartitions(service.pool, of)
  for (const day of missing) if (await ensurePartition(service, of.table, day)) done += 1
  return done
}

/** Creates the partition that has this day, unless it exists. Returns false when the table is in use for long. */
export async function ensurePartition(service: Needs, table: PartitionedTable, day: string): Promise<boolean> {
  const made = await runExclusively(service, async (db) => {
    await createPartition(db, table, day)
    return true
  })
  return made === true
}

/**
 * Drops the partitions that ended by then, the oldest first, until one may not be dropped or is in use for long.
 * Returns those that it dropped.
 */
export async function dropPartitions(
  service: Needs,
  of: {
    readonly table: PartitionedTable
    readonly before: string
    /** Called in the transaction that drops the partition. */
    readonly mayDrop?: (db: Db, partition: Partition) => Promise<boolean>
  },
): Promise<readonly Partition[]> {
  const dropped: Partition[] = []
  for (const partition of await findEndedPartitions(service.pool, of)) {
    const isDropped = await runExclusively(service, async (db) =>
      (await of.mayDrop?.(db, partition)) === false ? null : dropPartition(db, of.table, partition.name),
    )
    if (isDropped === null) break
    if (isDropped) dropped.push(partition)
  }
  return dropped
}

const triesMax = 8
const betweenMs = 1_000

/**
 * Takes the lock of a complete table in a moment in which nobody holds it. Whoever wants the table meanwhile waits no
 * longer than each try (300 ms). Null: somebody uses it for long, as a backup does; it is to be done another time.
 */
async function runExclusively<T>(service: Needs, work: (db: Db) => Promise<T>): Promise<T | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(service.pool, work)
    } catch (error) {
      const isInUse = isErrorCode(error, '55P03') || isErrorCode(error, '40P01')
      if (!isInUse) throw error
      if (tries === triesMax) return null
    }
    await pause(betweenMs * (0.5 + Math.random()))
  }
}
