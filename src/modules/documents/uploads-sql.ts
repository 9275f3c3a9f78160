/** Files that clients upload before they make documents of them. */

import type { Db } from '../../db/database.ts'

export interface Upload {
  readonly accountId: string
  /** Also the id of its file. */
  readonly id: string
  readonly fileName: string
  readonly contentType: string | null
  readonly byteSize: number
  readonly md5: Buffer
  readonly createdAt: string
  readonly uploadedAt: string | null
  readonly usedAt: string | null
}

const columns = `account_id as "accountId", id, file_name as "fileName", content_type as "contentType",
  byte_size as "byteSize", md5, created_at as "createdAt", uploaded_at as "uploadedAt", used_at as "usedAt"`

/** False when the account has announced `unsentMax` files that were never sent. */
export async function insertUpload(
  db: Db,
  upload: Omit<Upload, 'uploadedAt' | 'usedAt'>,
  { unsentMax }: { readonly unsentMax: number },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'upload_insert',
    text: `insert into uploads (account_id, id, file_name, content_type, byte_size, md5, created_at)
           select $1, $2, $3, $4, $5, $6, $7
            where (select count(*) from (select from uploads where account_id = $1 and uploaded_at is null limit $8) u) < $8`,
    values: [
      upload.accountId,
      upload.id,
      upload.fileName,
      upload.contentType,
      upload.byteSize,
      upload.md5,
      upload.createdAt,
      unsentMax,
    ],
  })
  return rowCount === 1
}

interface UploadKey {
  readonly accountId: string
  readonly id: string
}

export async function findUpload(db: Db, key: UploadKey): Promise<Upload | null> {
  const { rows } = await db.query<Upload>({
    name: 'upload_find',
    text: `select ${columns} from uploads where account_id = $1 and id = $2`,
    values: [key.accountId, key.id],
  })
  return rows[0] ?? null
}

/** False when the upload is gone meanwhile. */
export async function markUploaded(db: Db, key: UploadKey & { readonly at: string }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'upload_uploaded',
    text: `update uploads set uploaded_at = coalesce(uploaded_at, $3) where account_id = $1 and id = $2`,
    values: [key.accountId, key.id, key.at],
  })
  return rowCount === 1
}

/** Whoever makes a document of it first gets the file itself. False for everybody else, and when it is gone. */
export async function acquireUploadedFile(db: Db, key: UploadKey & { readonly at: string }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'upload_use',
    text: `update uploads set used_at = $3 where account_id = $1 and id = $2 and used_at is null`,
    values: [key.accountId, key.id, key.at],
  })
  return rowCount === 1
}

/** Deletes rows that are older; the files of those that were not used are to be deleted at once. */
export async function expireUploads(
  db: Db,
  of: { readonly before: string; readonly now: string; readonly limit: number },
): Promise<number> {
  const { rows } = await db.query<{ expired: number }>({
    name: 'uploads_expire',
    text: `with old as (
             select account_id, id from uploads where created_at < $1 order by created_at limit $3
                for update skip locked
           ), gone as (
             delete from uploads u using old where u.account_id = old.account_id and u.id = old.id returning u.*
           ), loose as (
             insert into loose_files (account_id, id, delete_at)
             select account_id, id, $2 from gone where used_at is null
             on conflict (account_id, id) do update set delete_at = excluded.delete_at
           )
           select count(*) as expired from gone`,
    values: [of.before, of.now, of.limit],
  })
  return rows[0]?.expired ?? 0
}
