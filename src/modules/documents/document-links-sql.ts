/** To which shipments and containers documents belong, by their numbers or because a person linked them. */

import type { Db } from '../../db/database.ts'
import { selectByReference } from '../../db/listing/find-by-values.ts'
import type { Reference } from './document-readings-sql.ts'

/** By which kind of number it was found, or that a person linked it. */
export const linkFinders = ['bill_of_lading', 'booking', 'container', 'reference', 'person'] as const
export type LinkFinder = (typeof linkFinders)[number]

interface OfDocument {
  readonly accountId: string
  readonly documentId: string
}

export interface DocumentLink {
  readonly id: string
  readonly shipmentId: string
  readonly containerId: string | null
  readonly foundBy: LinkFinder
  /** A person decided that it does not belong there. */
  readonly isDenied: boolean
}

export async function readLinks(db: Db, of: OfDocument): Promise<readonly DocumentLink[]> {
  const { rows } = await db.query<DocumentLink>({
    name: 'document_links_read',
    text: `select id, shipment_id as "shipmentId", container_id as "containerId", found_by as "foundBy",
                  is_denied as "isDenied"
             from document_links where account_id = $1 and document_id = $2 order by created_at, id`,
    values: [of.accountId, of.documentId],
  })
  return rows
}

/** Writes these in place of all that the document has. */
export async function replaceLinks(
  db: Db,
  of: OfDocument & { readonly links: readonly DocumentLink[]; readonly at: string },
): Promise<void> {
  await db.query({
    name: 'document_links_delete',
    text: `delete from document_links where account_id = $1 and document_id = $2 and id <> all($3::uuid[])`,
    values: [of.accountId, of.documentId, of.links.map(({ id }) => id)],
  })
  await db.query({
    name: 'document_links_put',
    text: `insert into document_links (account_id, id, document_id, shipment_id, container_id, found_by, is_denied, created_at)
           select $1, l.id, $2, l.shipment_id, l.container_id, l.found_by, l.is_denied, $8
             from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::boolean[])
                  as l (id, shipment_id, container_id, found_by, is_denied)
           on conflict (account_id, id) do update set found_by = excluded.found_by, is_denied = excluded.is_denied`,
    values: [
      of.accountId,
      of.documentId,
      of.links.map(({ id }) => id),
      of.links.map(({ shipmentId }) => shipmentId),
      of.links.map(({ containerId }) => containerId),
      of.links.map(({ foundBy }) => foundBy),
      of.links.map(({ isDenied }) => isDenied),
      of.at,
    ],
  })
}

/** A shipment that one of the numbers names, or a container of it. */
export interface ReferenceMatch {
  readonly shipmentId: string
  readonly containerId: string | null
  readonly kind: Reference['kind']
  readonly number: string
  /** Which use of the container, from 1; null for a shipment. */
  readonly trip: number | null
  /** When its shipment was made, and when it ended; null while it is tracked. */
  readonly createdAt: string
  readonly stoppedAt: string | null
}

/**
 * Everything of the account that any of the numbers names. Bills and bookings are looked up as the shipments are known
 * by them, in every spelling. A number that a document calls a bill may be known as a booking, and the other way round.
 */
export async function findReferenceMatches(
  db: Db,
  of: { readonly accountId: string; readonly references: readonly Reference[] },
): Promise<readonly ReferenceMatch[]> {
  const { rows } = await db.query<ReferenceMatch>({
    name: 'document_fits',
    text: `with asked as (
             select k.kind, k.number, upper(k.written) as written
               from unnest($2::text[], $3::text[], $4::text[]) as k (kind, number, written)
           ), fits as (
             select s.shipment_id, null::uuid as container_id, a.kind, a.number
               from asked a join shipment_documents s on s.account_id = $1 and s.number = a.number
              where a.kind in ('bill_of_lading', 'booking')
             union
             select c.shipment_id, c.id, a.kind, a.number
               from asked a join containers c on c.account_id = $1 and c.number = a.number
              where a.kind = 'container'
             union
             select s.id, null, a.kind, a.number
               from asked a cross join lateral (${selectByReference('shipments')}) as b join shipments s on s.account_id = $1 and s.id = b.id
                and exists (select 1 from unnest(s.ref_numbers) as r (text) where upper(r.text) in (a.number, a.written))
              where a.kind = 'reference'
             union
             select c.shipment_id, c.id, a.kind, a.number
               from asked a cross join lateral (${selectByReference('containers')}) as b join containers c on c.account_id = $1 and c.id = b.id
                and exists (select 1 from unnest(c.ref_numbers) as r (text) where upper(r.text) in (a.number, a.written))
              where a.kind = 'reference'
           )
           select f.shipment_id as "shipmentId", f.container_id as "containerId", f.kind, f.number,
                  c.trip, s.created_at as "createdAt", s.tracking_stopped_at as "stoppedAt"
             from fits f
             join shipments s on s.account_id = $1 and s.id = f.shipment_id
             left join containers c on c.account_id = $1 and c.id = f.container_id`,
    values: [
      of.accountId,
      of.references.map(({ kind }) => kind),
      of.references.map(({ number }) => number),
      of.references.map(({ written }) => written),
    ],
  })
  return rows
}

