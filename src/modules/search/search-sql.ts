/**
 * Finds numbers and references by a part of them, in one account. `search_entries` has one row for each shipment,
 * container and request. Its index holds every three and every five neighbouring characters and each line as a whole,
 * hashed with account and kind (migration 0010, docs/decisions/0014).
 */

import type { Db } from '../../db/database.ts'
import type { FailedReason } from '../../domain/tracking-requests/tracking-request-state.ts'
import { removeInvisibleCharacters } from '../../domain/values/identifiers.ts'

export const searchKinds = ['shipment', 'container', 'tracking_request'] as const
export type SearchKind = (typeof searchKinds)[number]

export interface SearchMatch {
  readonly kind: SearchKind
  readonly id: string
  /** True when the complete number or reference matches the search. */
  readonly isExact: boolean
  readonly createdAt: string
  /** For a tracking request, once it has a shipment. */
  readonly shipmentId: string | null
}

interface PartQuery {
  readonly accountId: string
  /** As `search_tidy` returns it, with a line break where the beginning or end of a number must match. */
  readonly part: string
  readonly limit: number
}

const isExact = `strpos(body, E'\\n' || btrim($2, E'\\n') || E'\\n') > 0`
// For the other kinds the key is null, and nothing is looked up.
const shipmentOfRequest = `left join tracking_requests t
                    on t.account_id = $1 and t.id = case when m.kind = 'tracking_request' then m.id end`

const newestMatchesSql = (kind: SearchKind): string => `
    (select kind, id, created_at, body
       from (select kind, id, created_at, body from search_entries
              where account_id = $1 and kind = '${kind}' order by created_at desc, id limit $4) as newest
      where strpos(body, $2) > 0
      limit $3)`

const indexedMatchesSql = (kind: SearchKind): string => `
    (select kind, id, is_exact, created_at, total
       from (select kind, id, created_at, ${isExact} as is_exact, count(*) over () as total
               from (select kind, id, created_at, body from search_entries
                      where account_id = $1 and kind = '${kind}' and strpos(body, $2) > 0
                        and search_grams(account_id, kind, body) @> search_part($1, '${kind}', $2)
                        and '${kind}' = any($5::text[])
                      limit $4) as met) as counted
      order by is_exact desc, created_at desc, id limit $3)`

/**
 * The matches among the newest rows of every kind. Where many rows match, these are the newest of all, and the index is
 * not used, because it would have to go through all the others (measured on 300 rows of each kind: 0.7 ms).
 */
export async function peekMatches(
  db: Db,
  { accountId, part, limit, rowsMax }: PartQuery & { readonly rowsMax: number },
): Promise<readonly SearchMatch[]> {
  const { rows } = await db.query<SearchMatch>({
    name: 'search_peek',
    text: `select m.kind, m.id, ${isExact} as "isExact", m.created_at as "createdAt", t.shipment_id as "shipmentId"
             from (${searchKinds.map(newestMatchesSql).join(' union all ')}) as m ${shipmentOfRequest}`,
    values: [accountId, part, limit, rowsMax],
  })
  return rows
}

/**
 * The newest matches of these kinds by the index, exact ones first. `total` of a kind stops at `countMax`: then there
 * may be newer matches than these.
 */
export async function findMatches(
  db: Db,
  {
    accountId,
    part,
    limit,
    countMax,
    kinds,
  }: PartQuery & { readonly countMax: number; readonly kinds: readonly SearchKind[] },
): Promise<readonly (SearchMatch & { readonly total: number })[]> {
  const { rows } = await db.query<SearchMatch & { readonly total: number }>({
    name: 'search_matches',
    text: `select m.kind, m.id, m.is_exact as "isExact", m.created_at as "createdAt", m.total,
                  t.shipment_id as "shipmentId"
             from (${searchKinds.map(indexedMatchesSql).join(' union all ')}) as m ${shipmentOfRequest}`,
    values: [accountId, part, limit, countMax, kinds],
  })
  return rows
}

/**
 * The newest rows that have a part that many rows have. They are read from the newest on, so that it ends soon. It
 * gives up after `rowsMax` rows, because all rows that have the part may be old.
 */
export async function walkMatches(
  db: Db,
  { accountId, part, limit, kind, rowsMax }: PartQuery & { readonly kind: SearchKind; readonly rowsMax: number },
): Promise<readonly SearchMatch[]> {
  const { rows } = await db.query<SearchMatch>({
    name: 'search_walk',
    text: `select m.kind, m.id, ${isExact} as "isExact",
                  m.created_at as "createdAt", t.shipment_id as "shipmentId"
             from (select kind, id, created_at, body
                     from (select kind, id, created_at, body from search_entries
                            where account_id = $1 and kind = $4 order by created_at desc, id limit $5) as newest
                    where strpos(body, $2) > 0
                    limit $3) as m
             ${shipmentOfRequest}`,
    values: [accountId, part, limit, kind, rowsMax],
  })
  return rows
}

