/** Which part of a list is asked for, and the answer: its rows beside the number of all, and where they stand. */

export interface PageRequest {
  /** From 1. */
  readonly number: number
  readonly size: number
  /** Asked for in place of a number; only lists that say so look at it. */
  readonly cursor?: Cursor | null
}

/** The rows that follow a position in the list's order, or go before it; null: those at that end of the list. */
export interface Cursor {
  readonly side: 'after' | 'before'
  readonly position: Position | null
}

/** Where a row stands: what the list is sorted by, as Postgres writes it, then its id. */
export interface Position {
  readonly value: string
  /** A whole number, in an order where one stands between the two; else null. */
  readonly tie: string | null
  readonly id: string
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  /** True when `total` is what the planner expects: more match than are counted, or to count them costs too much. */
  readonly isEstimated?: boolean
  readonly stand?: Stand
}

/** Where the page stands in its list; positions are null when it is empty. */
export interface Stand {
  readonly first: Position | null
  readonly last: Position | null
  readonly hasNext: boolean
  readonly hasPrevious: boolean
}

/** What a statement asks for that reads `of_all` beside each row: another time where the page has no row to tell it. */
export async function readCounted<Row extends { readonly ofAll: number }>(
  page: PageRequest,
  read: (limit: number, offset: number) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  const rows = await read(...boundsOf(page))
  const [first] = rows.length > 0 || page.number === 1 ? rows : await read(1, 0)
  return { rows, total: first?.ofAll ?? 0 }
}

/** Bounds of a time filter, ISO instants; both ends belong to the range. */
export interface TimeRange {
  readonly start: string | null
  readonly end: string | null
}

export const anyTime: TimeRange = { start: null, end: null }

/** `limit` and `offset` of a page. */
export function boundsOf(page: PageRequest): readonly [number, number] {
  return [page.size, (page.number - 1) * page.size]
}
