/**
 * How long the steps of a container's way usually take, where an account has too few containers of its own to tell.
 * `tools/step-times.ts` measures this on simulated journeys and writes the table.
 */

import type { UsualTime } from '../domain/view/expectation.ts'
import { getCell, once, readTable } from './data-files.ts'

/** By step, such as `vessel_arrived>vessel_discharged`. */
export const priorTimes = once(
  (): ReadonlyMap<string, UsualTime> =>
    new Map(
      readTable('step-times.tsv', (cells) => [
        getCell(cells, 0),
        {
          by: 'prior',
          cases: Number(getCell(cells, 1)),
          usualHours: Number(getCell(cells, 2)),
          limitHours: Number(getCell(cells, 3)),
        },
      ]),
    ),
)
