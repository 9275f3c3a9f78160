/**
 * Bounds of lists. A complete list is read batch by batch, each from the position of the last row: a million rows need
 * as much memory as a thousand.
 */

import type { Db } from '../db/database.ts'
import type { Page, PageRequest } from '../db/listing/page.ts'
import { isSortKeysOrder, readSortKeys, type SortValues } from '../db/listing/sorted-listing.ts'
import { ServiceError } from './errors.ts'
import type { Service } from './service.ts'

/**
 * Maximum rows of one export. A longer one is refused before the first row is sent, so that no export is cut off
 * unnoticed.
 */
const exportedMax = 1_000_000
const batchSize = 500

interface ExportedRows {
  readonly page: PageRequest
  readonly isCounted: boolean
}

/** All rows that match, for an export. Throws (`invalid`) before the first batch when more match than one export may have. */
export async function exportList<Of, Row>(
  { pool }: Service,
  of: Of,
  rows: {
    readonly count: (db: Db, of: Of & ExportedRows, bound: number) => Promise<number | null>
    readonly list: (db: Db, of: Of & ExportedRows) => Promise<Page<Row>>
  },
): Promise<AsyncGenerator<readonly Row[]>> {
  const anywhere = { number: 1, size: 1 }
  const count = await rows.count(pool, { ...of, page: anywhere, isCounted: false }, exportedMax)
  if (count === null)
    throw new ServiceError(
      'invalid',
      `More than ${exportedMax.toLocaleString('en-US')} rows match. Narrow the filters, or walk the pages with \`page[after]\`.`,
      { source: { parameter: 'format' } },
    )
  return walkList((page) => rows.list(pool, { ...of, page, isCounted: false }))
}

/**
 * Each batch is a query of its own, so nothing stays open between batches. When the consumer stops early, no further
 * batch is read.
 */
async function* walkList<Row>(read: (page: PageRequest) => Promise<Page<Row>>): AsyncGenerator<readonly Row[]> {
  let position: NonNullable<PageRequest['cursor']>['position'] = null
  for (;;) {
    const page = await read({ number: 1, size: batchSize, cursor: { side: 'after', position } })
    if (page.rows.length > 0) yield page.rows
    if (page.pagePosition?.hasNext !== true) return
    position = page.pagePosition.last
  }
}

/** Rows times the cost of their values. To read so many takes 1.2 s, on a busy machine 2 s. */
export const sortedValuesMax = 50_000

/**
 * Refuses an order that has no index where too many rows match: all of them would be read for each page. `count`: null
 * when more rows than the bound match. Throws `invalid` then.
 */
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
