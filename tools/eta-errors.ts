/** Measures how far off our own estimates of arrival are and writes the table that their bands are read from. */

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { rowsFrom, sailingsOfEach, tableSeeds } from '../bench/eta.ts'
import { sampleEtas } from '../bench/eta-samples.ts'

const file = new URL('../src/reference/data/eta-errors.tsv', import.meta.url)
const samples = tableSeeds.flatMap((seed) => sampleEtas(seed, sailingsOfEach))
const rows = rowsFrom.map((from, row) => {
  const until = rowsFrom[row + 1] ?? Number.POSITIVE_INFINITY
  const errors = samples
    .filter(({ expectedDays }) => expectedDays >= from && expectedDays < until)
    .map(({ ownErrorHours }) => ownErrorHours)
    .toSorted((a, b) => a - b)
  const at = (part: number): string => (errors[Math.floor(part * (errors.length - 1))] ?? 0).toFixed(1)
  return [from, at(0.1), at(0.9), errors.length].join('\t')
})
const text = `days_ahead_min\tp10_hours\tp90_hours\testimates\n${rows.join('\n')}\n`
writeFileSync(file, text)
const source = {
  publisher: 'Landfall',
  edition: `simulated voyages, seeds ${tableSeeds.join(', ')}`,
  changes:
    'Written by `node tools/run.mjs tools/eta-errors.ts`: the errors of our own estimates of arrival in the sandbox.',
  licence: 'Apache-2.0',
  attribution: '',
  sha256: createHash('sha256').update(text).digest('hex'),
  rows: rows.length,
}
writeFileSync(new URL(`${file.href}.SOURCE.json`), `${JSON.stringify(source, null, 2)}\n`)
process.stdout.write(text)
