/** The order of a list: which column it is by, and in which direction. */

/** Orders that the API reads by position; all others have page numbers alone, up to row 10,000. */
const byPosition = ['urgency', 'number', '-number', 'updated_at', '-updated_at', 'created_at', '-created_at']
export const sortAtFirst = 'urgency'

export interface Sortable {
  /** Ascending, as the API calls it; absent when the API cannot sort by it. */
  readonly sort?: string
  /** The first press on the head sorts the greatest first. */
  readonly isGreatestFirst?: boolean
}

export type Direction = 'ascending' | 'descending'

export const isByPosition = (sort: string): boolean => byPosition.includes(sort)

export function directionOf({ sort }: Sortable, order: string): Direction | null {
  if (sort === undefined) return null
  return order === sort ? 'ascending' : order === `-${sort}` ? 'descending' : null
}

/** The order after a press on the head of a column: one direction, the other, and then the first order again. */
export function nextOrder({ sort = '', isGreatestFirst = false }: Sortable, order: string): string {
  if (sort === sortAtFirst) return ''
  const turns = isGreatestFirst ? [`-${sort}`, sort] : [sort, `-${sort}`]
  return turns[turns.indexOf(order) + 1] ?? ''
}
