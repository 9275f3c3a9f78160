/** The senders' own codes in what came, and which of them are to be read again because their mapping has changed. */

import type { StatedCode } from '../../connectors/source-issue.ts'
import type { Db } from '../../db/database.ts'

export interface CodesOfMention {
  readonly mentionId: string
  readonly channelId: string
  readonly receivedAt: string
  readonly codes: readonly StatedCode[]
}

/** Notes the codes of these message parts, in place of those that were noted before. */
export async function noteCodes(db: Db, mentions: readonly CodesOfMention[]): Promise<void> {
  if (mentions.length === 0) return
  const rows = mentions.flatMap(({ codes, ...of }) =>
    codes.map(({ field, code, reason, text, isMapped }) => ({ ...of, field, code, reason, text, isMapped })),
  )
  await db.query({
    name: 'said_codes_note',
    text: `with gone as (
             delete from said_codes where mention_id = any($1::uuid[])
               and (channel_id, field, code, mention_id, reason, text) not in (
                     select "channelId", field, code, "mentionId", reason, text from jsonb_to_recordset($2::jsonb)
                       as s ("channelId" uuid, field text, code text, "mentionId" uuid, reason text, text text))
           ), noted as (
             update mentions set codes_noted = true where id = any($1::uuid[]) and not codes_noted
           )
           insert into said_codes (channel_id, field, code, mention_id, reason, text, is_mapped, received_at)
           select "channelId", field, code, "mentionId", reason, text, "isMapped", "receivedAt"
             from jsonb_to_recordset($2::jsonb)
               as s ("channelId" uuid, field text, code text, "mentionId" uuid, reason text, text text,
                     "isMapped" boolean, "receivedAt" timestamptz)
           on conflict (channel_id, field, code, mention_id, reason, text)
             do update set is_mapped = excluded.is_mapped where said_codes.is_mapped <> excluded.is_mapped`,
    values: [mentions.map(({ mentionId }) => mentionId), JSON.stringify(rows)],
  })
}

export interface UnmappedRow {
  readonly channelId: string
  readonly field: string
  readonly code: string
  readonly reason: string
  readonly text: string
  readonly parts: number
  readonly messages: number
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  /** The newest message part with the code. */
  readonly messageId: string
  readonly part: number
  readonly snapshotId: string | null
}

/** Of these channels, the most frequent first. */
export async function listUnmappedRows(
  db: Db,
  of: { readonly channelIds: readonly string[]; readonly limit: number },
): Promise<{ readonly rows: readonly UnmappedRow[]; readonly total: number }> {
  const { rows } = await db.query<UnmappedRow & { readonly total: number }>({
    name: 'said_codes_unmapped',
    text: `with codes as (
             select s.channel_id, s.field, s.code, s.reason, s.text, count(*)::integer as parts,
                    min(s.received_at) as first_seen_at, max(s.received_at) as last_seen_at
               from said_codes s
              where s.channel_id = any($1::uuid[]) and not s.is_mapped
              group by s.channel_id, s.field, s.code, s.reason, s.text
           )
           select c.channel_id as "channelId", c.field, c.code, c.reason, c.text, c.parts,
                  c.first_seen_at as "firstSeenAt", c.last_seen_at as "lastSeenAt",
                  m.message_id as "messageId", m.part, m.snapshot_id as "snapshotId",
                  (select count(*)::integer from codes) as total
             from codes c
             cross join lateral (
               select o.message_id, o.part, o.snapshot_id from said_codes s join mentions o on o.id = s.mention_id
                where s.channel_id = c.channel_id and s.field = c.field and s.code = c.code and s.reason = c.reason
                  and s.text = c.text and s.received_at = c.last_seen_at and not s.is_mapped
                limit 1) m
            order by c.parts desc, c.channel_id, c.field, c.code, c.reason, c.text
            limit $2`,
    values: [of.channelIds, of.limit],
  })
  return { rows, total: rows[0]?.total ?? 0 }
}

interface CodeReference {
  readonly channelId: string
  readonly field: string
  readonly code: string
}

export interface CodeReach {
  /** Deliveries that contain the code. */
  readonly messages: number
  /** Shipments, of all accounts, that ingested one of them. */
  readonly shipments: number
}

export async function countReach(db: Db, { channelId, field, code }: CodeReference): Promise<CodeReach> {
  const { rows } = await db.query<CodeReach>({
    name: 'said_codes_reach',
    text: `with said as (
             select distinct o.id, o.message_id from said_codes s join mentions o on o.id = s.mention_id
              where s.channel_id = $1 and s.field = $2 and s.code = $3 and o.expired_at is null
           )
           select (select count(distinct message_id)::integer from said) as messages,
                  (select count(distinct (h.account_id, h.shipment_id))::integer
                     from said join hearings h on h.mention_id = said.id) as shipments`,
    values: [channelId, field, code],
  })
  return rows[0] ?? { messages: 0, shipments: 0 }
}

