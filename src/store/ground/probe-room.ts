/** Whether the database can store anything just now: a small table is written where nothing else looks, and is gone at once. */

import { isErrorCode } from '../../platform/error-code.ts'
import { inTransaction, type Pool } from '../database.ts'

/**
 * Throws what the database says: 53100 on a full disk, 25006 where it is read only. 300 KB need new pages, which an update
 * of a row that is there might not; they are in no write-ahead log, so a disk without room for it is not made worse.
 */
export async function probeRoom(pool: Pool): Promise<void> {
  try {
    await inTransaction(pool, (db) =>
      db.query({
        text: `create temporary table room_probe on commit drop as
               select repeat('x', 900) as filler from generate_series(1, 330)`,
      }),
    )
  } catch (error) {
    // A role may be kept from making temporary tables; what it does otherwise will say how the disk is.
    if (!isErrorCode(error, '42501')) throw error
  }
}

/** ISO 8601 UTC, by the clock of the database server. */
export async function readDatabaseClock(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ readonly now: string }>({
    name: 'database_clock',
    text: `select clock_timestamp() as now`,
  })
  return rows[0]?.now ?? ''
}