/**
 * Schedules the documents that name a number of these shipments to be linked again, unless they belong there already.
 * For an account without documents it reads one index page. Returns how many.
 */
export async function requestShipmentLinks(
  db: Db,
  of: {
    readonly shipments: readonly { readonly accountId: string; readonly id: string }[]
    readonly at: string
  },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'document_links_ask',
    text: `with numbers as (
             select j.account_id, j.id, s.number
               from unnest($1::uuid[], $2::uuid[]) as j (account_id, id)
               join shipment_documents s on s.account_id = j.account_id and s.shipment_id = j.id
             union
             select j.account_id, j.id, c.number
               from unnest($1::uuid[], $2::uuid[]) as j (account_id, id)
               join containers c on c.account_id = j.account_id and c.shipment_id = j.id
             union
             select j.account_id, j.id, regexp_replace(upper(r.text), '[^A-Z0-9]', '', 'g')
               from unnest($1::uuid[], $2::uuid[]) as j (account_id, id)
               join shipments s on s.account_id = j.account_id and s.id = j.id, unnest(s.ref_numbers) as r (text)
           )
           insert into document_tasks (account_id, id, document_id, verb, due_at, created_at)
           select distinct on (d.account_id, d.id) d.account_id, gen_random_uuid(), d.id, 'link', $3::timestamptz, $3::timestamptz
             from numbers n
             join document_references r on r.account_id = n.account_id and r.number = n.number
             join documents d on d.account_id = r.account_id and d.id = r.document_id and d.discarded_at is null
            where not exists (select from document_links l
                               where l.account_id = d.account_id and l.document_id = d.id and l.shipment_id = n.id)
              and not exists (select from document_tasks t
                               where t.account_id = d.account_id and t.document_id = d.id and t.verb = 'link'
                                 and t.lease_token is null)`,
    values: [of.shipments.map(({ accountId }) => accountId), of.shipments.map(({ id }) => id), of.at],
  })
  return rowCount ?? 0
}

/** Those of the ids that the account has. */
export async function findLinkable(
  db: Db,
  of: {
    readonly accountId: string
    readonly shipmentIds: readonly string[]
    readonly containerIds: readonly string[]
  },
): Promise<{
  readonly shipmentIds: readonly string[]
  readonly containers: readonly { readonly id: string; readonly shipmentId: string }[]
}> {
  const { rows } = await db.query<{ id: string; shipmentId: string; isContainer: boolean }>({
    name: 'document_linkable',
    text: `select id, id as "shipmentId", false as "isContainer" from shipments
            where account_id = $1 and id = any($2::uuid[])
           union all
           select id, shipment_id, true from containers where account_id = $1 and id = any($3::uuid[])`,
    values: [of.accountId, of.shipmentIds, of.containerIds],
  })
  return {
    shipmentIds: rows.filter(({ isContainer }) => !isContainer).map(({ id }) => id),
    containers: rows.filter(({ isContainer }) => isContainer),
  }
}

/**
 * The live shipments of the one party that has one of these names, in any case; none when several parties or no party
 * have them. Newest first.
 */
export async function findShipmentsOfCustomer(
  db: Db,
  of: { readonly accountId: string; readonly names: readonly string[]; readonly limit: number },
): Promise<readonly { readonly shipmentId: string; readonly companyName: string }[]> {
  const { rows } = await db.query<{ shipmentId: string; companyName: string }>({
    name: 'document_shipments_of_customer',
    text: `with meant as (
             select id, company_name from parties
              where account_id = $1 and lower(company_name) = any(array(select lower(n) from unnest($2::text[]) as n))
              limit 2
           )
           select s.id as "shipmentId", m.company_name as "companyName"
             from meant m join shipments s on s.account_id = $1 and s.customer_id = m.id
            where (select count(*) from meant) = 1 and s.tracking_stopped_at is null
            order by s.created_at desc, s.id limit $3`,
    values: [of.accountId, of.names, of.limit],
  })
  return rows
}
