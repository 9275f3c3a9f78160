/**
 * Tends the log of looks: makes its days ahead, and lets those go whose time is over, after what `as_of` asks for is kept of
 * them. Any number of processes may do it at once; killed at any point it goes on where it was.
 */

import { addDays, addMs } from '../../../core/time.ts'
import { isErrorCode } from '../../../platform/error-code.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import {
  closeLookPart,
  dropLookPart,
  foldLookPart,
  foldStrayLooks,
  holdLookParts,
  makeLookDay,
  missingLookDays,
  oldestLookPart,
} from '../../../store/look-parts.ts'
import { realNow, type Service } from '../../service.ts'

/** Longer than any cause why nobody makes days for a while; what comes without a day is kept all the same. */
const daysAhead = 3
/** Whoever has read what is kept of a day before it was folded has long read the day itself. */
const restMs = 600_000
const lockNotAvailable = '55P03'

/** One piece; returns 0 when there is nothing left to do, or when a lock that it needs is held for long. */
export async function tidyLooks(service: Service, { rowsMax = 20_000 } = {}): Promise<number> {
  try {
    return await inTransaction(service.pool, async (db) => {
      if (!(await holdLookParts(db))) return 0
      return (await makeDays(service, db)) + (await letGo(service, db, rowsMax))
    })
  } catch (error) {
    if (!isErrorCode(error, lockNotAvailable)) throw error
    return 0
  }
}

async function makeDays(service: Service, db: Db): Promise<number> {
  const now = realNow(service)
  const days = Array.from({ length: daysAhead + 1 }, (_, ahead) => addDays(now, ahead).slice(0, 10))
  const missing = await missingLookDays(db, { days, from: floorOf(service) })
  for (const day of missing) await makeLookDay(db, day)
  return missing.length
}

/** Midnight (UTC): looks that ended before are old enough. */
function floorOf(service: Service): string {
  return `${addDays(realNow(service), -service.config.tracking.looksKeptDays).slice(0, 10)}T00:00:00.000Z`
}

async function letGo(service: Service, db: Db, rowsMax: number): Promise<number> {
  const [now, before] = [realNow(service), floorOf(service)]
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
