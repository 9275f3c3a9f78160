/** Who listens to a number: the shipments that are known by it, and the requests that still search for it. */

import type { MentionedNumber } from '../../connectors/pushed-source.ts'
import type { Db } from '../../db/database.ts'
import { acquireFromFirstAccount, type RowOfAccount } from '../../db/distributed/acquire-per-account.ts'
import type { MentionToMatch } from './inbound-messages-sql.ts'

/** A request through which a shipment ingests messages, or which searches for the number itself. */
export interface Listener {
  readonly accountId: string
  readonly trackingRequestId: string
  /** Null while it is searched for. */
  readonly shipmentId: string | null
}

export interface ListenerQuery {
  /** Null: listeners of every account, which are then found by document alone. */
  readonly accountId: string | null
  readonly isSandbox: boolean
  /** The code of the speaker when it is a line. A request is found by its own line only. */
  readonly scac: string | null
  readonly about: readonly MentionedNumber[]
  /** Shipments that ended before this are not listeners. */
  readonly endedSince: string
}

/**
 * Where a document is named: the shipments of that document, and those that have the container and know no document of
 * that kind. Otherwise: the shipments that have the container. For each shipment one request: one that is live, else
 * the newest one that stopped. Each step uses an index: with 20,000 shipments an earlier form read all documents for
 * one container, 99 ms; this one reads some pages (`bench -- match`).
 */
export async function findListeners(db: Db, wanted: ListenerQuery): Promise<readonly Listener[]> {
  const documents = wanted.about.filter(({ kind }) => kind !== 'container')
  const containers = wanted.about.filter(({ kind }) => kind === 'container')
  const { rows } = await db.query<Listener>({
    name: 'listeners_find',
    text: `with named as (
             select distinct d.account_id, d.shipment_id as id
               from unnest($2::text[], $3::text[]) as k (kind, number)
               join shipment_documents d on d.number = k.number and d.kind = k.kind and ($1::uuid is null or d.account_id = $1)
           ), boxed as (
             select distinct c.account_id, c.shipment_id as id
               from containers c
              where $1::uuid is not null and c.account_id = $1 and c.number = any($4::text[])
                and not exists (select from shipment_documents d
                                 where d.account_id = $1 and d.shipment_id = c.shipment_id and d.kind = any($2::text[]))
           ), meant as (
             select * from named union select * from boxed
           ), tracked as (
             select distinct on (m.account_id, m.id) m.account_id, m.id as shipment_id, r.id as request_id
               from meant m
               join accounts a on a.id = m.account_id and a.is_fiction = $6
               join shipments s on s.account_id = m.account_id and s.id = m.id
                               and (s.tracking_stopped_at is null or s.tracking_stopped_at >= $7)
               join tracking_requests r on r.account_id = m.account_id and r.shipment_id = m.id
              where r.status in ('created', 'tracking_stopped')
              order by m.account_id, m.id, r.status = 'created' desc, r.created_at desc, r.id
           )
           select account_id as "accountId", request_id as "trackingRequestId", shipment_id as "shipmentId" from tracked
           union all
           select r.account_id, r.id, null
             from unnest($2::text[] || array_fill('container'::text, array[cardinality($4::text[])]), $3::text[] || $4::text[])
                  as k (kind, number)
             join tracking_requests r
               on r.number = any(case when k.kind = 'container' then array[k.number]
                                      else array[k.number, regexp_replace(k.number, '^' || $5, ''), $5 || k.number] end)
              and (r.account_id = $1 or $1::uuid is null and k.kind <> 'container')
              and r.scac = $5 and r.shipment_id is null and r.status in ('pending', 'awaiting_manifest')
              and r.request_type = case k.kind when 'booking' then 'booking_number' else k.kind end
             join accounts a on a.id = r.account_id and a.is_fiction = $6
            where $5::text is not null`,
    values: [
      wanted.accountId,
      documents.map(({ kind }) => kind),
      documents.map(({ number }) => number),
      containers.map(({ number }) => number),
      wanted.scac,
      wanted.isSandbox,
      wanted.endedSince,
    ],
  })
  return rows
}