export interface NumberMatch {
  /** As it was sought. */
  readonly number: string
  readonly kind: 'shipment' | 'container'
  readonly id: string
  readonly shipmentId: string
}

/** Under one reference many may be tracked. They are in no order, so that the index is used. */
const ofOneNumberMax = 25

const wholeMatchesSql = (kind: NumberMatch['kind']): string => `
    (select kind, id from search_entries
      where account_id = $1 and kind = '${kind}' and strpos(body, n.part) > 0
        and search_grams(account_id, kind, body) @> search_part($1, '${kind}', n.part)
      limit ${ofOneNumberMax})`

/** Shipments and containers that have one of these as a whole number or reference. `place`: which, from 1. */
export async function findWholeNumbers(
  db: Db,
  of: { readonly accountId: string; readonly numbers: readonly string[] },
): Promise<readonly (Omit<NumberMatch, 'number'> & { readonly place: number })[]> {
  const { rows } = await db.query<Omit<NumberMatch, 'number'> & { readonly place: number }>({
    name: 'search_whole_numbers',
    text: `select n.place::integer, m.kind, m.id, coalesce(c.shipment_id, m.id) as "shipmentId"
             from (select place, E'\\n' || search_tidy(number) || E'\\n' as part
                     from unnest($2::text[]) with ordinality as u(number, place)) n
             cross join lateral (${wholeMatchesSql('container')} union all ${wholeMatchesSql('shipment')}) m
             left join containers c on m.kind = 'container' and c.account_id = $1 and c.id = m.id
            where length(n.part) > 5
            order by n.place, m.kind, m.id`,
    values: [of.accountId, of.numbers],
  })
  return rows
}

/** What a search shows of a match. It is read from the row itself, and for a container from its shipment too. */
export interface SearchDetail {
  readonly kind: SearchKind
  readonly id: string
  readonly number: string
  readonly shipmentId: string | null
  readonly scac: string | null
  readonly portOfLoading: { readonly unlocode: string | null; readonly name: string | null } | null
  readonly portOfDischarge: { readonly unlocode: string | null; readonly name: string | null } | null
  readonly isTrackingStopped: boolean | null
  readonly trackingStoppedReason: string | null
  readonly status: string | null
  /** Only for a shipment. */
  readonly containersCount: number | null
  readonly failedReason: FailedReason | null
  readonly refNumbers: readonly string[]
  readonly createdAt: string
  readonly updatedAt: string
}

/** In no particular order. */
export async function readSearchDetails(
  db: Db,
  of: {
    readonly accountId: string
    readonly matches: readonly { readonly kind: SearchKind; readonly id: string }[]
  },
): Promise<readonly SearchDetail[]> {
  const { rows } = await db.query<SearchDetail>({
    name: 'search_details',
    text: `select e.kind, e.id, coalesce(c.number, t.request_number, s.bill_of_lading_number) as number,
                  coalesce(s.id, t.shipment_id) as "shipmentId", coalesce(s.scac, t.scac) as scac,
                  s.projection #> '{portOfLoading,place}' as "portOfLoading",
                  s.projection #> '{portOfDischarge,place}' as "portOfDischarge",
                  case when e.kind = 'shipment' then cardinality(s.container_ids) end as "containersCount",
                  case when s.id is not null then s.tracking_stopped_at is not null end as "isTrackingStopped",
                  s.tracking_stopped_reason as "trackingStoppedReason", coalesce(c.status, t.status, s.status) as status,
                  t.failed_reason as "failedReason", coalesce(c.ref_numbers, t.ref_numbers, s.ref_numbers) as "refNumbers",
                  coalesce(c.created_at, t.created_at, s.created_at) as "createdAt",
                  coalesce(c.updated_at, t.updated_at, s.updated_at) as "updatedAt"
             from unnest($2::text[], $3::uuid[]) as e(kind, id)
             left join containers c on e.kind = 'container' and c.account_id = $1 and c.id = e.id
             left join tracking_requests t on e.kind = 'tracking_request' and t.account_id = $1 and t.id = e.id
             left join shipments s on s.account_id = $1
              and s.id = case e.kind when 'shipment' then e.id when 'container' then c.shipment_id
                                     else t.shipment_id end
            where coalesce(c.id, t.id, s.id) is not null`,
    values: [of.accountId, of.matches.map(({ kind }) => kind), of.matches.map(({ id }) => id)],
  })
  return rows
}

/** What people type, with blanks and hyphens as `search_tidy` knows them, and without characters that nobody sees. */
export function plainQuery(text: string): string {
  return removeInvisibleCharacters(text)
    .normalize('NFKC')
    .replace(/\s/g, ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
}

/** What people type, without blanks and punctuation, and in capitals. */
export async function normalizeSearch(db: Db, text: string): Promise<string> {
  const { rows } = await db.query<{ tidy: string }>({
    name: 'search_tidied',
    text: `select search_tidy($1) as tidy`,
    values: [plainQuery(text)],
  })
  return rows[0]?.tidy ?? ''
}
