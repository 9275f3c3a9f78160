/** `landfall inference evaluate`: scores carrier inference on labelled numbers, in memory; no installation is opened. */

import { readFile } from 'node:fs/promises'
import { type Decision, decisions } from '../../inference/decision.ts'
import {
  calibrationError,
  evaluate,
  numberKinds,
  type Scores,
  type Share,
  shareRight,
} from '../../inference/evaluate.ts'
import { createEvidence, learn, monthOf } from '../../inference/evidence.ts'
import { infer } from '../../inference/infer.ts'
import { type LabelledNumber, outcomesOf, readLabelled } from '../../inference/labelled.ts'
import { type Model, openModel } from '../../inference/model.ts'
import { command } from './command.ts'

const speedSeconds = 1

export const inferenceEvaluate = command({
  name: 'inference evaluate',
  summary: 'Score carrier inference on a file of known numbers',
  about: `The CSV has the columns number, number_type (container, bill_of_lading, booking or, where the last two are not told
apart, shipment), scac and group (bill, vessel or list). With --learn the other file is learned first, as an account's
own outcomes. Nothing is stored. MAEU, SAFM, SEAU and SEJJ count as one carrier; numbers of carriers that are not
covered are no part of accuracy, and wrong in decisions and calibration. The shipped counts are used: a file that the
model was made from is no test.`,
  options: {
    test: { type: 'string', value: '<csv>', about: 'the numbers to be scored', isRequired: true },
    learn: { type: 'string', value: '<csv>', about: 'numbers to learn from before' },
    json: { type: 'boolean', about: 'print JSON' },
  },
  examples: [
    'inference evaluate --test numbers.csv',
    'inference evaluate --test rest.csv --learn part.csv --json',
  ],
  run: async ({ options, shell }) => {
    const month = monthOf(new Date())
    const tested = readLabelled(await readFile(options.test, 'utf8'))
    const learned = options.learn === null ? [] : readLabelled(await readFile(options.learn, 'utf8'))
    const own = createEvidence()
    for (const outcome of outcomesOf(learned, month)) learn(own, outcome)
    const model = learned.length === 0 ? openModel() : openModel({ own })
    const scores = evaluate(tested, model, { month })
    const report = {
      ...describe(scores),
      learned: learned.length,
      predictions_per_second: Math.round(measureSpeed(tested, model, month)),
    }
    if (options.json) shell.print(JSON.stringify(report, null, 2))
    else for (const line of writeScores(scores, report)) shell.print(line)
    return 0
  },
})

function describe(scores: Scores) {
  const accuracy = (share: Share) => ({
    numbers: share.rows,
    right: share.right,
    accuracy: shareRight(share),
  })
  const byDecision = (decision: Decision) => ({
    numbers: scores.decisions[decision].rows,
    coverage: scores.rows === 0 ? null : scores.decisions[decision].rows / scores.rows,
    precision: shareRight(scores.decisions[decision]),
  })
  return {
    numbers: scores.rows,
    outside_coverage: scores.outsideCoverage,
    number_type: accuracy(scores.numberType),
    carrier: {
      containers: accuracy(scores.containers),
      ...Object.fromEntries(
        numberKinds.map((kind) => [kind.replace(' ', '_'), accuracy(scores.kinds[kind])]),
      ),
    },
    listed_among_candidates: accuracy(scores.listed),
    decisions: Object.fromEntries(decisions.map((decision) => [decision, byDecision(decision)])),
    calibration_error: calibrationError(scores.bins),
    reliability: scores.bins
      .filter(({ rows }) => rows > 0)
      .map(({ rows, confidence, right }) => ({ numbers: rows, confidence, right: right / rows })),
  }
}

function writeScores(
  scores: Scores,
  { learned, predictions_per_second }: { readonly learned: number; readonly predictions_per_second: number },
): readonly string[] {
  const line = (name: string, share: Share) =>
    `${name.padEnd(28)}${percent(shareRight(share)).padStart(8)}  of ${share.rows}`
  return [
    `${scores.rows} numbers, ${scores.outsideCoverage} of them of carriers that are not covered; ${learned} learned before`,
    line('Number type', scores.numberType),
    line('Carrier of containers', scores.containers),
    ...numberKinds.map((kind) => line(`  ${kind}`, scores.kinds[kind])),
    line('Among the candidates', scores.listed),
    ...decisions.map((decision) => line(`${decision}, right`, scores.decisions[decision])),
    `${'Calibration error (ECE)'.padEnd(28)}${percent(calibrationError(scores.bins)).padStart(8)}`,
    `${'Predictions a second'.padEnd(28)}${String(predictions_per_second).padStart(8)}`,
  ]
}

function percent(value: number | null): string {
  return value === null ? '–' : `${(value * 100).toFixed(1)} %`
}

function measureSpeed(rows: readonly LabelledNumber[], model: Model, month: number): number {
  if (rows.length === 0) return 0
  let made = 0
  const startedAt = performance.now()
  while (performance.now() - startedAt < speedSeconds * 1_000) {
    for (const { number } of rows) infer(number, model, { month, isExplained: false })
    made += rows.length
  }
  return (made / (performance.now() - startedAt)) * 1_000
}
