/**
 * Maintains the log of polls: creates its partitions, one for each day, in advance, and drops those that are too old,
 * after what `as_of` needs of them is stored elsewhere. Any number of processes may run it at once. If one is killed at
 * any point, the next one continues from there.
 */

import { type Db, inTransaction } from '../../db/database.ts'
import { findMissingPartitions } from '../../db/time-partitions.ts'
import { addDays, addMs } from '../../domain/values/time.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { isErrorCode } from '../../platform/error-code.ts'
import {
  closePollPartition,
  createPollDay,
  dropPollPartition,
  findOldestPollPartition,
  foldPollPartition,
  foldStrayPolls,
  lockPollPartitions,
} from './poll-partitions-sql.ts'

/**
 * Longer than any time in which nobody creates partitions. Polls without a partition of their day are stored all the
 * same.
 */
const daysAhead = 3
/**
 * A partition is dropped this long after it was folded. Somebody who read the stored summary before the fold, and then
 * needs the polls of the day themselves, has read them by then.
 */
const dropDelayMs = 600_000
const lockNotAvailable = '55P03'

/**
 * Does one piece of the work. Returns 0 when nothing is left to do, or when a lock that it needs is not free for long.
 */
export async function prunePolls(service: Service, { rowsMax = 20_000 } = {}): Promise<number> {
  try {
    return await inTransaction(service.pool, async (db) => {
      if (!(await lockPollPartitions(db))) return 0
      return (await makeDays(service, db)) + (await dropOldDay(service, db, rowsMax))
    })
  } catch (error) {
    if (!isErrorCode(error, lockNotAvailable)) throw error
    return 0
  }
}

async function makeDays(service: Service, db: Db): Promise<number> {
  const now = realNow(service)
  const days = Array.from({ length: daysAhead + 1 }, (_, ahead) => addDays(now, ahead).slice(0, 10))
  const missing = await findMissingPartitions(db, {
    table: 'day_looks',
    days,
    from: retentionStartOf(service),
  })
  for (const day of missing) await createPollDay(db, day)
  return missing.length
}

/** A midnight in UTC. Polls that ended before it are old enough to be dropped. */
function retentionStartOf(service: Service): string {
  return `${addDays(realNow(service), -service.config.tracking.looksKeptDays).slice(0, 10)}T00:00:00.000Z`
}

async function dropOldDay(service: Service, db: Db, rowsMax: number): Promise<number> {
  const [now, before] = [realNow(service), retentionStartOf(service)]
  const strays = await foldStrayPolls(db, { before, limit: rowsMax })
  const oldest = await findOldestPollPartition(db, before)
  if (oldest === null) return strays
  const { part: partition, foldedAt } = oldest
  if (foldedAt === null) {
    await closePollPartition(db, partition)
    await foldPollPartition(db, oldest, { rowsMax, now })
    return strays + 1
  }
  if (now < addMs(foldedAt, dropDelayMs)) return strays
  await dropPollPartition(db, { part: partition, now })
  service.log.info('looks.pruned', { part: partition })
  return strays + 1
}
