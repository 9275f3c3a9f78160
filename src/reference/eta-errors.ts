/** How far off estimates of arrival are, the line's and our own, by days ahead: measured by `tools/eta-errors.ts`, which writes the table. */

import { type EtaErrors, etaKinds } from '../core/vessels/own-eta.ts'
import { getCell, once, readTable } from './data-files.ts'

/** Of each kind in order of days ahead; each row holds from its day up to the next one's. */
export const etaErrors = once((): readonly EtaErrors[] =>
  readTable('eta-errors.tsv', (cells) => {
    const of = etaKinds.find((kind) => kind === getCell(cells, 0))
    if (of === undefined) throw new Error(`eta-errors.tsv: ${getCell(cells, 0)} is no kind of estimate`)
    return {
      of,
      daysAheadMin: Number(getCell(cells, 1)),
      p10: Number(getCell(cells, 2)),
      p20: Number(getCell(cells, 3)),
      p80: Number(getCell(cells, 4)),
      p90: Number(getCell(cells, 5)),
    }
  }),
)
