/**
 * `npm run qa -- train-inference --from <csv>`: judges the model on labelled numbers that it has not seen, then writes the
 * shipped counts, the model card and its picture. The file needs the columns number, number_type, scac, group, source
 * and year. With `--judge` it prints the figures with each source left out in turn, and writes nothing.
 */

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { anotherCarrier, carrierIndex } from '../src/inference/carriers.ts'
import { readLabelled } from '../src/inference/labelled.ts'
import { modelFile } from '../src/inference/shipped-evidence.ts'
import { closingText } from './inference/card-text.ts'
import { countNodes, yearOf } from './inference/counts.ts'
import { type Judged, writeJudged } from './inference/judged.ts'
import { writeCard } from './inference/model-card.ts'
import { writeNeighbours } from './inference/neighbours.ts'
import { pool } from './inference/pooled.ts'
import { drawReliability } from './inference/reliability-picture.ts'
import {
  chooseTransfer,
  latestMonth,
  leaveOneOut,
  scoreLeftOut,
  sourceOf,
  sourcesOf,
  withinSource,
} from './inference/validation.ts'

const { values } = parseArgs({ options: { from: { type: 'string' }, judge: { type: 'boolean' } } })
if (values.from === undefined) {
  console.error('Say where the labelled numbers are: npm run qa -- train-inference --from <csv>')
  process.exit(1)
}
const root = join(import.meta.dirname, '..')
const bytes = readFileSync(values.from)
const rows = readLabelled(bytes.toString('utf8'))
const month = latestMonth(rows)

const { transfer, tried } = chooseTransfer(rows, month)
const leftOut = leaveOneOut(rows, month)
const across = scoreLeftOut(leftOut, rows, { month })
const covered = rows.filter(({ scac }) => carrierIndex(scac) !== anotherCarrier)
const acrossCovered = scoreLeftOut(leftOut, covered, { month })
const within = sourcesOf(covered)
  .filter((source) => covered.filter((row) => sourceOf(row) === source).length >= 200)
  .map((source) => ({ source, scores: withinSource(rows, source, { transfer, month }) }))
const judged = judge()
if (values.judge === true) {
  for (const line of writeJudged(judged)) console.log(line)
  process.exit(0)
}

const nodes = countNodes(rows, transfer)
const table = Buffer.from(`${['node\tmonth\tcounts', ...nodes.map((cells) => cells.join('\t'))].join('\n')}\n`)
const packed = gzipSync(table, { level: 9 })
const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest('hex')
write(`src/inference/data/${modelFile}`, packed)
const source = {
  publisher: 'Landfall',
  edition: `labelled numbers until ${Math.max(...rows.map(yearOf))}`,
  licence: 'Apache-2.0; aggregated counts',
  attribution: '',
  changes: 'Counts over nodes of at least three numbers; see docs/inference-model-card.md.',
  sha256: sha256(packed),
  rows: nodes.length,
  raw: [{ file: `inference/${basename(values.from)}`, sha256: sha256(bytes) }],
}
write(`src/inference/data/${modelFile}.SOURCE.json`, `${JSON.stringify(source, null, 2)}\n`)
write(
  'docs/inference-model-card.md',
  writeCard(
    {
      file: `<path>/${basename(values.from)}`,
      sha256: sha256(bytes),
      rows: rows.length,
      newestYear: Math.max(...rows.map(yearOf)),
      transfer,
      tried,
      across,
      acrossCovered,
      within,
      judged,
      neighbours: writeNeighbours(rows),
      modelRows: nodes.length,
      modelBytes: packed.length,
    },
    closingText,
  ),
)
const bay = pool(within.flatMap(({ scores }) => scores))
write(
  'docs/pictures/inference-reliability.svg',
  drawReliability([
    {
      name: 'across: sources left out, each weighing the same',
      colour: '#b45309',
      bins: pool(across.map(({ scores }) => scores)).bins,
    },
    { name: 'within: after learning part of the source', colour: '#1d4ed8', bins: bay.bins },
  ]),
)

function judge(): readonly Judged[] {
  const together = scoreLeftOut(leftOut, covered, { month, isTogether: true })
  const cold = acrossCovered.map(({ source, scores }) => ({
    source,
    setting: 'cold' as const,
    alone: [scores],
    byGroup: together.filter((one) => one.source === source).map((one) => one.scores),
  }))
  const learnt = within.map(({ source, scores }) => ({
    source,
    setting: 'learnt' as const,
    alone: scores,
    byGroup: withinSource(rows, source, { transfer, month, isTogether: true }),
  }))
  return [...cold, ...learnt]
}

function write(path: string, content: string | Uint8Array): void {
  writeFileSync(join(root, path), content)
  console.log(`${path} is written.`)
}