/** Until it is read again, a code is listed according to its present mapping. */
export async function markMapped(
  db: Db,
  of: CodeReference & { readonly reason: string; readonly text: string },
): Promise<void> {
  await db.query({
    name: 'said_codes_mark_mapped',
    text: `update said_codes set is_mapped = true
            where channel_id = $1 and field = $2 and code = $3 and not is_mapped
              and ($4 = '' or reason = $4) and ($5 = '' or text = $5)`,
    values: [of.channelId, of.field, of.code, of.reason, of.text],
  })
}

export async function requestReread(
  db: Db,
  of: CodeReference & { readonly id: string; readonly at: string },
): Promise<void> {
  await db.query({
    name: 'code_reread_ask',
    text: `insert into code_rereads (id, channel_id, field, code, due_at) values ($1, $2, $3, $4, $5)`,
    values: [of.id, of.channelId, of.field, of.code, of.at],
  })
}

export interface CodeReread extends CodeReference {
  readonly id: string
  readonly afterMention: string | null
  readonly passesLeft: number
  readonly token: string
}

/** Leases the next one that is due. No other worker leases it until `until`. */
export async function leaseReread(
  db: Db,
  of: { readonly token: string; readonly now: string; readonly until: string },
): Promise<CodeReread | null> {
  const { rows } = await db.query<CodeReread>({
    name: 'code_reread_lease',
    text: `update code_rereads r set due_at = $2, lease_token = $3
            where r.id = (select id from code_rereads where due_at <= $1 order by due_at limit 1 for update skip locked)
           returning r.id, r.channel_id as "channelId", r.field, r.code, r.after_mention as "afterMention",
                     r.passes_left as "passesLeft", r.lease_token as token`,
    values: [of.now, of.until, of.token],
  })
  return rows[0] ?? null
}

export interface CodeOccurrence {
  readonly mentionId: string
  readonly snapshotId: string
  readonly receivedAt: string
}

export async function findPartsWithCode(
  db: Db,
  of: CodeReference & { readonly afterMention: string | null; readonly limit: number },
): Promise<readonly CodeOccurrence[]> {
  const { rows } = await db.query<CodeOccurrence>({
    name: 'said_codes_parts',
    text: `select distinct o.id as "mentionId", o.snapshot_id as "snapshotId", o.received_at as "receivedAt"
             from said_codes s join mentions o on o.id = s.mention_id
            where s.channel_id = $1 and s.field = $2 and s.code = $3 and ($4::uuid is null or s.mention_id > $4)
              and o.expired_at is null and o.snapshot_id is not null
            order by o.id limit $5`,
    values: [of.channelId, of.field, of.code, of.afterMention, of.limit],
  })
  return rows
}

export interface ReceivingShipment {
  readonly accountId: string
  readonly shipmentId: string
}

export async function findRecipients(db: Db, mentionIds: readonly string[]): Promise<readonly ReceivingShipment[]> {
  const { rows } = await db.query<ReceivingShipment>({
    name: 'hearings_hearers',
    text: `select distinct account_id as "accountId", shipment_id as "shipmentId" from hearings
            where mention_id = any($1::uuid[]) order by 1, 2`,
    values: [mentionIds],
  })
  return rows
}

export async function markUnmapped(
  db: Db,
  of: { readonly ids: readonly string[]; readonly unmapped: readonly string[] },
): Promise<void> {
  await db.query({
    name: 'mentions_mark_unmapped',
    text: `update mentions set is_unmapped = id = any($2::uuid[])
            where id = any($1::uuid[]) and is_unmapped <> (id = any($2::uuid[]))`,
    values: [of.ids, of.unmapped],
  })
}

/** Does nothing when another worker has it by now. */
export async function saveRereadProgress(
  db: Db,
  of: Pick<CodeReread, 'id' | 'token' | 'afterMention' | 'passesLeft'> & { readonly dueAt: string },
): Promise<void> {
  await db.query({
    name: 'code_reread_note',
    text: `update code_rereads set after_mention = $2, passes_left = $3, due_at = $4, lease_token = null
            where id = $1 and lease_token = $5`,
    values: [of.id, of.afterMention, of.passesLeft, of.dueAt, of.token],
  })
}

export async function endReread(db: Db, of: Pick<CodeReread, 'id' | 'token'>): Promise<void> {
  await db.query({
    name: 'code_reread_end',
    text: `delete from code_rereads where id = $1 and lease_token = $2`,
    values: [of.id, of.token],
  })
}

export interface UnrecordedPart extends CodeOccurrence {
  readonly channelId: string
}

/** Message parts whose codes were not noted when they came. Another worker skips them until the transaction ends. */
export async function lockPartsWithoutCodes(db: Db, limit: number): Promise<readonly UnrecordedPart[]> {
  const { rows } = await db.query<UnrecordedPart>({
    name: 'mentions_lock_unnoted',
    text: `select id as "mentionId", snapshot_id as "snapshotId", received_at as "receivedAt", channel_id as "channelId"
             from mentions where not codes_noted and expired_at is null order by id limit $1 for update skip locked`,
    values: [limit],
  })
  return rows
}
