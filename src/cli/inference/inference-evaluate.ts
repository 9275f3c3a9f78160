/** `landfall inference evaluate`: scores carrier inference on labelled numbers, in memory. It opens no installation. */

import { readFile } from 'node:fs/promises'
import { type Decision, decisions } from '../../inference/decision.ts'
import {
  calibrationError,
  evaluate,
  numberKinds,
  type RightShare,
  type Scores,
  shareRight,
} from '../../inference/evaluate.ts'
import { createEvidence, learnOutcome, monthOf } from '../../inference/evidence.ts'
import { makeInference } from '../../inference/infer.ts'
import { type LabelledNumber, outcomesOf, readLabelled } from '../../inference/labelled.ts'
import { type Model, openModel } from '../../inference/model.ts'
import { defineCommand } from '../framework/command.ts'

const speedSeconds = 1

export const inferenceEvaluate = defineCommand({
  about: `The CSV has the columns number, number_type (container, bill_of_lading, booking or, where the last two are not told
apart, shipment), scac and group (bill, vessel or list). With --learn the other file is learned first, as an account's
own outcomes. Nothing is stored. MAEU, SAFM, SEAU and SEJJ count as one carrier; numbers of carriers that are not
covered do not count in accuracy; they count as wrong in decisions and calibration. Each number is scored alone, and also with
the others of its group, as in a batch. The shipped model is used, so do not test with a file
from which the model was made.`,
  options: {
    test: {
      type: 'string',
      value: '<csv>',
      about: 'the numbers whose predictions are scored',
      isRequired: true,
    },
    learn: { type: 'string', value: '<csv>', about: 'numbers from which inference learns first' },
    json: { type: 'boolean', about: 'print JSON' },
  },
  examples: ['inference evaluate --test numbers.csv', 'inference evaluate --test rest.csv --learn part.csv --json'],
  run: async ({ options, shell }) => {
    const month = monthOf(new Date())
    const tested = readLabelled(await readFile(options.test, 'utf8'))
    const learned = options.learn === null ? [] : readLabelled(await readFile(options.learn, 'utf8'))
    const learnedEvidence = createEvidence()
    for (const outcome of outcomesOf(learned, month)) learnOutcome(learnedEvidence, outcome)
    const model = learned.length === 0 ? openModel() : openModel({ ownEvidence: learnedEvidence })
    const scores = evaluate(tested, model, { month })
    const together = evaluate(tested, model, { month, isTogether: true })
    const report = {
      ...describeScores(scores),
      together: describeScores(together),
      learned: learned.length,
      predictions_per_second: Math.round(measureSpeed(tested, model, month)),
    }
    if (options.json) shell.print(JSON.stringify(report, null, 2))
    else for (const line of writeScores(scores, { ...report, together })) shell.print(line)
    return 0
  },
})

function describeScores(scores: Scores) {
  const accuracy = (share: RightShare) => ({
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
      all: accuracy(sumScores(scores)),
      containers: accuracy(scores.containers),
      ...Object.fromEntries(numberKinds.map((kind) => [kind.replace(' ', '_'), accuracy(scores.kinds[kind])])),
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
  {
    learned,
    predictions_per_second,
    together,
  }: { readonly learned: number; readonly predictions_per_second: number; readonly together: Scores },
): readonly string[] {
  const line = (name: string, read: (scores: Scores) => RightShare) => {
    const [alone, inGroup] = [read(scores), read(together)]
    const shares = [alone, inGroup].map((share) => formatPercent(shareRight(share)).padStart(8))
    const of = alone.rows === inGroup.rows ? `${alone.rows}` : `${alone.rows} and ${inGroup.rows}`
    return `${name.padEnd(28)}${shares.join('  ')}  of ${of}`
  }
  return [
    `${scores.rows} numbers, ${scores.outsideCoverage} of them of carriers that are not covered; ${learned} learned before`,
    `${''.padEnd(28)}${'alone'.padStart(8)}  ${'by group'.padStart(8)}`,
    line('Number type', ({ numberType }) => numberType),
    line('Carrier', sumScores),
    line('  containers', ({ containers }) => containers),
    ...numberKinds.map((kind) => line(`  ${kind}`, ({ kinds }) => kinds[kind])),
    line('Among the candidates', ({ listed }) => listed),
    ...decisions.map((decision) => line(`${decision}, right`, (read) => read.decisions[decision])),
    `${'Calibration error (ECE)'.padEnd(28)}${[scores, together].map(({ bins }) => formatPercent(calibrationError(bins)).padStart(8)).join('  ')}`,
    `${'Predictions a second'.padEnd(28)}${String(predictions_per_second).padStart(8)}`,
  ]
}

/** The sum over all numbers of covered carriers. */
function sumScores({ kinds }: Scores): RightShare {
  const all = Object.values(kinds)
  return {
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    right: all.reduce((sum, { right }) => sum + right, 0),
  }
}

function formatPercent(value: number | null): string {
  return value === null ? '–' : `${(value * 100).toFixed(1)} %`
}

function measureSpeed(rows: readonly LabelledNumber[], model: Model, month: number): number {
  if (rows.length === 0) return 0
  let made = 0
  const startedAt = performance.now()
  while (performance.now() - startedAt < speedSeconds * 1_000) {
    for (const { number } of rows) makeInference(number, model, { month, isExplained: false })
    made += rows.length
  }
  return (made / (performance.now() - startedAt)) * 1_000
}
