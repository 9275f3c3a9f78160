/** Search by any part of a number or reference: at most 25 hits; shipments, then containers, then tracking requests. */

import type { Db } from '../../db/database.ts'
import { readPasted } from '../../inference/pasted.ts'
import { type Context, requireScope } from '../access/context.ts'
import type { Service } from '../service.ts'
import {
  findMatches,
  normalizeSearch,
  peekMatches,
  readSearchDetails,
  type SearchDetail,
  type SearchKind,
  type SearchMatch,
  searchKinds,
  walkMatches,
} from './search-sql.ts'

export type SearchHit = SearchDetail

const hitsMax = 25
/** More than `hitsMax`, because requests whose shipment is listed are left out afterwards. */
const candidatesMax = 50
/** How many of the newest rows of each kind are searched first. */
const peekMax = 300
/** When a kind has more matches than this, they are not sorted. Its rows are then read from the newest on. */
const countMax = 1_000
const walkMax = 50_000

/**
 * Three characters are found anywhere in a number, two only at its beginning, and one only as the complete number. When
 * a text is found nowhere as written, it is searched without the words around the number, and with its typing mistake
 * corrected.
 */
export async function search(
  service: Service,
  context: Context,
  { query }: { readonly query: string },
): Promise<readonly SearchHit[]> {
  requireScope(context, 'read')
  const pasted = readPasted(query)
  // With its marks removed, this would be another number.
  const isAsWritten = pasted.kind !== 'changed'
  const found = isAsWritten ? await searchFor(service, context, query) : []
  if (found.length > 0) return found
  const resolved = 'corrected' in pasted ? pasted.corrected : 'number' in pasted ? pasted.number : null
  return resolved === null || resolved === query ? [] : searchFor(service, context, resolved)
}

async function searchFor(service: Service, context: Context, query: string): Promise<readonly SearchHit[]> {
  const db = service.pool
  const accountId = context.account.id
  const normalized = await normalizeSearch(db, query)
  if (normalized === '') return []
  const found = await findCandidates(db, { accountId, normalized })
  const chosen = chooseMatches(found)
  const details = await readSearchDetails(db, { accountId, matches: chosen })
  const byId = new Map(details.map((detail) => [`${detail.kind} ${detail.id}`, detail]))
  return chosen.flatMap(({ kind, id }) => {
    const detail = byId.get(`${kind} ${id}`)
    return detail === undefined ? [] : [detail]
  })
}

async function findCandidates(
  db: Db,
  { accountId, normalized }: { readonly accountId: string; readonly normalized: string },
): Promise<readonly SearchMatch[]> {
  const whole = `\n${normalized}\n`
  const length = [...normalized].length
  const pattern = length >= 3 ? normalized : length === 2 ? `\n${normalized}` : whole
  const scope = { accountId, limit: candidatesMax }
  const exact = await findMatches(db, { ...scope, part: whole, countMax: countMax + 1, kinds: searchKinds })
  if (pattern === whole) return exact
  const peeked = await peekMatches(db, { ...scope, part: pattern, rowsMax: peekMax })
  const of = (kind: SearchKind, matches: readonly SearchMatch[]) => matches.filter((each) => each.kind === kind)
  // Kinds that come after one that fills the page are not shown, except for exact matches.
  const full = searchKinds.findIndex((kind) => of(kind, peeked).length >= hitsMax)
  const rare = full === -1 ? searchKinds : searchKinds.slice(0, full)
  const found =
    rare.length === 0 ? [] : await findMatches(db, { ...scope, part: pattern, countMax: countMax + 1, kinds: rare })
  const sorted = new Map<string, SearchMatch>()
  const add = (matches: readonly SearchMatch[]) => {
    for (const match of matches) sorted.set(`${match.kind} ${match.id}`, match)
  }
  add(exact)
  for (const kind of rare) {
    const met = found.filter((each) => each.kind === kind)
    const isSorted = met.every(({ total }) => total <= countMax)
    const newest = isSorted
      ? []
      : await walkMatches(db, { ...scope, limit: hitsMax, part: pattern, kind, rowsMax: walkMax })
    // When the newest rows contain no match, the matches that were found first are used.
    add(newest.length > 0 ? newest : met)
    if (newest.length >= hitsMax) return [...sorted.values()]
  }
  const filling = searchKinds[full]
  if (filling !== undefined) add(of(filling, peeked))
  return [...sorted.values()]
}

/** An exact match is never left out in favour of a number that only contains the text. */
function chooseMatches(found: readonly SearchMatch[]): readonly SearchMatch[] {
  const shipments = new Set(found.flatMap(({ kind, id }) => (kind === 'shipment' ? [id] : [])))
  const isOfListed = ({ kind, shipmentId }: SearchMatch): boolean =>
    kind === 'tracking_request' && shipmentId !== null && shipments.has(shipmentId)
  const wanted = found.filter((match) => !isOfListed(match)).toSorted(inOrder)
  const first = [...wanted.filter(({ isExact }) => isExact), ...wanted.filter(({ isExact }) => !isExact)]
  return first.slice(0, hitsMax).toSorted(inOrder)
}

function inOrder(a: SearchMatch, b: SearchMatch): number {
  return (
    searchKinds.indexOf(a.kind) - searchKinds.indexOf(b.kind) ||
    (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : a.id < b.id ? -1 : 1)
  )
}
