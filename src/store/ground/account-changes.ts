/** The counts of `change-marks.ts`: read at the primary, and compared at a replica. */

import { countChanges, everybody } from '../change-marks.ts'
import type { Db } from '../database.ts'

/** What an account's changes were counted as at one moment. */
export interface ChangeCounts {
  readonly accounts: readonly string[]
  readonly slots: readonly number[]
  readonly changes: readonly number[]
  /** Equal for equal counts. */
  readonly key: string
}

/** For what was changed where nothing was counted. */
export async function countForEverybody(db: Db): Promise<void> {
  await db.query({ text: countChanges([everybody]) })
}

/** Everything that committed before the call is in the counts. */
export async function readChangeCounts(db: Db, accountId: string): Promise<ChangeCounts> {
  const { rows } = await db.query<{ account: string; slot: number; changes: number }>({
    name: 'account_changes_read',
    // At most 16 rows, of two pages of the index. Both accounts are asked for by a parameter, for one plan.
    text: `select account_id as account, slot, changes from account_changes where account_id = any($1::uuid[])
            order by account_id, slot`,
    values: [[accountId, everybody]],
  })
  return {
    accounts: rows.map(({ account }) => account),
    slots: rows.map(({ slot }) => slot),
    changes: rows.map(({ changes }) => changes),
    key: rows
      .map(({ account, slot, changes }) => `${account === everybody ? '*' : ''}${slot}:${changes}`)
      .join(' '),
  }
}

/**
 * Whether this server has everything that was counted. A transaction adds to its row as the last thing before it
 * commits, and a replica shows whole transactions in the order of their commits; so the row says that the rest is there.
 */
export async function hasChanges(db: Db, counts: ChangeCounts): Promise<'yes' | 'no' | 'promoted'> {
  const { rows } = await db.query<{ isStandby: boolean; isMissing: boolean }>({
    name: 'account_changes_compare',
    text: `select pg_is_in_recovery() as "isStandby",
                  exists (select from unnest($1::uuid[], $2::smallint[], $3::bigint[]) as t (account_id, slot, changes)
                           where not exists (select from account_changes c
                                              where c.account_id = t.account_id and c.slot = t.slot
                                                and c.changes >= t.changes)) as "isMissing"`,
    values: [counts.accounts, counts.slots, counts.changes],
  })
  const [row] = rows
  if (row?.isStandby !== true) return 'promoted'
  return row.isMissing ? 'no' : 'yes'
}

export interface Standing {
  readonly isStandby: boolean
  /** Different for each server, and for the same server after it was started again. */
  readonly server: string
  /** Of the primary and all its replicas; null when the role may not read it. */
  readonly system: string | null
  readonly missing: readonly string[]
  /** Position in the write-ahead log, in bytes: replayed at a replica, written at the primary. */
  readonly position: bigint
}

/** `migrations`: those that the program needs. */
export async function readStanding(db: Db, migrations: readonly string[]): Promise<Standing> {
  const { rows } = await db.query<
    Omit<Standing, 'position' | 'system'> & { position: string | null; maySeeSystem: boolean }
  >({
    name: 'server_standing',
    text: `select pg_is_in_recovery() as "isStandby",
                  concat_ws(' ', pg_postmaster_start_time(), inet_server_addr(), inet_server_port()) as server,
                  has_function_privilege('pg_control_system()', 'execute') as "maySeeSystem",
                  array(select n from unnest($1::text[]) as n where n not in (select name from migrations)) as missing,
                  (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end
                   - '0/0')::text as position`,
    values: [migrations],
  })
  const [row] = rows
  if (row === undefined) throw new Error('the server said nothing about itself')
  const { maySeeSystem, position, ...standing } = row
  const system = maySeeSystem ? await readSystem(db) : null
  return { ...standing, system, position: BigInt(position ?? 0) }
}

async function readSystem(db: Db): Promise<string | null> {
  const { rows } = await db.query<{ system: string }>({
    name: 'server_system',
    text: `select system_identifier::text as system from pg_control_system()`,
  })
  return rows[0]?.system ?? null
}
