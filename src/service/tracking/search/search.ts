/** Search by any part of a number or reference: at most 25 hits; shipments, then containers, then tracking requests. */

import { readPasted } from '../../../inference/pasted.ts'
import type { Db } from '../../../store/database.ts'
import {
  findMatches,
  peekMatches,
  readSearchDetails,
  type SearchDetail,
  type SearchKind,
  type SearchMatch,
  searchKinds,
  tidySearch,
  walkMatches,
} from '../../../store/read/search.ts'
import { type Context, requireScope } from '../../context.ts'
import type { Service } from '../../service.ts'

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
 * Three characters are found anywhere in a number, two only at its beginning, and one only as the whole. When a text is
 * found nowhere as written, it is searched without the words around the number, and with its slip corrected.
 */
export async function search(
  service: Service,
  context: Context,
  { query }: { readonly query: string },
): Promise<readonly SearchHit[]> {
  requireScope(context, 'read')
  const found = await searchFor(service, context, query)
  if (found.length > 0) return found
  const pasted = readPasted(query)
  const meant = pasted.kind === 'number' ? pasted.number : pasted.kind === 'slip' ? pasted.meant : null
  return meant === null || meant === query ? [] : searchFor(service, context, meant)
}

async function searchFor(service: Service, context: Context, query: string): Promise<readonly SearchHit[]> {
  const db = service.pool
  const accountId = context.account.id
  const tidy = await tidySearch(db, query)
  if (tidy === '') return []
  const found = await findCandidates(db, { accountId, tidy })
  const chosen = choose(found)
  const details = await readSearchDetails(db, { accountId, matches: chosen })
  const byId = new Map(details.map((detail) => [`${detail.kind} ${detail.id}`, detail]))
  return chosen.flatMap(({ kind, id }) => {
    const detail = byId.get(`${kind} ${id}`)
    return detail === undefined ? [] : [detail]
  })
}

async function findCandidates(
  db: Db,
  { accountId, tidy }: { readonly accountId: string; readonly tidy: string },
): Promise<readonly SearchMatch[]> {
  const whole = `\n${tidy}\n`
  const length = [...tidy].length
  const part = length >= 3 ? tidy : length === 2 ? `\n${tidy}` : whole
  const asked = { accountId, limit: candidatesMax }
  const exact = await findMatches(db, { ...asked, part: whole, countMax: countMax + 1, kinds: searchKinds })
  if (part === whole) return exact
  const peeked = await peekMatches(db, { ...asked, part, rowsMax: peekMax })
  const of = (kind: SearchKind, matches: readonly SearchMatch[]) =>
    matches.filter((each) => each.kind === kind)
  // Kinds that come after one that fills the page are not shown, except for exact matches.
  const full = searchKinds.findIndex((kind) => of(kind, peeked).length >= hitsMax)
  const rare = full === -1 ? searchKinds : searchKinds.slice(0, full)
  const found =
    rare.length === 0 ? [] : await findMatches(db, { ...asked, part, countMax: countMax + 1, kinds: rare })
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
      : await walkMatches(db, { ...asked, limit: hitsMax, part, kind, rowsMax: walkMax })
    // When the newest rows contain no match, the matches that were found first are used.
    add(newest.length > 0 ? newest : met)
    if (newest.length >= hitsMax) return [...sorted.values()]
  }
  const filling = searchKinds[full]
  if (filling !== undefined) add(of(filling, peeked))
  return [...sorted.values()]
}

/** An exact match is never left out in favour of a number that only contains the text. */
function choose(found: readonly SearchMatch[]): readonly SearchMatch[] {
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
