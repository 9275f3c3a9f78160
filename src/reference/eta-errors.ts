/**
 * How wrong estimates of arrival are, the line's and our own, by days ahead. `tools/eta-errors.ts` writes the table: of
 * the line from a real schedule, the rest as measured in the sandbox; its last column says which.
 */

import { type EtaErrors, etaKinds } from '../domain/vessels/eta-errors.ts'
import { getCell, once, readTable } from './data-files.ts'

/** Rows of each kind in order of days ahead. A row holds from its day until the day of the next row. */
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

/** The first days ahead of the rows. */
export const etaRowsFrom = once((): readonly number[] => [
  ...new Set(etaErrors().map(({ daysAheadMin }) => daysAheadMin)),
])
