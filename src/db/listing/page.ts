/**
 * Which page of a list is requested, and the result: its rows, the number of all rows, and the position of the page.
 */

export interface PageRequest {
  /** From 1. */
  readonly number: number
  readonly size: number
  /** Given instead of a number. Only some lists support it; their descriptions state it. */
  readonly cursor?: Cursor | null
}

/** The rows after a position in the list's order, or before it. With null: the rows at that end of the list. */
export interface Cursor {
  readonly side: 'after' | 'before'
  readonly position: Position | null
}

/** The position of a row: the value that the list is sorted by, as Postgres writes it, then its id. */
export interface Position {
  readonly value: string
  /** A whole number, in orders that compare one between the value and the id; else null. */
  readonly tie: string | null
  readonly id: string
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  /**
   * True when `total` is what the planner expects: more rows match than are counted, or counting them costs too much.
   */
  readonly isEstimated?: boolean
  readonly pagePosition?: PagePosition
}

/** The place of the page in its list. The positions are null when the page is empty. */
export interface PagePosition {
  readonly first: Position | null
  readonly last: Position | null
  readonly hasNext: boolean
  readonly hasPrevious: boolean
}

/**
 * Reads a page by a statement that gives `of_all` beside each row. Where the page has no row, a second read gets the
 * total.
 */
export async function readCounted<Row extends { readonly ofAll: number }>(
  page: PageRequest,
  read: (limit: number, offset: number) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  const rows = await read(...boundsOf(page))
  const [first] = rows.length > 0 || page.number === 1 ? rows : await read(1, 0)
  return { rows, total: first?.ofAll ?? 0 }
}

/**
 * Bounds of a time filter; both ends belong to the range. ISO instants, or days (YYYY-MM-DD) where the column has days or
 * its moments have a place: the whole day there.
 */
export interface TimeRange {
  readonly start: string | null
  readonly end: string | null
}

export const anyTime: TimeRange = { start: null, end: null }

/** `limit` and `offset` of a page. */
export function boundsOf(page: PageRequest): readonly [number, number] {
  return [page.size, (page.number - 1) * page.size]
}
