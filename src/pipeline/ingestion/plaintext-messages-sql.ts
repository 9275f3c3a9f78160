/** Messages that are still stored unencrypted: from the time before encryption, or stored by an older program. */

import type { Db } from '../../db/database.ts'

/**
 * A message with unencrypted content, locked until the transaction ends. Null when there is none, or when others have
 * locked all.
 */
export async function lockMessageInClear(db: Db): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'unsealed_message_lock',
    text: `select id from inbound_messages where body is not null order by id limit 1 for update skip locked`,
  })
  return rows[0]?.id ?? null
}

export interface PlaintextPart {
  readonly id: string
  readonly status: number
  readonly body: Buffer
}

/**
 * Locks parts of the message that are unencrypted. Parts that somebody else has locked are skipped until the next time.
 * Returns about `bytes` bytes, at least one part.
 */
export async function lockPlaintextParts(
  db: Db,
  of: { readonly messageId: string; readonly limit: number; readonly bytes: number },
): Promise<readonly PlaintextPart[]> {
  const { rows } = await db.query<PlaintextPart>({
    name: 'unsealed_parts_lock',
    text: `with held as (
             select n.id, octet_length(n.body) as size from kept_snapshots n
              where n.id in (select m.snapshot_id from mentions m where m.message_id = $1) and n.body is not null
              order by n.id limit $2 for update skip locked
           ), placed as (
             select id, sum(size) over (order by id) - size as before from held
           )
           select n.id, n.status, n.body from placed p join kept_snapshots n on n.id = p.id
            where p.before < $3 order by n.id`,
    values: [of.messageId, of.limit, of.bytes],
  })
  return rows
}

export interface EncryptedPart {
  readonly id: string
  readonly contentHash: Buffer
  /**
   * A hash of this row alone. Used when another row with the same content is encrypted already: then the content is
   * found by that row.
   */
  readonly rowHash: Buffer
  readonly encryptedBody: Buffer
}

export async function saveEncryptedParts(db: Db, parts: readonly EncryptedPart[]): Promise<void> {
  await db.query({
    name: 'unsealed_parts_seal',
    text: `update kept_snapshots n
              set body = null, sealed_body = t.sealed_body,
                  content_hash = case when exists (
                      select from kept_snapshots o where o.subject_id = n.subject_id and o.content_hash = t.content_hash)
                    then t.own_hash else t.content_hash end
             from unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::bytea[]) as t (id, content_hash, own_hash, sealed_body)
            where n.id = t.id`,
    values: [
      parts.map(({ id }) => id),
      parts.map(({ contentHash }) => contentHash),
      parts.map(({ rowHash }) => rowHash),
      parts.map(({ encryptedBody }) => encryptedBody),
    ],
  })
}

/**
 * The body of a message that is locked. Null while one of its parts is unencrypted, because the parts are found by way
 * of the message.
 */
export async function readMessageInClear(db: Db, id: string): Promise<Buffer | null> {
  const { rows } = await db.query<{ body: Buffer }>({
    name: 'unsealed_message_read',
    text: `select body from inbound_messages i
            where i.id = $1 and not exists (
              select from mentions m join kept_snapshots n on n.id = m.snapshot_id
               where m.message_id = i.id and n.body is not null)`,
    values: [id],
  })
  return rows[0]?.body ?? null
}

export async function saveEncryptedMessage(
  db: Db,
  of: { readonly id: string; readonly contentHash: Buffer; readonly encryptedBody: Buffer },
): Promise<void> {
  await db.query({
    name: 'unsealed_message_seal',
    text: `update inbound_messages set body = null, sealed_body = $2, content_hash = $3 where id = $1`,
    values: [of.id, of.encryptedBody, of.contentHash],
  })
}

export async function countUnencryptedMessages(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'unsealed_count',
    text: `select count(*) as count from inbound_messages where body is not null`,
  })
  return rows[0]?.count ?? 0
}
