/**
 * Whether the database can store anything just now. Writes a small table that nobody else sees and that is gone at
 * once.
 */

import { isErrorCode } from '../platform/error-code.ts'
import { inTransaction, type Pool } from './database.ts'

/**
 * Throws the error of the database: 53100 on a full disk, 25006 where it is read only. 300 KB need new pages, while an
 * update of an existing row might not. A temporary table is in no write-ahead log, so it does not make a full disk
 * worse.
 */
export async function probeDiskSpace(pool: Pool): Promise<void> {
  try {
    await inTransaction(pool, (db) =>
      db.query({
        text: `create temporary table room_probe on commit drop as
               select repeat('x', 900) as filler from generate_series(1, 330)`,
      }),
    )
  } catch (error) {
    // A role may lack the right to make temporary tables. Then its other statements show whether the disk is full.
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

/** Whether the last attempt of PostgreSQL to copy a segment of its log to the archive failed. */
export async function isArchivingFailing(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ readonly fails: boolean }>({
    name: 'archiving_state',
    text: `select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as fails
             from pg_stat_archiver`,
  })
  return rows[0]?.fails === true
}
