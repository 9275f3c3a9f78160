/** A whole list, batch by batch, by the position of the last row: as much memory for a million rows as for a thousand. */

import type { Page, PageRequest } from '../../store/read/page.ts'
import { ServiceError } from '../errors.ts'

/** Rows at most in one export; more are refused before the first is sent, so that none is cut off unseen. */
export const exportedMax = 1_000_000
const batchSize = 500

/** Each batch is a question of its own, so nothing is held open between them; a consumer that ends early ends it all. */
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

/** `count`: null beyond the bound. */
export function requireExportable(count: number | null): void {
  if (count !== null) return
  throw new ServiceError(
    'invalid',
    `More than ${exportedMax.toLocaleString('en-US')} rows match. Narrow the filters, or walk the pages with \`page[after]\`.`,
    { source: { parameter: 'format' } },
  )
}
