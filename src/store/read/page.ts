/** Which part of a list is asked for, and the answer: the rows of that page beside the number of all. */

export interface PageRequest {
  /** From 1. */
  readonly number: number
  readonly size: number
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
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