export interface ShipmentOrRequest {
  readonly accountId: string
  readonly id: string
  readonly kind: 'shipment' | 'request'
}

/** Those of one account, locked until the transaction ends. Rows that another worker has locked are skipped. */
export async function lockNewListeners(db: Db, limit: number): Promise<readonly ShipmentOrRequest[]> {
  const found = await db.query<RowOfAccount>({
    name: 'joins_waiting',
    text: `select account_id as "accountId", id from joins order by noted_at limit $1`,
    values: [limit],
  })
  return acquireFromFirstAccount(found.rows, async (accountId, ids) => {
    const { rows } = await db.query<ShipmentOrRequest>({
      name: 'joins_lock',
      text: `select account_id as "accountId", id, kind from joins
              where account_id = $1 and id = any($2::uuid[]) order by id for update skip locked`,
      values: [accountId, ids],
    })
    return rows
  })
}

export async function deleteNewListeners(db: Db, joins: readonly ShipmentOrRequest[]): Promise<void> {
  await db.query({
    name: 'joins_end',
    text: `delete from joins j using unnest($1::uuid[], $2::uuid[]) as d (account_id, id)
            where j.account_id = d.account_id and j.id = d.id`,
    values: [joins.map(({ accountId }) => accountId), joins.map(({ id }) => id)],
  })
}

/**
 * Prevents waiting mentions from expiring until the transaction ends, so that they are still there when they are
 * ingested.
 */
export async function preventMentionExpiry(db: Db): Promise<void> {
  await db.query({
    name: 'waiting_hold',
    text: `select pg_advisory_xact_lock_shared(hashtext('mentions_expire'))`,
  })
}

/**
 * The mentions of any number by which this shipment or request is known. `findListeners` decides whether a mention
 * concerns it.
 */
export async function findWaitingMentions(
  db: Db,
  { accountId, id, kind }: ShipmentOrRequest,
): Promise<readonly MentionToMatch[]> {
  const { rows } = await db.query<MentionToMatch>({
    name: 'mentions_waiting',
    text: `with numbers as (
             select kind, number from shipment_documents where account_id = $1 and shipment_id = $2 and $3 = 'shipment'
             union
             select 'container', number from containers where account_id = $1 and shipment_id = $2 and $3 = 'shipment'
             union
             select case request_type when 'booking_number' then 'booking' else request_type end, n
               from tracking_requests, unnest(array[number, scac || number, regexp_replace(number, '^' || scac, '')]) as n
              where account_id = $1 and id = $2 and $3 = 'request'
           ), told as (
             select distinct n.mention_id
               from numbers k join mention_numbers n on n.kind = k.kind and n.number = k.number
              where n.account_id = $1 or n.account_id is null and n.kind <> 'container'
           )
           select m.id, m.account_id as "accountId", m.subject_id as "subjectId", m.snapshot_id as "snapshotId", m.about,
                  c.speaker_kind as "speakerKind", c.scac as "speakerCode", c.is_fiction as "isSandbox",
                  m.channel_id as "channelId", c.creates_requests as "createsRequests"
             from told t join mentions m on m.id = t.mention_id join channels c on c.id = m.channel_id
            where m.expired_at is null
              and not exists (select from hearings h
                               where h.account_id = $1 and h.shipment_id = $2 and h.mention_id = m.id)
            order by m.stands_at, m.id`,
    values: [accountId, id, kind],
  })
  return rows
}

/** Returns false when the shipment has ingested it already. */
export async function recordIngestion(
  db: Db,
  of: {
    readonly accountId: string
    readonly shipmentId: string
    readonly mentionId: string
    readonly at: string
  },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'hearing_note',
    text: `insert into hearings (account_id, shipment_id, mention_id, heard_at) values ($1, $2, $3, $4) on conflict do nothing`,
    values: [of.accountId, of.shipmentId, of.mentionId, of.at],
  })
  return rowCount === 1
}
