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

/** Ids of shipments, found by their own numbers and those of their containers; null where the index is no help. */
export async function shipmentCandidates(db: Db, candidateQuery: CandidateQuery): Promise<readonly string[] | null> {
  const part = await normalizePart(db, candidateQuery.q)
  if (part === null) return null
  const { rows } = await db.query<{ id: string; met: number }>({
    name: 'search_shipment_candidates',
    text: `select id, count(*) over () as met from (
             select id from search_entries
              where account_id = $1 and kind = 'shipment' and strpos(body, $2) > 0
                and search_grams(account_id, kind, body) @> search_part($1, 'shipment', $2)
              limit $3) as own
           union all
           select c.shipment_id, count(*) over () from (
             select id from search_entries
              where account_id = $1 and kind = 'container' and strpos(body, $2) > 0
                and search_grams(account_id, kind, body) @> search_part($1, 'container', $2)
              limit $3) as e
             join containers c on c.account_id = $1 and c.id = e.id`,
    values: [candidateQuery.accountId, part, candidatesMax],
  })
  // Either half may have been cut off at the limit.
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
