/** `npm run bench`: measures what the service does against what the machine could do at best, and prints both. */

import { parseArgs } from 'node:util'
import { benchIngest } from './ingest.ts'
import { benchMerge } from './merge.ts'
import { type Figure, progress } from './measure.ts'
import { printFigures } from './report.ts'

const benches = { ingest: benchIngest, merge: benchMerge }
const { positionals } = parseArgs({ allowPositionals: true, options: {} })
const figures: Figure[] = []
for (const [name, bench] of Object.entries(benches)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  figures.push(...(await bench()))
}
printFigures(figures)
void progress
