/**
 * How good the model is on data that it has not seen. "Across": one source is left out, and the model is made from the
 * others. "Within": some groups of one source are learned as an account would learn them, and the others are tested.
 * Parameters are chosen without the tested data.
 */

import { seededChance } from '../../qa/bench/measure.ts'
import { carrierIndex } from '../../src/inference/carriers.ts'
import { evaluate, type Scores } from '../../src/inference/evaluate.ts'
import { createEvidence, learnOutcome } from '../../src/inference/evidence.ts'
import { computeBelief } from '../../src/inference/infer.ts'
import { type LabelledNumber, outcomesOf } from '../../src/inference/labelled.ts'
import { type Model, openModel } from '../../src/inference/model.ts'
import { nodeKey } from '../../src/inference/node-key.ts'
import { readNumber } from '../../src/inference/number.ts'
import { readEvidence } from '../../src/inference/shipped-evidence.ts'
import { countNodes, type Family, families, familyOf, type Transfer, yearOf } from './counts.ts'

export const transfers = [0, 0.03, 0.1, 0.3, 1] as const
export const learnedPart = 0.6
const withinSeeds = [1, 2, 3, 4, 5]
/** The largest factor is chosen whose surprise (in nats per number) is at most this much worse than the best. */
const harmless = 0.01

export interface Tried {
  readonly family: Family
  readonly transfer: number
  /** Mean surprise (in nats) per number on the sources that were left out. Each source has the same weight. */
  readonly surprise: number
}

export interface SourceScores {
  readonly source: string
  readonly scores: Scores
  readonly transfer: Transfer | null
}

export function sourcesOf(rows: readonly LabelledNumber[]): readonly string[] {
  return [...new Set(rows.map(sourceOf))]
}

/** All numbers are judged as if today were the end of the newest year. */
export function latestMonth(rows: readonly LabelledNumber[]): number {
  return Math.max(...rows.map(yearOf)) * 12 + 11
}

/**
 * Finds for each family how surprising left-out sources are with each factor. Most sources are one carrier's own list,
 * so they are biased about other carriers. The factor is the largest that does no harm on other sources.
 */
export function chooseTransfer(
  rows: readonly LabelledNumber[],
  month: number,
): { readonly transfer: Transfer; readonly tried: readonly Tried[] } {
  const tried: Tried[] = []
  const chosen: Record<Family, number> = { owned: 0, leased: 0, shipment: 0 }
  for (const family of families) {
    const ofFamily = transfers.map((transfer): Tried => {
      const only: Transfer = { owned: 0, leased: 0, shipment: 0, [family]: transfer }
      const surprises = sourcesOf(rows).flatMap((source) => surpriseOn(rows, source, family, only, month) ?? [])
      const surprise = surprises.reduce((sum, value) => sum + value, 0) / Math.max(1, surprises.length)
      return { family, transfer, surprise }
    })
    const least = Math.min(...ofFamily.map(({ surprise }) => surprise))
    chosen[family] = ofFamily.findLast(({ surprise }) => surprise <= least + harmless)?.transfer ?? 0
    tried.push(...ofFamily)
  }
  return { transfer: chosen, tried }
}

export interface WithoutSource {
  readonly source: string
  readonly transfer: Transfer
  readonly model: Model
}

/** For each source a model that is made from the others. Nested: the factors are also chosen without that source. */
export function leaveOneOut(rows: readonly LabelledNumber[], month: number): readonly WithoutSource[] {
  return sourcesOf(rows).map((source) => {
    const others = rows.filter((row) => sourceOf(row) !== source)
    const { transfer } = chooseTransfer(others, month)
    return { source, transfer, model: modelOf(others, transfer) }
  })
}

/** Scores each model on the rows of its source. A source without rows is left out. */
export function scoreLeftOut(
  models: readonly WithoutSource[],
  tested: readonly LabelledNumber[],
  options: { readonly month: number; readonly isTogether?: boolean },
): readonly SourceScores[] {
  return models.flatMap(({ source, transfer, model }) => {
    const rows = ofSource(tested, source)
    return rows.length === 0 ? [] : [{ source, transfer, scores: evaluate(rows, model, options) }]
  })
}

export interface WithinOptions {
  readonly transfer: Transfer
  readonly month: number
  /** Whether boxes of one group are judged together. */
  readonly isTogether?: boolean
}

/**
 * Uses several random parts of the groups, or of the rows if a source is one group. The rows of all parts are pooled.
 */
export function withinSource(
  rows: readonly LabelledNumber[],
  source: string,
  { transfer, month, isTogether = false }: WithinOptions,
): readonly Scores[] {
  const others = readEvidence(
    countNodes(
      rows.filter((row) => sourceOf(row) !== source),
      transfer,
    ),
  )
  return withinSeeds.map((seed) => {
    const { learned, tested } = split(ofSource(rows, source), seed)
    const own = createEvidence()
    for (const outcome of outcomesOf(learned, month)) learnOutcome(own, outcome)
    return evaluate(tested, openModel({ shipped: others, ownEvidence: own }), { month, isTogether })
  })
}

function split(rows: readonly LabelledNumber[], seed: number) {
  const chance = seededChance(seed)
  const groups = [...new Set(rows.map(({ group }) => group))]
  const isOneGroup = groups.length === 1
  const units: readonly (readonly LabelledNumber[])[] = isOneGroup
    ? rows.map((row) => [row])
    : groups.map((group) => rows.filter((row) => row.group === group))
  const shuffled = units
    .map((unit) => ({ unit, at: chance() }))
    .sort((a, b) => a.at - b.at)
    .map(({ unit }) => unit)
  const cut = Math.round(shuffled.length * learnedPart)
  return { learned: shuffled.slice(0, cut).flat(), tested: shuffled.slice(cut).flat() }
}

function surpriseOn(
  rows: readonly LabelledNumber[],
  source: string,
  family: Family,
  transfer: Transfer,
  month: number,
): number | null {
  const tested = ofSource(rows, source).filter(({ number, scac }) => {
    const node = nodeKey(number)
    return node !== null && familyOf(node) === family && carrierIndex(scac) !== 0
  })
  if (tested.length === 0) return null
  const model = modelOf(
    rows.filter((row) => sourceOf(row) !== source),
    transfer,
  )
  let sum = 0
  for (const { number, scac } of tested) {
    const reading = readNumber(number)
    if (reading === null) continue
    sum -= Math.log(Math.max(1e-6, computeBelief(reading, model, { month })[carrierIndex(scac)] ?? 0))
  }
  return sum / tested.length
}

function modelOf(rows: readonly LabelledNumber[], transfer: Transfer): Model {
  return openModel({ shipped: readEvidence(countNodes(rows, transfer)) })
}

function ofSource(rows: readonly LabelledNumber[], source: string): readonly LabelledNumber[] {
  return rows.filter((row) => sourceOf(row) === source)
}

export function sourceOf(row: LabelledNumber): string {
  return row.more['source'] ?? 'all'
}
