/** How far off our own estimates of arrival are, by days ahead: measured by `npm run bench -- eta`, which writes the table. */

import type { EtaErrors } from '../core/own-eta.ts'
import { getCell, once, readTable } from './data-files.ts'

/** In order of days ahead; each row holds from its day up to the next one's. */
export const etaErrors = once((): readonly EtaErrors[] =>
  readTable('eta-errors.tsv', (cells) => ({
    daysAheadMin: Number(getCell(cells, 0)),
    p10Hours: Number(getCell(cells, 1)),
    p90Hours: Number(getCell(cells, 2)),
  })),
)
