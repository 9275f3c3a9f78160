/** What came through a channel before, so that the same content is not stored twice. */

import type { MentionedNumber } from '../../connectors/pushed-source.ts'
import type { Db } from '../../db/database.ts'

/**
 * Whether all of these message parts were delivered through the channel before. A part without a sender's key never
 * counts as delivered.
 */
export async function wereDelivered(
  db: Db,
  channelId: string,
  parts: readonly {
    readonly kind: string
    readonly number: string
    readonly deliveryKey: string | null
  }[],
): Promise<boolean> {
  const { rows } = await db.query<{ count: number }>({
    name: 'mentions_delivered',
    text: `select count(*)::integer as count
             from unnest($2::text[], $3::text[], $4::text[]) as k (kind, number, key)
             join subjects s on s.credential_id = $1 and s.kind = k.kind and s.number = k.number
             join mentions m on m.subject_id = s.id and m.delivery_key = k.key`,
    values: [
      channelId,
      parts.map(({ kind }) => kind),
      parts.map(({ number }) => number),
      parts.map(({ deliveryKey }) => deliveryKey),
    ],
  })
  return rows[0]?.count === parts.length
}

/** For each of these numbers, the hash of the content that came last through the channel, by kind and number. */
export async function lastHashes(
  db: Db,
  channelId: string,
  of: readonly MentionedNumber[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (of.length === 0) return new Map()
  const { rows } = await db.query<MentionedNumber & { readonly contentHash: Buffer }>({
    name: 'mentions_last',
    text: `select k.kind, k.number, last.content_hash as "contentHash"
             from unnest($2::text[], $3::text[]) as k (kind, number)
             join subjects s on s.credential_id = $1 and s.kind = k.kind and s.number = k.number
            cross join lateral (
              select p.content_hash from mentions m join kept_snapshots p on p.id = m.snapshot_id
               where m.subject_id = s.id and m.expired_at is null
               order by m.received_at desc, m.part desc limit 1) last`,
    values: [channelId, of.map(({ kind }) => kind), of.map(({ number }) => number)],
  })
  return new Map(rows.map(({ kind, number, contentHash }) => [`${kind} ${number}`, contentHash]))
}
