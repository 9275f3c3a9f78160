/** Drops months of positions that are too old, by the clock of the environment that is furthest behind. */

import type { Service } from '../../modules/service.ts'
import { dropPartitions } from '../jobs/partitions.ts'
import { dropStrayFixes } from './fixes-sql.ts'

const dayMs = 86_400_000

/** Returns how many months were dropped. Any number of processes may do it at once. */
export async function prunePositions(service: Service): Promise<number> {
  const now = Math.min(service.journeyClock(false).now(), service.journeyClock(true).now())
  const before = new Date(now - service.config.positions.keptDays * dayMs).toISOString()
  const dropped = await dropPartitions(service, { table: 'vessel_positions', before })
  await dropStrayFixes(service.pool, before)
  if (dropped.length > 0)
    service.log.info('positions.pruned', { months: dropped.map(({ name }) => monthOfPartition(name)) })
  return dropped.length
}

/** `vessel_positions_202601` → `2026-01`. */
function monthOfPartition(name: string): string {
  return name.replace(/^.*_(\d{4})(\d{2})$/, '$1-$2')
}
