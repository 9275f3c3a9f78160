/**
 * Which rows of a list can have a part of a number in them, by the index of searches. The list's `q` then checks only
 * these rows. Tidying a text never breaks up a part of it, so no row that has the part is missed.
 */

import type { Db } from '../../db/database.ts'
import { normalizeSearch } from './search-sql.ts'

/** More than these are no help: when many rows have a part, the list's own order finds them as soon. */
const candidatesMax = 5_000

interface CandidateQuery {
  readonly accountId: string
  /** As the user wrote it; null when nothing is searched. */
  readonly q: string | null
}

/** Texts of one request for which the index is asked. For more of them it is no help. */
const textsMax = 10

const entriesWithPart = (kind: 'shipment' | 'container'): string =>
  `select id from search_entries
    where account_id = $1 and kind = '${kind}' and strpos(body, $2) > 0
      and search_grams(account_id, kind, body) @> search_part($1, '${kind}', $2)
    limit $3`

interface CandidateRow {
  readonly id: string
  readonly met: number
}

/** Ids of the rows that one of the texts finds; null where the index is no help. */
export async function findCandidates(
  db: Db,
  of: {
    readonly accountId: string
    readonly texts: readonly string[]
    readonly find: typeof shipmentCandidates
  },
): Promise<readonly string[] | null> {
  if (of.texts.length > textsMax) return null
  const found = await Promise.all(of.texts.map((q) => of.find(db, { accountId: of.accountId, q })))
  return found.every((ids) => ids !== null) ? [...new Set(found.flat())] : null
}

/** Ids of shipments, found by their own numbers and those of their containers; null where the index is no help. */
export async function shipmentCandidates(db: Db, candidateQuery: CandidateQuery): Promise<readonly string[] | null> {
  const part = await normalizePart(db, candidateQuery.q)
  if (part === null) return null
  const { rows } = await db.query<CandidateRow>({
    name: 'search_shipment_candidates',
    text: `select id, count(*) over () as met from (${entriesWithPart('shipment')}) as own
           union all
           select c.shipment_id, count(*) over () from (${entriesWithPart('container')}) as e
             join containers c on c.account_id = $1 and c.id = e.id`,
    values: [candidateQuery.accountId, part, candidatesMax],
  })
  return completeIds(rows)
}

/** Ids of containers, found by their own numbers and those of their shipment; null where the index is no help. */
export async function containerCandidates(db: Db, candidateQuery: CandidateQuery): Promise<readonly string[] | null> {
  const part = await normalizePart(db, candidateQuery.q)
  if (part === null) return null
  const { rows } = await db.query<CandidateRow>({
    name: 'search_container_candidates',
    text: `select id, count(*) over () as met from (${entriesWithPart('container')}) as own
           union all
           select c.id, count(*) over () from (${entriesWithPart('shipment')}) as e
             join containers c on c.account_id = $1 and c.shipment_id = e.id`,
    values: [candidateQuery.accountId, part, candidatesMax],
  })
  return completeIds(rows)
}

/** Null when either half may have been cut off at the limit. */
function completeIds(rows: readonly CandidateRow[]): readonly string[] | null {
  return rows.every(({ met }) => met < candidatesMax) ? [...new Set(rows.map(({ id }) => id))] : null
}

export async function requestCandidates(db: Db, candidateQuery: CandidateQuery): Promise<readonly string[] | null> {
  const part = await normalizePart(db, candidateQuery.q)
  if (part === null) return null
  const { rows } = await db.query<{ id: string }>({
    name: 'search_request_candidates',
    text: `select id from search_entries
            where account_id = $1 and kind = 'tracking_request' and strpos(body, $2) > 0
              and search_grams(account_id, kind, body) @> search_part($1, 'tracking_request', $2)
            limit $3`,
    values: [candidateQuery.accountId, part, candidatesMax],
  })
  return rows.length < candidatesMax ? rows.map(({ id }) => id) : null
}

async function normalizePart(db: Db, q: string | null): Promise<string | null> {
  const part = q === null ? '' : await normalizeSearch(db, q)
  return [...part].length >= 3 ? part : null
}
