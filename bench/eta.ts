/**
 * How wrong our own estimates of arrival are, compared with the line's, by days ahead; and whether their band contains
 * as many arrivals as it claims.
 */

import { etaErrors } from '../src/reference/eta-errors.ts'
import { type EtaSample, etaMoments, sampleEta } from './eta-samples.ts'
import { type Figure, progress } from './measure.ts'

/** The table of bands was made with these seeds (tools/eta-errors.ts). The benchmark uses other seeds. */
export const tableSeeds = [101, 102, 103]
const benchSeeds = [201, 202]
export const sailingsOfEach = 2

/** The first day ahead of each row. */
export const rowsFrom = [0, 1, 2, 3, 5, 7, 10, 14, 21]

export async function benchEta(): Promise<readonly Figure[]> {
  const moments = benchSeeds.flatMap((seed) => etaMoments(seed, sailingsOfEach))
  const samples = moments.flatMap((moment) => sampleEta(moment, etaErrors()) ?? [])
  progress(`eta: ${samples.length} estimates of ${benchSeeds.length} worlds`)
  const figures = rowsFrom.map((from, row) => {
    const until = rowsFrom[row + 1] ?? Number.POSITIVE_INFINITY
    const some = samples.filter(({ daysAhead }) => daysAhead >= from && daysAhead < until)
    const [own, line] = [meanError(some, 'ownErrorHours'), meanError(some, 'lineErrorHours')]
    const alone = meanError(some, 'vesselErrorHours').toFixed(1)
    const ahead = until === Number.POSITIVE_INFINITY ? `${from} days ahead and more` : `${from} to ${until} days ahead`
    return {
      bench: 'eta',
      what: `Mean absolute error of our own estimate of arrival, ${ahead}`,
      unit: 'h',
      figure: own,
      limit: { what: "the line's own estimate at the same moments", value: line },
      ratio: line === 0 ? null : own / line,
      aim: 'measured',
      isMet: true,
      note: `${some.length} estimates of ${benchSeeds.length} simulated worlds; without the line's word ${alone} h`,
      postgres: null,
    }
  })
  const covered = coverage(samples)
  return [
    ...figures,
    {
      bench: 'eta',
      what: 'Arrivals within the band that was told with the estimate',
      unit: '%',
      figure: covered,
      limit: { what: 'what the band promises', value: 80 },
      ratio: covered / 80,
      aim: 'from 75 to 85 %',
      isMet: covered >= 75 && covered <= 85,
      note: 'the band is measured on other worlds than these (tools/eta-errors.ts)',
      postgres: null,
    },
  ]
}

type Errors = 'ownErrorHours' | 'vesselErrorHours' | 'lineErrorHours'

function meanError(samples: readonly EtaSample[], of: Errors): number {
  return samples.reduce((sum, sample) => sum + Math.abs(sample[of]), 0) / Math.max(1, samples.length)
}

function coverage(samples: readonly EtaSample[]): number {
  const within = samples.filter(({ isWithin }) => isWithin)
  return (100 * within.length) / Math.max(1, samples.length)
}
