/**
 * Which requests of an account belong together. Entries of one request may depend on entries of another through a poll
 * target, a shipment, or one number at one line. Nothing that the ledger yields depends on requests of two groups
 * (docs/decisions/0022).
 */

import type { Db } from '../../db/database.ts'
import { testScac } from '../../domain/values/identifiers.ts'
import { entryColumns, type LedgerEntry } from './ledger-sql.ts'
import { scratch } from './rebuild-sql.ts'

/** A request, and what it shares with others. */
export interface RequestLink {
  readonly requestId: string
  readonly tie: string
  readonly of: 'subject' | 'shipment' | 'number' | 'itself'
}

const hashNumberSql = (scac: string, number: string): string => `md5(${scac} || ' ' || ${number})::uuid`

/**
 * Notes the ties of all requests in a table of the scratch schema. They come from the ledger, and from the served rows
 * too, because older entries do not record which shipment a poll found. Folding finds the ties that neither of them
 * has.
 */
export async function createRequestLinksTable(db: Db): Promise<void> {
  await db.query({
    text: `create unlogged table ${scratch}.ties (account_id uuid, request_id uuid, tie uuid, kind text)`,
  })
  await db.query({
    text: `
      insert into ${scratch}.ties
      with candidates as (
        select l.account_id, l.tracking_request_id as id, c.scac, c.number, c."subjectId" as subject_id
          from public.ledger l,
               jsonb_to_recordset(case jsonb_typeof(l.payload -> 'candidates') when 'array' then l.payload -> 'candidates'
                                  else '[]' end) as c (scac text, number text, "subjectId" uuid)
         where l.kind = 'request_created'
      ), numbers as (
        select account_id, id, scac, number from candidates
        union
        select account_id, tracking_request_id, payload ->> 'scac', payload ->> 'number'
          from public.ledger where kind = 'request_created'
        union
        select account_id, id, scac, number from public.tracking_requests
      )
      select account_id, tracking_request_id, tracking_request_id, 'itself'
        from public.ledger where tracking_request_id is not null
      union
      select account_id, tracking_request_id, subject_id, 'subject'
        from public.ledger where tracking_request_id is not null and subject_id is not null
      union
      select account_id, id, subject_id, 'subject' from candidates where subject_id is not null
      union
      select account_id, id, subject_id, 'subject' from public.tracking_requests where subject_id is not null
      union
      select account_id, tracking_request_id, shipment_id, 'shipment'
        from public.ledger where tracking_request_id is not null and shipment_id is not null
      union
      select account_id, tracking_request_id, (payload #>> '{opened,id}')::uuid, 'shipment'
        from public.ledger where kind in ('look', 'heard') and shipment_id is null and payload ? 'opened'
      union
      select account_id, id, shipment_id, 'shipment' from public.tracking_requests where shipment_id is not null
      union
      select account_id, id, ${hashNumberSql('scac', 'number')}, 'number' from numbers where scac <> '${testScac}'`,
  })
  await db.query({ text: `create index on ${scratch}.ties (account_id, request_id)` })
  await db.query({ text: `create index on ${scratch}.ties (account_id, tie)` })
  await db.query({ text: `analyze ${scratch}.ties` })
}

/** Adds the ties that folding found. */
export async function addRequestLinks(
  db: Db,
  of: { readonly accountId: string; readonly ties: readonly RequestLink[] },
): Promise<void> {
  await db.query({
    text: `insert into ${scratch}.ties
           select $1, t."requestId", t.tie, t."of"
             from jsonb_to_recordset($2::jsonb) as t ("requestId" uuid, tie uuid, "of" text)`,
    values: [of.accountId, JSON.stringify(of.ties)],
  })
}

