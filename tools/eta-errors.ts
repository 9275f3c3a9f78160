/**
 * Measures how wrong estimates of arrival are, the line's and our own, and writes the table that gives both their
 * weights and bands.
 */

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { sailingsOfEach, tableSeeds } from '../qa/bench/eta.ts'
import { type EtaMoment, etaMoments } from '../qa/bench/eta-samples.ts'
import type { EtaErrors, EtaKind } from '../src/domain/vessels/eta-errors.ts'
import { estimateArrival } from '../src/domain/vessels/own-eta.ts'
import { scheduleErrors } from '../src/reference/schedule-errors.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** The first days ahead of the rows. */
const rowsFrom = [0, 1, 2, 3, 5, 7, 10, 14, 21]
const file = new URL('../src/reference/data/eta-errors.tsv', import.meta.url)

/** How many hours after the estimate the ship arrived, and how many days ahead the estimate was made. */
interface Miss {
  readonly later: number
  readonly daysAhead: number
}

type Row = EtaErrors & { readonly estimates: number; readonly from: string }

const moments = tableSeeds.flatMap((seed) => etaMoments(seed, sailingsOfEach))
const any = { daysAheadMin: 0, p10: -1, p20: -1, p80: 1, p90: 1 }
const vessel = rowsOf('vessel', moments.flatMap(missOfVessel))
const line = rowsOfLine()
const both = rowsOf('both', moments.flatMap(missOfBoth))
const rows = [...vessel, ...line, ...both]

const text = [
  'of\tdays_ahead_min\tp10\tp20\tp80\tp90\testimates\tfrom',
  ...rows.map((row) =>
    [
      row.of,
      row.daysAheadMin,
      ...[row.p10, row.p20, row.p80, row.p90].map((p) => p.toFixed(1)),
      row.estimates,
      row.from,
    ].join('\t'),
  ),
  '',
].join('\n')
writeFileSync(file, text)
const source = {
  publisher: 'Landfall',
  edition: `simulated voyages, seeds ${tableSeeds.join(', ')}`,
  changes:
    'Written by `node tools/run.mjs tools/eta-errors.ts`: the errors of estimates of arrival, by what they are made of: of the line those of schedule-errors.tsv from a day ahead, the rest measured in the sandbox.',
  licence: 'Apache-2.0',
  attribution: '',
  sha256: createHash('sha256').update(text).digest('hex'),
  rows: rows.length,
}
writeFileSync(new URL(`${file.href}.SOURCE.json`), `${JSON.stringify(source, null, 2)}\n`)
process.stdout.write(text)

function missOfVessel({ known, atMs, arrivalMs }: EtaMoment): readonly Miss[] {
  const own = estimateArrival({ ...known, line: null, errors: [{ of: 'vessel', ...any }] })
  const etaMs = own === null ? null : Date.parse(own.eta)
  return etaMs === null ? [] : [{ later: (arrivalMs - etaMs) / hourMs, daysAhead: (etaMs - atMs) / dayMs }]
}

function missOfLine({ line: said, atMs, arrivalMs }: EtaMoment): readonly Miss[] {
  const etaMs = Date.parse(said.eta)
  return [{ later: (arrivalMs - etaMs) / hourMs, daysAhead: (etaMs - atMs) / dayMs }]
}

/** What a real schedule shows; where it shows nothing, what the sandbox's lines do. */
function rowsOfLine(): readonly Row[] {
  return rowsOf('line', moments.flatMap(missOfLine)).map((row) => {
    const real = scheduleErrors().findLast((each) => each.daysAheadMin <= row.daysAheadMin)
    if (real === undefined) return row
    // The schedule's table has no fifths. They lie a third of the way from a quarter to a tenth.
    const fifth = (quarter: number, tenth: number): number => quarter + (tenth - quarter) / 3
    const { p10, p25, p75, p90, readings } = real
    return {
      ...row,
      p10,
      p20: fifth(p25, p10),
      p80: fifth(p75, p90),
      p90,
      estimates: readings,
      from: 'schedule-errors.tsv',
    }
  })
}

/**
 * Errors of the combined estimate, in units of its spread. The spread follows from the errors of the parts: with the
 * rows in `any` the band ends one spread above the estimate.
 */
function missOfBoth({ known, line: said, atMs, arrivalMs }: EtaMoment): readonly Miss[] {
  const own = estimateArrival({ ...known, line: said, errors: [...vessel, ...line, { of: 'both', ...any }] })
  if (own === null || (own.madeOf?.line ?? null) === null) return []
  const etaMs = Date.parse(own.eta)
  const later = (arrivalMs - etaMs) / (Date.parse(own.latest) - etaMs)
  return [{ later, daysAhead: (etaMs - atMs) / dayMs }]
}

function rowsOf(of: EtaKind, misses: readonly Miss[]): readonly Row[] {
  return rowsFrom.map((daysAheadMin, row) => {
    const sorted = inRow(misses, row).toSorted((a, b) => a - b)
    const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? 0
    return {
      of,
      daysAheadMin,
      p10: at(0.1),
      p20: at(0.2),
      p80: at(0.8),
      p90: at(0.9),
      estimates: sorted.length,
      from: 'sandbox',
    }
  })
}

function inRow(misses: readonly Miss[], row: number): readonly number[] {
  const [from, until] = [rowsFrom[row] ?? 0, rowsFrom[row + 1] ?? Number.POSITIVE_INFINITY]
  return misses.flatMap(({ later, daysAhead }) =>
    Math.max(0, daysAhead) >= from && Math.max(0, daysAhead) < until ? [later] : [],
  )
}
