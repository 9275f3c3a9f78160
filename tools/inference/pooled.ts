/** Combines the scores of several sources. Each source has the same weight, whatever its size. */

import { type Decision, decisions } from '../../src/inference/decision.ts'
import {
  binCount,
  type ConfidenceBin,
  numberKinds,
  type RightShare,
  type RowKind,
  type Scores,
} from '../../src/inference/evaluate.ts'

export interface Pooled {
  readonly numberType: number | null
  readonly containers: number | null
  readonly kinds: Readonly<Record<RowKind, number | null>>
  /** The share of the numbers with this decision, and the share of those that is right. */
  readonly decisions: Readonly<Record<Decision, { readonly coverage: number; readonly precision: number | null }>>
  readonly bins: readonly ConfidenceBin[]
}

export function pool(all: readonly Scores[]): Pooled {
  const each = <Name extends string, Value>(names: readonly Name[], read: (name: Name) => Value) =>
    Object.fromEntries(names.map((name) => [name, read(name)])) as Readonly<Record<Name, Value>>
  return {
    numberType: meanShare(all.map(({ numberType }) => numberType)),
    containers: meanShare(all.map(({ containers }) => containers)),
    kinds: each(numberKinds, (kind) => meanShare(all.map(({ kinds }) => kinds[kind]))),
    decisions: each(decisions, (decision) => {
      const shares = all.map((scores) => ({ all: scores.rows, ...scores.decisions[decision] }))
      const coverage = shares.reduce((sum, { rows, all: total }) => sum + rows / total, 0)
      const right = shares.reduce((sum, { right: count, all: total }) => sum + count / total, 0)
      return { coverage: coverage / all.length, precision: coverage === 0 ? null : right / coverage }
    }),
    bins: Array.from({ length: binCount }, (_, index) => poolBin(all, index)),
  }
}

/** Adds the bins of several runs. Each number has the same weight. */
export function sumBins(all: readonly Scores[]): readonly ConfidenceBin[] {
  return Array.from({ length: binCount }, (_, index) => {
    const bins = all.flatMap(({ bins: each }) => each[index] ?? [])
    const rows = bins.reduce((sum, bin) => sum + bin.rows, 0)
    const confidence = bins.reduce((sum, bin) => sum + bin.confidence * bin.rows, 0)
    const right = bins.reduce((sum, bin) => sum + bin.right, 0)
    return { rows, right, confidence: rows === 0 ? 0 : confidence / rows }
  })
}

function poolBin(all: readonly Scores[], index: number): ConfidenceBin {
  let rows = 0
  let right = 0
  let sum = 0
  for (const { bins, rows: total } of all) {
    const bin = bins[index]
    if (bin === undefined) continue
    rows += bin.rows / total
    right += bin.right / total
    sum += (bin.confidence * bin.rows) / total
  }
  return { rows, right, confidence: rows === 0 ? 0 : sum / rows }
}

function meanShare(shares: readonly RightShare[]): number | null {
  const some = shares.filter(({ rows }) => rows > 0)
  return some.length === 0 ? null : some.reduce((sum, { rows, right }) => sum + right / rows, 0) / some.length
}
