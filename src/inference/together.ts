/**
 * Whose the numbers of one list are, judged together: boxes and numbers of one bill travel with one line, and whoever
 * ships with few lines sends lists of few lines. Each number's own belief is one expert; the others are what the list
 * says. How far they are heard is told by the list itself: one line, a few, or any.
 */

import { anotherCarrier, carrierCount, carrierIndex } from './carriers.ts'

/**
 * What lists are like before one is looked at. `oneLine`: a bill; of it one number in a hundred is another's all the same.
 * `fewLines`: a shipper's list, where a line that was seen once is that much likelier than by its share of the world.
 * The rest has nothing in common. Chosen on lists of the labelled sources: surprise a number changes little around these (model card).
 */
export const listKinds: ListKinds = { oneLine: 0.4, fewLines: 0.55, slip: 0.01, seenBefore: 1.5, common: 0.8 }

export interface ListKinds {
  readonly oneLine: number
  readonly fewLines: number
  readonly slip: number
  /** What was seen before any number of a shipper's list, in numbers. */
  readonly seenBefore: number
  /** How much of a shipper's list follows the list's own shares; the rest follows the world's. */
  readonly common: number
}

/** What a number says: what is believed of it, and what was believed before it was read. */
export interface Told {
  readonly belief: Float64Array
  readonly from: Float64Array
}

/** A told line may be told wrongly. */
const toldWrongly = 0.02
const rounds = 20
const settled = 1e-4

/**
 * Beliefs of numbers of one list, each corrected by the others. `shares`: what is believed of any number, which each
 * belief started from. The beliefs stay as they are; sums stay one.
 */
export function believeTogether(
  told: readonly Told[],
  shares: Float64Array,
  kinds: ListKinds = listKinds,
): readonly Float64Array[] {
  const beliefs = told.map(({ belief }) => belief)
  if (beliefs.length < 2) return beliefs
  const speaks = told.map(({ belief, from }) =>
    belief.map((value, carrier) => value / Math.max(1e-9, from[carrier] ?? 0)),
  )
  const one = asOneLine(beliefs, speaks, { shares, slip: kinds.slip })
  const few = asFewLines(speaks, shares, kinds)
  const logs = [
    Math.log(kinds.oneLine) + one.evidence,
    Math.log(kinds.fewLines) + few.evidence,
    Math.log(Math.max(1e-12, 1 - kinds.oneLine - kinds.fewLines)),
  ]
  const most = Math.max(...logs)
  const weights = logs.map((log) => Math.exp(log - most))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const [asOne = 0, asFew = 0, asAny = 0] = weights.map((weight) => weight / total)
  return beliefs.map((belief, at) =>
    belief.map(
      (value, carrier) =>
        asAny * value + asOne * (one.beliefs[at]?.[carrier] ?? 0) + asFew * (few.beliefs[at]?.[carrier] ?? 0),
    ),
  )
}

/** The belief in a number whose line is told: it may be told wrongly. */
export function toldBelief(scac: string, shares: Float64Array): Float64Array {
  const told = carrierIndex(scac)
  return shares.map((share, carrier) => share * toldWrongly + (carrier === told ? 1 - toldWrongly : 0))
}

interface ListFit {
  /** Log of how well the list fits, against numbers that have nothing in common. */
  readonly evidence: number
  readonly beliefs: readonly Float64Array[]
}

/** All of one line, but for slips: what each number says of it is multiplied. */
function asOneLine(
  beliefs: readonly Float64Array[],
  speaks: readonly Float64Array[],
  { shares, slip }: { readonly shares: Float64Array; readonly slip: number },
): ListFit {
  const logs = shares.map((share) => Math.log(Math.max(1e-12, share)))
  for (const speaker of speaks) {
    for (let carrier = 0; carrier < carrierCount; carrier += 1)
      logs[carrier] = (logs[carrier] ?? 0) + Math.log((1 - slip) * (speaker[carrier] ?? 0) + slip)
  }
  const most = Math.max(...logs)
  const lines = logs.map((log) => Math.exp(log - most))
  const total = lines.reduce((sum, value) => sum + value, 0)
  return {
    evidence: most + Math.log(total),
    beliefs: beliefs.map((belief, at) => {
      const parts = lines.map((line, carrier) => {
        const fits = (1 - slip) * (speaks[at]?.[carrier] ?? 0)
        return (line / total / (fits + slip)) * fits
      })
      const isLines = parts.reduce((sum, part) => sum + part, 0)
      return parts.map((part, carrier) => part + (1 - isLines) * (belief[carrier] ?? 0))
    }),
  }
}

/** Of lines in shares of the list's own, which are learned from it: the surest numbers first, then all once more. */
function asFewLines(speaks: readonly Float64Array[], shares: Float64Array, kinds: ListKinds): ListFit {
  const seen = new Float64Array(carrierCount)
  const surest = speaks
    .map((speaker, at) => ({ at, most: surenessOf(speaker, shares) }))
    .sort((a, b) => b.most - a.most || a.at - b.at)
  const found: Float64Array[] = speaks.map(() => new Float64Array(carrierCount))
  let evidence = 0
  for (const [before, { at }] of surest.entries()) {
    const belief = found[at]
    const speaker = speaks[at]
    if (belief === undefined || speaker === undefined) continue
    evidence += Math.log(weigh(belief, speaker, { shares, seen, before, kinds }))
    addTo(seen, belief, 1)
  }
  for (let round = 0; round < rounds; round += 1) {
    let moved = 0
    for (const [at, belief] of found.entries()) {
      const speaker = speaks[at]
      if (speaker === undefined) continue
      const old = belief.slice()
      addTo(seen, belief, -1)
      weigh(belief, speaker, { shares, seen, before: speaks.length - 1, kinds })
      addTo(seen, belief, 1)
      moved = Math.max(moved, ...belief.map((value, carrier) => Math.abs(value - (old[carrier] ?? 0))))
    }
    if (moved < settled) break
  }
  return { evidence, beliefs: found }
}

/** Writes the belief in one number, given what was seen of the others; returns how well it fits them. */
function weigh(
  belief: Float64Array,
  speaker: Float64Array,
  list: {
    readonly shares: Float64Array
    readonly seen: Float64Array
    readonly before: number
    readonly kinds: ListKinds
  },
): number {
  const { seenBefore, common } = list.kinds
  let total = 0
  for (let carrier = 0; carrier < carrierCount; carrier += 1) {
    const share = list.shares[carrier] ?? 0
    const own = (seenBefore * share + Math.max(0, list.seen[carrier] ?? 0)) / (seenBefore + list.before)
    const value = (speaker[carrier] ?? 0) * (common * own + (1 - common) * share)
    belief[carrier] = value
    total += value
  }
  for (let carrier = 0; carrier < carrierCount; carrier += 1) belief[carrier] = (belief[carrier] ?? 0) / total
  return total
}

function addTo(seen: Float64Array, belief: Float64Array, sign: 1 | -1): void {
  for (let carrier = 0; carrier < carrierCount; carrier += 1)
    seen[carrier] = (seen[carrier] ?? 0) + sign * (belief[carrier] ?? 0)
}

function surenessOf(speaker: Float64Array, shares: Float64Array): number {
  let most = 0
  for (let carrier = anotherCarrier; carrier < carrierCount; carrier += 1)
    most = Math.max(most, (speaker[carrier] ?? 0) * (shares[carrier] ?? 0))
  return most
}
