/** How wrong one real line's published times were, by days ahead. A lower bound, and no statistic of lines. */

import { getCell, once, readTable } from './data-files.ts'

/** Hours from the published time to what happened: positive is later. */
export interface ScheduleErrors {
  readonly daysAheadMin: number
  readonly daysAheadMax: number
  readonly readings: number
  readonly meanAbsolute: number
  readonly mean: number
  readonly p10: number
  readonly p25: number
  readonly p50: number
  readonly p75: number
  readonly p90: number
}

/** In order of days ahead. A reading of exactly `daysAheadMax` belongs to the next row. */
export const scheduleErrors = once((): readonly ScheduleErrors[] =>
  readTable('schedule-errors.tsv', (cells) => {
    const at = (column: number): number => Number(getCell(cells, column))
    return {
      daysAheadMin: at(0),
      daysAheadMax: at(1),
      readings: at(2),
      meanAbsolute: at(3),
      mean: at(4),
      p10: at(5),
      p25: at(6),
      p50: at(7),
      p75: at(8),
      p90: at(9),
    }
  }),
)
