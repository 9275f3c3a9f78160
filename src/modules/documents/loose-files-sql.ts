/**
 * Files of the file store that no row has. A process notes a file here before it writes the file, and removes the note
 * in the transaction that gives the file a row. So no file is lost when a process is killed at any point.
 */

import type { Db } from '../../db/database.ts'
import { acquireFromFirstAccount, type RowOfAccount } from '../../db/distributed/acquire-per-account.ts'

export type FileKey = RowOfAccount

export async function noteLooseFile(db: Db, file: FileKey & { readonly deleteAt: string }): Promise<void> {
  await db.query({
    name: 'loose_file_note',
    text: `insert into loose_files (account_id, id, delete_at) values ($1, $2, $3)
           on conflict (account_id, id) do update set delete_at = excluded.delete_at`,
    values: [file.accountId, file.id, file.deleteAt],
  })
}

/** False when the note is gone: the file has been deleted, or is about to be, and must not be given to a row. */
export async function forgetLooseFile(db: Db, file: FileKey): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'loose_file_forget',
    text: `delete from loose_files where account_id = $1 and id = $2`,
    values: [file.accountId, file.id],
  })
  return rowCount === 1
}

/** Those of one account whose time has come, locked until the transaction ends. */
export async function lockLooseFiles(
  db: Db,
  of: { readonly now: string; readonly limit: number },
): Promise<readonly FileKey[]> {
  const found = await db.query<FileKey>({
    name: 'loose_files_due',
    text: `select account_id as "accountId", id from loose_files where delete_at <= $1 order by delete_at limit $2`,
    values: [of.now, of.limit],
  })
  return acquireFromFirstAccount(found.rows, async (accountId, ids) => {
    const { rows } = await db.query<FileKey>({
      name: 'loose_files_lock',
      text: `select account_id as "accountId", id from loose_files
              where account_id = $1 and id = any($2::uuid[]) and delete_at <= $3
              order by id for update skip locked`,
      values: [accountId, ids, of.now],
    })
    return rows
  })
}

/**
 * Adds to what the account has sent on this day. False when it would be more than the limit; nothing is added then.
 * Uploads lock this row one after the other, so the limit is valid for all processes together.
 */
export async function consumeByteQuota(
  db: Db,
  of: {
    readonly accountId: string
    readonly day: string
    readonly bytes: number
    /** 0: no limit. */
    readonly bytesMax: number
  },
): Promise<boolean> {
  if (of.bytesMax !== 0 && of.bytes > of.bytesMax) return false
  const { rowCount } = await db.query({
    name: 'document_bytes_take',
    text: `insert into document_days (account_id, day, bytes)
           values ($1, $2, $3)
           on conflict (account_id, day) do update set bytes = document_days.bytes + excluded.bytes
            where $4::bigint = 0 or document_days.bytes + excluded.bytes <= $4`,
    values: [of.accountId, of.day, of.bytes, of.bytesMax],
  })
  return rowCount === 1
}

export async function releaseBytes(
  db: Db,
  of: { readonly accountId: string; readonly day: string; readonly bytes: number },
): Promise<void> {
  await db.query({
    name: 'document_bytes_give_back',
    text: `update document_days set bytes = greatest(0, bytes - $3) where account_id = $1 and day = $2`,
    values: [of.accountId, of.day, of.bytes],
  })
}

export async function deleteOldByteQuotas(db: Db, before: string): Promise<number> {
  const { rowCount } = await db.query({
    name: 'document_days_forget',
    text: `delete from document_days where day < $1`,
    values: [before],
  })
  return rowCount ?? 0
}
