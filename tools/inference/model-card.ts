/** The model card: the sources of the model, its quality on data that it has not seen, and what it cannot do. */

import { decisions } from '../../src/inference/decision.ts'
import { calibrationError, numberKinds, type Scores, shareRight } from '../../src/inference/evaluate.ts'
import type { Transfer } from './counts.ts'
import { type Judged, writeJudged } from './judged.ts'
import { type Pooled, pool } from './pooled.ts'
import { learnedPart, type SourceScores, type Tried } from './validation.ts'

export interface Training {
  readonly file: string
  readonly sha256: string
  readonly rows: number
  readonly newestYear: number
  readonly transfer: Transfer
  readonly tried: readonly Tried[]
  readonly across: readonly SourceScores[]
  /** The same, only for numbers of covered carriers. */
  readonly acrossCovered: readonly SourceScores[]
  readonly within: readonly { readonly source: string; readonly scores: readonly Scores[] }[]
  readonly judged: readonly Judged[]
  readonly neighbours: readonly string[]
  readonly modelRows: number
  readonly modelBytes: number
}

export function writeCard(training: Training, text: readonly string[]): string {
  const across = pool(training.across.map(({ scores }) => scores))
  const covered = pool(training.acrossCovered.map(({ scores }) => scores))
  const within = training.within.map(({ source, scores }) => ({ source, pooled: pool(scores) }))
  return `${[
    '# Model card: carrier inference',
    '',
    'For everybody who wants to know how far a predicted line can be trusted. To judge the model on your own known numbers:',
    '',
    '```sh',
    'npm run landfall -- inference evaluate --test numbers.csv',
    '```',
    '',
    'Written by `npm run qa -- train-inference`; do not edit. How it decides: [inference.md](inference.md).',
    '',
    '## Made from',
    `\`npm run qa -- train-inference --from ${training.file}\` on a file of ${count(training.rows)} labelled numbers from ${training.across.length} sources, sha256 \`${training.sha256}\`. The file holds third parties' data and is not part of the product. The model file has ${count(training.modelRows)} nodes (${count(training.modelBytes)} bytes): counts over at least three numbers each, an owner code with at most three serial digits or a shape with at most five characters, no number. The same file gives the same bytes.`,
    '',
    `Everything is judged as if today were December ${training.newestYear}. A source is a list, a vessel or a manifest; "across" leaves one out and learns from the others, "within" learns ${learnedPart * 100} % of a source's groups (of its rows, where it is one group) and tests the rest, five times. {MAEU, SAFM, SEAU, SEJJ} count as one carrier. Numbers of carriers outside coverage are no part of accuracy; in decisions and calibration they count as wrong.`,
    '',
    '## Across: a source that nothing is known of',
    ...sourceTable(training.across),
    '',
    'Each source weighing the same:',
    '',
    ...pooledTable([
      ['All numbers', across],
      ['Covered carriers only', covered],
    ]),
    '',
    '## Within: after the account has seen some of the same population',
    ...pooledTable(within.map(({ source, pooled }) => [source, pooled])),
    '',
    '## Before and after',
    'Numbers of covered carriers. Cold: the source is left out. After 60 %: that part of its groups was learned as an account would, five times. By group: the numbers of one bill, vessel or list are judged together, as a batch of them is.',
    '',
    ...writeJudged(training.judged),
    '',
    '## Neighbours',
    'Leased boxes of covered lines.',
    '',
    ...training.neighbours,
    '',
    '## Calibration',
    '![Reliability curve](pictures/inference-reliability.svg)',
    '',
    '## How much of the data counts',
    'Surprise for each number (in nats), for each weight of the counts of the other sources, measured on a source that was not used for training. The largest weight is chosen that costs less than 0.01 against the best. In the figures above, the choice is repeated without the tested source.',
    '',
    ...transferTable(training),
    '',
    ...text,
  ].join('\n')}\n`
}

function sourceTable(across: readonly SourceScores[]): readonly string[] {
  return [
    `| Source | Numbers | Outside coverage | Number type | Containers | ${numberKinds.join(' | ')} | auto_select: part | right | ECE |`,
    `|---|${'---:|'.repeat(numberKinds.length + 7)}`,
    ...across.map(({ source, scores }) =>
      row([
        source,
        count(scores.rows),
        count(scores.outsideCoverage),
        part(shareRight(scores.numberType)),
        part(shareRight(scores.containers)),
        ...numberKinds.map((kind) => part(shareRight(scores.kinds[kind]))),
        part(scores.decisions.auto_select.rows / scores.rows),
        part(shareRight(scores.decisions.auto_select)),
        part(calibrationError(scores.bins)),
      ]),
    ),
  ]
}

function pooledTable(columns: readonly (readonly [name: string, pooled: Pooled])[]): readonly string[] {
  const line = (name: string, read: (pooled: Pooled) => number | null) =>
    row([name, ...columns.map(([, pooled]) => part(read(pooled)))])
  return [
    row(['', ...columns.map(([name]) => name)]),
    `|---|${'---:|'.repeat(columns.length)}`,
    line('Number type', ({ numberType }) => numberType),
    line('Containers', ({ containers }) => containers),
    ...numberKinds.map((kind) => line(`- ${kind}`, ({ kinds }) => kinds[kind])),
    ...decisions.flatMap((decision) => [
      line(`${decision}: part`, (pooled) => pooled.decisions[decision].coverage),
      line(`${decision}: right`, (pooled) => pooled.decisions[decision].precision),
    ]),
    line('Expected calibration error', ({ bins }) => calibrationError(bins)),
  ]
}

function transferTable({ tried, transfer }: Training): readonly string[] {
  const weights = [...new Set(tried.map((one) => one.transfer))]
  const familyNames = [...new Set(tried.map(({ family }) => family))]
  return [
    row(['', ...weights.map(String), 'taken']),
    `|---|${'---:|'.repeat(weights.length + 1)}`,
    ...familyNames.map((family) =>
      row([
        family,
        ...tried.filter((one) => one.family === family).map(({ surprise }) => surprise.toFixed(4)),
        String(transfer[family]),
      ]),
    ),
  ]
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function part(value: number | null): string {
  return value === null ? '–' : value.toFixed(3)
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}
