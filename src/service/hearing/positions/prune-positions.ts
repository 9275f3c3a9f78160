/** Drops months of positions that are too old, by the clock of the world that is furthest behind. */

import { inTransaction } from '../../../store/database.ts'
import { dropMonthsBefore } from '../../../store/knowing/vessel-positions.ts'
import type { Service } from '../../service.ts'

const dayMs = 86_400_000

/** Returns how many months were dropped. Any number of processes may do it at once. */
export async function prunePositions(service: Service): Promise<number> {
  const now = Math.min(service.journeyClock(false).now(), service.journeyClock(true).now())
  const before = new Date(now - service.config.positions.keptDays * dayMs).toISOString()
  const dropped = await inTransaction(service.pool, (db) => dropMonthsBefore(db, before))
  if (dropped.length > 0) service.log.info('positions.pruned', { months: dropped })
  return dropped.length
}
