/** Refuses an order that has no index in a list with too many rows: all of them would be read for each page. */

import { isSortKeysOrder, readSortKeys, type SortValues } from '../db/listing/sorted-listing.ts'
import { ServiceError } from './errors.ts'

/** Rows times the cost of their values. To read so many takes 1.2 s, on a busy machine 2 s. */
export const sortedValuesMax = 50_000

/** `count`: null when more rows than the bound match. Throws `invalid` then. */
export async function requireFewToSort(
  { order, values }: { readonly order: string; readonly values: SortValues },
  count: (bound: number) => Promise<number | null>,
): Promise<void> {
  if (!isSortKeysOrder(order)) return
  const cost = readSortKeys(order, values).reduce((sum, key) => sum + key.cost, 0)
  const bound = Math.floor(sortedValuesMax / cost)
  if ((await count(bound)) !== null) return
  throw new ServiceError(
    'invalid',
    `More than ${bound.toLocaleString('en-US')} rows match, too many to sort by this. Add a filter, or sort by fewer values or by one that has an index.`,
    { source: { parameter: 'sort' } },
  )
}
