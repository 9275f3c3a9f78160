/**
 * Reads a whole list batch by batch, each from the position of the last row: a million rows need as much memory as a
 * thousand.
 */

import type { Page, PageRequest } from '../../store/lists/page.ts'
import { ServiceError } from '../errors.ts'

/**
 * Maximum rows of one export. A longer one is refused before the first row is sent, so that no export is cut off
 * unnoticed.
 */
export const exportedMax = 1_000_000
const batchSize = 500

/**
 * Each batch is a query of its own, so nothing stays open between batches. When the consumer stops early, no further
 * batch is read.
 */
export async function* walkList<Row>(
  read: (page: PageRequest) => Promise<Page<Row>>,
): AsyncGenerator<readonly Row[]> {
  let position: NonNullable<PageRequest['cursor']>['position'] = null
  for (;;) {
    const page = await read({ number: 1, size: batchSize, cursor: { side: 'after', position } })
    if (page.rows.length > 0) yield page.rows
    if (page.stand?.hasNext !== true) return
    position = page.stand.last
  }
}

/** `count`: null when it is above the maximum. */
export function requireExportable(count: number | null): void {
  if (count !== null) return
  throw new ServiceError(
    'invalid',
    `More than ${exportedMax.toLocaleString('en-US')} rows match. Narrow the filters, or walk the pages with \`page[after]\`.`,
    { source: { parameter: 'format' } },
  )
}
