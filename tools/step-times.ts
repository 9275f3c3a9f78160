/**
 * Measures how long the steps of a container's way usually take in simulated journeys, from an event, or from the line's
 * estimate of the arrival, until the next event is told, and writes the table that serves where an account has no past.
 */

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { followWorld } from '../qa/sandbox/overdue.ts'
import { usualTimeOf } from '../src/domain/view/expectation.ts'

/** Other worlds than those by which `sandbox-proof` and the tests judge. */
const seeds = [9_001, 9_002, 9_003]
const shipments = 500
const file = new URL('../src/reference/data/step-times.tsv', import.meta.url)

const times = seeds.flatMap((seed) => followWorld({ seed, share: 0, shipments })).flatMap((each) => each.times)
// Passages differ, so a time since the departure is only compared with that of the same passage.
const compared = times.filter(({ step }) => !step.endsWith('>vessel_arrived') || step.startsWith('estimate'))
const rows = [...Map.groupBy(compared, ({ step }) => step)]
  .flatMap(([step, of]) => {
    const usual = usualTimeOf(of.map(({ hours }) => hours))
    return usual === null ? [] : [{ step, ...usual }]
  })
  .toSorted((a, b) => (a.step < b.step ? -1 : 1))
const text = [
  'step\tcases\tusual_hours\tlimit_hours',
  ...rows.map(({ step, cases, usualHours, limitHours }) =>
    [step, cases, usualHours.toFixed(1), limitHours.toFixed(1)].join('\t'),
  ),
  '',
].join('\n')
writeFileSync(file, text)
const source = {
  publisher: 'Landfall',
  edition: `simulated journeys, seeds ${seeds.join(', ')}`,
  changes:
    'Written by `node tools/run.mjs tools/step-times.ts`: the median and the limit that 95 of 100 keep to, of the time until the next event is told, in the sandbox.',
  licence: 'Apache-2.0',
  attribution: '',
  sha256: createHash('sha256').update(text).digest('hex'),
  rows: rows.length,
}
writeFileSync(new URL(`${file.href}.SOURCE.json`), `${JSON.stringify(source, null, 2)}\n`)
process.stdout.write(text)
