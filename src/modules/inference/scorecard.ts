/**
 * How good predictions have been here: for an account, and for the installation when enough accounts have confirmed
 * predictions.
 */

import { type Decision, decisions } from '../../inference/decision.ts'
import { calibrationError } from '../../inference/evaluate.ts'
import { type Context, requireScope } from '../access/context.ts'
import type { Service } from '../service.ts'
import { precisionMin, wilsonBounds } from './drift-watch.ts'
import { getPredictionBasis } from './learnt.ts'
import {
  countPredictedAccounts,
  countPredictions,
  countPredictionsOfAll,
  type PredictionCount,
} from './predictions-sql.ts'

export interface Precision {
  readonly cases: number
  readonly confirmed: number
  readonly right: number
  /** Share of the confirmed predictions that were right; null when none is confirmed. */
  readonly precision: number | null
}

export interface Score extends Precision {
  readonly decisions: Readonly<Record<Decision, Precision>>
  /** Of all predictions, how many chose a line without a question to the user. */
  readonly coverage: number | null
  /** Mean difference between the confidence and the share that was right. */
  readonly calibrationError: number | null
  readonly reliability: readonly {
    readonly from: number
    readonly to: number
    readonly confirmed: number
    readonly confidence: number
    readonly accuracy: number
  }[]
}

export interface LineScore extends Precision {
  readonly scac: string
  /** Counts automatic choices only. */
  readonly auto: Precision & { readonly lower: number; readonly upper: number }
  readonly isDemoted: boolean
}

export interface Scorecard {
  readonly account: Score
  readonly lines: readonly LineScore[]
  /** Null while fewer than three accounts that share have confirmed predictions. */
  readonly installation: Score | null
  readonly precisionMin: number
}

const accountsMin = 3

export async function readScorecard(service: Service, context: Context): Promise<Scorecard> {
  requireScope(context, 'read')
  const { account } = context
  const { isDemoted } = await getPredictionBasis(service, account)
  const ownCounts = await countPredictions(service.pool, { accountId: account.id })
  const accounts = await countPredictedAccounts(service.pool, account)
  const all = accounts < accountsMin ? null : await countPredictionsOfAll(service.pool, account)
  const byLine = [...Map.groupBy(ownCounts, ({ scac }) => scac)].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    account: scoreOf(ownCounts),
    lines: byLine.map(([scac, counts]) => {
      const auto = precisionOf(counts.filter(({ decision }) => decision === 'auto_select'))
      const bounds = wilsonBounds(auto.right, auto.confirmed)
      return { scac, ...precisionOf(counts), auto: { ...auto, ...bounds }, isDemoted: isDemoted([], scac) }
    }),
    installation: all === null ? null : scoreOf(all),
    precisionMin,
  }
}

function scoreOf(counts: readonly PredictionCount[]): Score {
  const whole = precisionOf(counts)
  const byDecision = (decision: Decision): Precision =>
    precisionOf(counts.filter((count) => count.decision === decision))
  const bins = Array.from({ length: 10 }, (_, band) => {
    const inside = counts.filter((count) => count.band === band)
    const { confirmed, right } = precisionOf(inside)
    const confidence = inside.reduce((sum, count) => sum + count.confidence, 0)
    return { rows: confirmed, right, confidence: confirmed === 0 ? 0 : confidence / confirmed }
  })
  return {
    ...whole,
    decisions: Object.fromEntries(decisions.map((each) => [each, byDecision(each)])) as Score['decisions'],
    coverage: whole.cases === 0 ? null : byDecision('auto_select').cases / whole.cases,
    calibrationError: whole.confirmed === 0 ? null : calibrationError(bins),
    reliability: bins.flatMap(({ rows, right, confidence }, band) =>
      rows === 0 ? [] : [{ from: band / 10, to: (band + 1) / 10, confirmed: rows, confidence, accuracy: right / rows }],
    ),
  }
}

function precisionOf(counts: readonly PredictionCount[]): Precision {
  const sum = (of: (count: PredictionCount) => number): number => counts.reduce((total, count) => total + of(count), 0)
  const confirmed = sum((count) => count.confirmed)
  const right = sum((count) => count.right)
  return {
    cases: sum((count) => count.cases),
    confirmed,
    right,
    precision: confirmed === 0 ? null : right / confirmed,
  }
}
