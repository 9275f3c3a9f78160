/**
 * Maintains the log of looks: makes its partitions, one for each day, in advance, and drops those that are too old,
 * after what `as_of` needs of them is kept elsewhere. Any number of processes may run it at once. If one is killed at
 * any point, the next one continues from there.
 */

import { addDays, addMs } from '../../../core/values/time.ts'
import { isErrorCode } from '../../../platform/error-code.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import { missingParts } from '../../../store/ground/time-parts.ts'
import {
  closeLookPart,
  dropLookPart,
  foldLookPart,
  foldStrayLooks,
  holdLookParts,
  makeLookDay,
  oldestLookPart,
} from '../../../store/looks/look-parts.ts'
import { realNow, type Service } from '../../service.ts'

/**
 * Longer than any time in which nobody makes partitions. Looks without a partition of their day are kept all the same.
 */
const daysAhead = 3
/**
 * A partition is dropped this long after it was folded. A reader that saw what is kept before the fold, and then needs
 * the looks of the day themselves, has read them by then.
 */
const restMs = 600_000
const lockNotAvailable = '55P03'

/**
 * Does one piece of the work. Returns 0 when nothing is left to do, or when a lock that it needs is not free for long.
 */
export async function tidyLooks(service: Service, { rowsMax = 20_000 } = {}): Promise<number> {
  try {
    return await inTransaction(service.pool, async (db) => {
      if (!(await holdLookParts(db))) return 0
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
  const missing = await missingParts(db, { table: 'day_looks', days, from: oldestKeptOf(service) })
  for (const day of missing) await makeLookDay(db, day)
  return missing.length
}

/** A midnight in UTC. Looks that ended before it are old enough to be dropped. */
function oldestKeptOf(service: Service): string {
  return `${addDays(realNow(service), -service.config.tracking.looksKeptDays).slice(0, 10)}T00:00:00.000Z`
}

async function dropOldDay(service: Service, db: Db, rowsMax: number): Promise<number> {
  const [now, before] = [realNow(service), oldestKeptOf(service)]
  const strays = await foldStrayLooks(db, { before, limit: rowsMax })
  const oldest = await oldestLookPart(db, before)
  if (oldest === null) return strays
  const { part, foldedAt } = oldest
  if (foldedAt === null) {
    await closeLookPart(db, part)
    await foldLookPart(db, oldest, { rowsMax, now })
    return strays + 1
  }
  if (now < addMs(foldedAt, restMs)) return strays
  await dropLookPart(db, { part, now })
  service.log.info('looks.pruned', { part })
  return strays + 1
}
