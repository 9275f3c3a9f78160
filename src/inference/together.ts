/**
 * Judges the numbers of one list together. Containers and numbers of one bill travel with one line, and a shipper who
 * uses few lines sends lists of few lines. The belief about each number is combined with what the list suggests. How
 * much the list counts depends on how well it fits one of three kinds: one line, few lines, or any lines.
 */

import { anotherCarrier, carrierCount, carrierIndex } from './carriers.ts'

/**
 * The kinds of lists, before a list is read. `oneLine`: the probability of a bill; one in a hundred of its numbers
 * (`slip`) still belongs to another line. `fewLines`: the probability of a shipper's list, in which lines that occur
 * once are more likely to occur again. The numbers of other lists have nothing in common. Chosen on lists of the
 * labelled sources: the surprise per number changes little around these values (model card).
 */
export const listKinds: ListKinds = { oneLine: 0.4, fewLines: 0.55, slip: 0.01, seenBefore: 1.5, common: 0.8 }

export interface ListKinds {
  readonly oneLine: number
  readonly fewLines: number
  readonly slip: number
  /** How many numbers of a list the world's shares count for, before any number of the list was seen. */
  readonly seenBefore: number
  /** How much of a shipper's list follows the list's own shares; the rest follows the world's. */
  readonly common: number
}

/** The belief about a number, and the prior belief from which it was made. */
export interface ListedBelief {
  readonly belief: Float64Array
  readonly from: Float64Array
}

/** The probability that a given line is wrong. */
const wrongLineShare = 0.02
const rounds = 20
const convergedBelow = 1e-4

/**
 * Corrects the beliefs about the numbers of one list by one another. `shares`: the prior belief about any number. The
 * input is not changed. Each result sums to one.
 */
export function correctBeliefs(
  listed: readonly ListedBelief[],
  shares: Float64Array,
  kinds: ListKinds = listKinds,
): readonly Float64Array[] {
  const beliefs = listed.map(({ belief }) => belief)
  if (beliefs.length < 2) return beliefs
  const likelihoods = listed.map(({ belief, from }) =>
    belief.map((value, carrier) => value / Math.max(1e-9, from[carrier] ?? 0)),
  )
  const one = asOneLine(beliefs, likelihoods, { shares, slip: kinds.slip })
  const few = asFewLines(likelihoods, shares, kinds)
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

/** The belief about a number with a given line, which may be wrong. */
export function givenLineBelief(scac: string, shares: Float64Array): Float64Array {
  const givenCarrier = carrierIndex(scac)
  return shares.map((share, carrier) => share * wrongLineShare + (carrier === givenCarrier ? 1 - wrongLineShare : 0))
}

interface ListFit {
  /** The logarithm of how well the list fits, compared with numbers that have nothing in common. */
  readonly evidence: number
  readonly beliefs: readonly Float64Array[]
}

/**
 * Assumes that all numbers belong to one line, except for slips. The information of all numbers about the line is
 * multiplied.
 */
function asOneLine(
  beliefs: readonly Float64Array[],
  likelihoods: readonly Float64Array[],
  { shares, slip }: { readonly shares: Float64Array; readonly slip: number },
): ListFit {
  const logs = shares.map((share) => Math.log(Math.max(1e-12, share)))
  for (const likelihood of likelihoods) {
    for (let carrier = 0; carrier < carrierCount; carrier += 1)
      logs[carrier] = (logs[carrier] ?? 0) + Math.log((1 - slip) * (likelihood[carrier] ?? 0) + slip)
  }
  const most = Math.max(...logs)
  const lines = logs.map((log) => Math.exp(log - most))
  const total = lines.reduce((sum, value) => sum + value, 0)
  return {
    evidence: most + Math.log(total),
    beliefs: beliefs.map((belief, at) => {
      const parts = lines.map((line, carrier) => {
        const fits = (1 - slip) * (likelihoods[at]?.[carrier] ?? 0)
        return (line / total / (fits + slip)) * fits
      })
      const isLines = parts.reduce((sum, part) => sum + part, 0)
      return parts.map((part, carrier) => part + (1 - isLines) * (belief[carrier] ?? 0))
    }),
  }
}

/**
 * Assumes that the list has its own shares of lines, and learns them from the list: the surest numbers first, then all
 * numbers again in rounds.
 */
function asFewLines(likelihoods: readonly Float64Array[], shares: Float64Array, kinds: ListKinds): ListFit {
  const seen = new Float64Array(carrierCount)
  const surest = likelihoods
    .map((likelihood, at) => ({ at, most: surenessOf(likelihood, shares) }))
    .sort((a, b) => b.most - a.most || a.at - b.at)
  const found: Float64Array[] = likelihoods.map(() => new Float64Array(carrierCount))
  let evidence = 0
  for (const [before, { at }] of surest.entries()) {
    const belief = found[at]
    const likelihood = likelihoods[at]
    if (belief === undefined || likelihood === undefined) continue
    evidence += Math.log(weighNumber(belief, likelihood, { shares, seen, before, kinds }))
    addBelief(seen, belief, 1)
  }
  for (let round = 0; round < rounds; round += 1) {
    let moved = 0
    for (const [at, belief] of found.entries()) {
      const likelihood = likelihoods[at]
      if (likelihood === undefined) continue
      const old = belief.slice()
      addBelief(seen, belief, -1)
      weighNumber(belief, likelihood, { shares, seen, before: likelihoods.length - 1, kinds })
      addBelief(seen, belief, 1)
      moved = Math.max(moved, ...belief.map((value, carrier) => Math.abs(value - (old[carrier] ?? 0))))
    }
    if (moved < convergedBelow) break
  }
  return { evidence, beliefs: found }
}

/** Writes the belief about one number, given the other numbers. Returns how well the number fits them. */
function weighNumber(
  belief: Float64Array,
  likelihood: Float64Array,
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
    const listShare = (seenBefore * share + Math.max(0, list.seen[carrier] ?? 0)) / (seenBefore + list.before)
    const value = (likelihood[carrier] ?? 0) * (common * listShare + (1 - common) * share)
    belief[carrier] = value
    total += value
  }
  for (let carrier = 0; carrier < carrierCount; carrier += 1) belief[carrier] = (belief[carrier] ?? 0) / total
  return total
}

function addBelief(seen: Float64Array, belief: Float64Array, sign: 1 | -1): void {
  for (let carrier = 0; carrier < carrierCount; carrier += 1)
    seen[carrier] = (seen[carrier] ?? 0) + sign * (belief[carrier] ?? 0)
}

function surenessOf(likelihood: Float64Array, shares: Float64Array): number {
  let most = 0
  for (let carrier = anotherCarrier; carrier < carrierCount; carrier += 1)
    most = Math.max(most, (likelihood[carrier] ?? 0) * (shares[carrier] ?? 0))
  return most
}
