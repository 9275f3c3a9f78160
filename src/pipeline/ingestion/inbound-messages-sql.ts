/** What came through channels, verbatim, and which message part is about which poll target. */

import type { ByteRange, MentionedNumber } from '../../connectors/pushed-source.ts'
import type { Db } from '../../db/database.ts'
import { readStoredBody, type StoredBody } from '../response-archive/stored-body-sql.ts'

export interface InboundMessage {
  readonly id: string
  readonly channelId: string
  readonly accountId: string | null
  readonly idempotencyKey: string | null
  readonly contentType: string | null
  readonly contentHash: Buffer
  readonly encryptedBody: Buffer
  /** Length of the body as it came. */
  readonly byteCount: number
  readonly receivedAt: string
  readonly parts: number
  /** What could not be read in it, each with its place. */
  readonly faults: readonly unknown[]
}

export interface StoredMessage extends Pick<InboundMessage, 'id' | 'parts' | 'contentHash'> {
  readonly partsIngested: number
  readonly acknowledgement: Buffer | null
  /** False when the message was there already. */
  readonly isNew: boolean
}

/**
 * Stores the message. For a message that is there already, under this id or under the sender's key, returns what was
 * stored then.
 */
export async function storeInboundMessage(db: Db, message: InboundMessage): Promise<StoredMessage> {
  const known = await db.query<StoredMessage>({
    name: 'inbound_message_find',
    text: `select id, parts, parts_taken as "partsIngested", content_hash as "contentHash", acknowledgement, false as "isNew" from inbound_messages
            where id = $1 or channel_id = $2 and idempotency_key = $3 for update`,
    values: [message.id, message.channelId, message.idempotencyKey],
  })
  const [first] = known.rows
  if (first !== undefined) return first
  await db.query({
    name: 'inbound_message_insert',
    text: `insert into inbound_messages
             (id, channel_id, account_id, idempotency_key, content_type, content_hash, sealed_body, byte_count, received_at, parts, faults)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      message.id,
      message.channelId,
      message.accountId,
      message.idempotencyKey,
      message.contentType,
      message.contentHash,
      message.encryptedBody,
      message.byteCount,
      message.receivedAt,
      message.parts,
      JSON.stringify(message.faults),
    ],
  })
  const { id, parts, contentHash } = message
  return { id, parts, partsIngested: 0, contentHash, acknowledgement: null, isNew: true }
}

/** Stores what is answered to the message. */
export async function storeAcknowledgement(
  db: Db,
  of: { readonly messageId: string; readonly acknowledgement: Buffer },
): Promise<void> {
  await db.query({
    name: 'inbound_message_acknowledge',
    text: `update inbound_messages set acknowledgement = $2 where id = $1`,
    values: [of.messageId, of.acknowledgement],
  })
}

export async function recordIngestedParts(
  db: Db,
  of: { readonly messageId: string; readonly parts: number },
): Promise<void> {
  await db.query({
    name: 'inbound_message_taken',
    text: `update inbound_messages set parts_taken = $2 where id = $1`,
    values: [of.messageId, of.parts],
  })
}

export interface Mention {
  readonly id: string
  readonly messageId: string
  readonly channelId: string
  readonly accountId: string | null
  readonly subjectId: string
  readonly snapshotId: string
  readonly part: number
  readonly deliveryKey: string
  readonly standsAt: string
  readonly receivedAt: string
  readonly about: readonly MentionedNumber[]
  readonly ranges: readonly ByteRange[]
  readonly isUnmapped: boolean
}

export interface NewMention extends Mention {
  /** The sender's own key. Deliveries of earlier versions are recognised by it; it is not stored any more. */
  readonly keyInClear: string | null
}

/**
 * Writes the mentions and returns the ids of the new ones. The caller notes their codes (`stated-codes-sql.ts`). A
 * second delivery under the same key is not ingested again.
 */
export async function insertMentions(db: Db, mentions: readonly NewMention[]): Promise<ReadonlySet<string>> {
  if (mentions.length === 0) return new Set()
  const { rows } = await db.query<{ id: string }>({
    name: 'mentions_insert',
    text: `with told as (
             select * from jsonb_to_recordset($1::jsonb) as m
               (id uuid, "messageId" uuid, "channelId" uuid, "accountId" uuid, "subjectId" uuid, "snapshotId" uuid, part integer,
                "deliveryKey" text, "keyInClear" text, "standsAt" timestamptz, "receivedAt" timestamptz, about jsonb, ranges jsonb, "isUnmapped" boolean)
           ), made as (
             insert into mentions (id, message_id, channel_id, account_id, subject_id, snapshot_id, part, delivery_key, stands_at,
                                   received_at, about, ranges, is_unmapped, codes_noted)
             select id, "messageId", "channelId", "accountId", "subjectId", "snapshotId", part, "deliveryKey", "standsAt",
                    "receivedAt", about, ranges, "isUnmapped", true from told
              where not exists (select from mentions o
                                 where o.subject_id = told."subjectId" and o.delivery_key = told."keyInClear")
              order by part
             on conflict (subject_id, delivery_key) do nothing
             returning id, account_id, received_at, about
           ), numbers as (
             insert into mention_numbers (kind, number, mention_id, account_id, received_at)
             select distinct n ->> 'kind', n ->> 'number', made.id, made.account_id, made.received_at
               from made, jsonb_array_elements(made.about) as n
           )
           select id from made`,
    values: [JSON.stringify(mentions)],
  })
  return new Set(rows.map(({ id }) => id))
}

/** The numbers of those parts of the message that were new when it came. The other parts had been ingested before. */
export async function findNewParts(
  db: Db,
  of: { readonly accountId: string; readonly messageId: string },
): Promise<ReadonlySet<number>> {
  const { rows } = await db.query<{ part: number }>({
    name: 'mentions_parts',
    text: `select part from mentions where account_id = $1 and message_id = $2`,
    values: [of.accountId, of.messageId],
  })
  return new Set(rows.map(({ part }) => part))
}

/** What is needed to find who listens to a mention. */
export interface MentionToMatch {
  readonly id: string
  readonly accountId: string | null
  readonly subjectId: string
  readonly snapshotId: string
  readonly about: readonly MentionedNumber[]
  readonly speakerKind: string
  readonly speakerCode: string
  readonly isSandbox: boolean
  readonly channelId: string
  /** True when a number that its account does not know becomes a request. */
  readonly createsRequests: boolean
}

const toMatch = `m.id, m.account_id as "accountId", m.subject_id as "subjectId", m.snapshot_id as "snapshotId", m.about,
  c.speaker_kind as "speakerKind", c.scac as "speakerCode", c.is_fiction as "isSandbox",
  m.channel_id as "channelId", c.creates_requests as "createsRequests"`

/**
 * Locks mentions that are not matched yet, until the transaction ends. Those that another worker has locked are
 * skipped.
 */
export async function lockUnmatched(db: Db, limit: number): Promise<readonly MentionToMatch[]> {
  const { rows } = await db.query<MentionToMatch>({
    name: 'mentions_lock_unmatched',
    text: `select ${toMatch} from mentions m join channels c on c.id = m.channel_id
            where m.matched_at is null order by m.id limit $1 for update of m skip locked`,
    values: [limit],
  })
  return rows
}

export async function markMatched(db: Db, of: { readonly ids: readonly string[]; readonly at: string }): Promise<void> {
  await db.query({
    name: 'mentions_matched',
    text: `update mentions set matched_at = $2 where id = any($1::uuid[])`,
    values: [of.ids, of.at],
  })
}

export type EffectiveMention = Pick<Mention, 'id' | 'standsAt' | 'deliveryKey'>

/** Since when each of these deliveries is effective, by its id. */
export async function findEffectiveMentions(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EffectiveMention>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<EffectiveMention>({
    name: 'mentions_standing',
    text: `select id, stands_at as "standsAt", delivery_key as "deliveryKey" from mentions where id = any($1::uuid[])`,
    values: [ids],
  })
  return new Map(rows.map((row) => [row.id, row]))
}

export interface InboundBody {
  readonly body: StoredBody | null
  readonly acknowledgement: Buffer | null
}

/**
 * The body as it came; null when it is not stored any more. `accountId` is that of the message, null if its channel is
 * for all accounts.
 */
export async function readInboundBody(
  db: Db,
  of: { readonly accountId: string | null; readonly id: string },
): Promise<InboundBody | null> {
  const { rows } = await db.query<{
    body: Buffer | null
    encryptedBody: Buffer | null
    acknowledgement: Buffer | null
  }>({
    name: 'inbound_message_body',
    text: `select body, sealed_body as "encryptedBody", acknowledgement from inbound_messages
            where account_id is not distinct from $1 and id = $2`,
    values: [of.accountId, of.id],
  })
  const [row] = rows
  return row === undefined ? null : { body: readStoredBody(row), acknowledgement: row.acknowledgement }
}

export interface UnmappedMessagePart {
  readonly id: string
  readonly snapshotId: string
  readonly channelId: string
  readonly receivedAt: string
}

/**
 * The parts of the message that were not understood. `accountId` is that of the message, null if its channel is for all
 * accounts.
 */
export async function findUnmappedParts(
  db: Db,
  of: { readonly accountId: string | null; readonly messageId: string },
): Promise<readonly UnmappedMessagePart[]> {
  const { rows } = await db.query<UnmappedMessagePart>({
    name: 'mentions_unmapped',
    text: `select o.id, o.snapshot_id as "snapshotId", o.channel_id as "channelId", o.received_at as "receivedAt"
             from mentions o
            where o.account_id is not distinct from $1 and o.message_id = $2 and o.is_unmapped and o.expired_at is null
            order by o.part for update of o`,
    values: [of.accountId, of.messageId],
  })
  return rows
}

/**
 * Lets these mentions be matched and used again, with the reader of this version. A mention that was used before is
 * stored permanently, whichever shipment uses it this time.
 */
export async function reingestMentions(
  db: Db,
  of: { readonly ids: readonly string[]; readonly unmapped: readonly string[] },
): Promise<void> {
  await db.query({
    name: 'mentions_hear_again',
    text: `with forgotten as (
             delete from hearings where mention_id = any($1::uuid[]) returning mention_id
           )
           update mentions m
              set matched_at = null, is_unmapped = m.id = any($2::uuid[]),
                  is_kept = m.is_kept or exists (select from forgotten f where f.mention_id = m.id)
            where m.id = any($1::uuid[])`,
    values: [of.ids, of.unmapped],
  })
}