/** The next requests that have no row in the scratch tables yet, in order of id. */
export async function nextRequests(
  db: Db,
  of: { readonly accountId: string; readonly after: string | null; readonly limit: number },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>({
    text: `select distinct t.request_id as id
             from ${scratch}.ties t
            where t.account_id = $1 and t.request_id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
              and not exists (select 1 from ${scratch}.tracking_requests r
                               where r.account_id = $1 and r.id = t.request_id)
            order by id
            limit $3`,
    values: [of.accountId, of.after, of.limit],
  })
  return rows.map(({ id }) => id)
}

/**
 * The ties of the requests and of all requests that belong to them. Each request and each tie is visited once, however
 * many share it.
 */
export async function findRequestLinks(
  db: Db,
  of: { readonly accountId: string; readonly requestIds: readonly string[] },
): Promise<readonly RequestLink[]> {
  const { rows } = await db.query<RequestLink>({
    text: `with recursive tied (id, is_request) as (
             select id, true from unnest($2::uuid[]) as asked (id)
             union
             select o.id, not t.is_request
               from tied t
              cross join lateral (
                select tie as id from ${scratch}.ties where t.is_request and account_id = $1 and request_id = t.id
                union all
                select request_id from ${scratch}.ties where not t.is_request and account_id = $1 and tie = t.id) o
           )
           select s.request_id as "requestId", s.tie, s.kind as "of"
             from tied t join ${scratch}.ties s on s.account_id = $1 and s.request_id = t.id
            where t.is_request`,
    values: [of.accountId, of.requestIds],
  })
  return rows
}

/** The position of an entry, and its request and shipment. */
export type EntryPlace = Pick<LedgerEntry, 'position' | 'trackingRequestId' | 'shipmentId'>

/** The positions of the entries of these requests and shipments, in order. */
export async function findEntryPlaces(
  db: Db,
  of: {
    readonly accountId: string
    readonly requestIds: readonly string[]
    readonly shipmentIds: readonly string[]
  },
): Promise<readonly EntryPlace[]> {
  const { rows } = await db.query<EntryPlace>({
    name: 'groups_places',
    text: `select position, tracking_request_id as "trackingRequestId", shipment_id as "shipmentId"
             from public.ledger where account_id = $1 and tracking_request_id = any($2::uuid[])
            union
           select position, tracking_request_id, shipment_id
             from public.ledger where account_id = $1 and shipment_id = any($3::uuid[])
            order by position`,
    values: [of.accountId, of.requestIds, of.shipmentIds],
  })
  return rows
}

/** The entries at these positions, in the order given. */
export async function entriesAt(
  db: Db,
  of: { readonly accountId: string; readonly positions: readonly number[] },
): Promise<readonly LedgerEntry[]> {
  const { rows } = await db.query<LedgerEntry>({
    name: 'groups_entries',
    text: `select ${entryColumns}, l.payload
             from unnest($2::bigint[]) with ordinality as asked (position, place)
             join public.ledger l on l.account_id = $1 and l.position = asked.position
            order by asked.place`,
    values: [of.accountId, of.positions],
  })
  return rows
}

export async function countEntries(db: Db, accountId: string): Promise<number> {
  const { rows } = await db.query<{ n: number }>({
    text: `select count(*) as n from public.ledger where account_id = $1`,
    values: [accountId],
  })
  return rows[0]?.n ?? 0
}

/** The first entry that belongs to no request, and to no shipment for which a request asks. */
export async function findStray(db: Db, accountId: string): Promise<Pick<LedgerEntry, 'position' | 'kind'> | null> {
  const { rows } = await db.query<Pick<LedgerEntry, 'position' | 'kind'>>({
    text: `with requests as materialized (
             select distinct request_id as id from ${scratch}.ties where account_id = $1
           ), shipments as materialized (
             select distinct tie as id from ${scratch}.ties where account_id = $1 and kind = 'shipment'
           )
           select l.position, l.kind
             from public.ledger l
            where l.account_id = $1
              and not exists (select 1 from requests r where r.id = l.tracking_request_id)
              and not exists (select 1 from shipments s where s.id = l.shipment_id)
            order by l.position
            limit 1`,
    values: [accountId],
  })
  return rows[0] ?? null
}
