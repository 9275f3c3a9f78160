/**
 * What a prediction stands on: the evidence that is shipped, that of the installation, that of the account, and how
 * much each level of the trie believes the level above it.
 */

import { carrierCount, fleetPrior } from './carriers.ts'
import { createEvidence, type Evidence, type Tally } from './evidence.ts'
import { shippedEvidence } from './shipped-evidence.ts'
import { defaultSmoothing, type Smoothing } from './smoothing.ts'

export interface Layer {
  readonly evidence: Evidence
  /** Per carrier: how far evidence of others counts here. Null: all of it. */
  readonly relevance: Float64Array | null
}

export interface Model {
  readonly layers: readonly Layer[]
  readonly smoothing: Smoothing
  /** What is believed of any number before it is read, by carrier: the world's fleet, and whom the account ships with. */
  readonly shares: Float64Array
}

export interface ModelParts {
  /** What the installation learned from accounts that share. */
  readonly shared?: Evidence
  /** What the account learned itself. */
  readonly own?: Evidence
  readonly smoothing?: Smoothing
  /** Instead of what is shipped: for training and evaluation. */
  readonly shipped?: Evidence
}

/** So many outcomes of its own an account needs until a carrier that it never used counts half. */
const mixOutcomes = 20

/** Opening is cheap. The relevance of others' evidence is that of the moment: open anew as the account learns. */
export function openModel(parts: ModelParts = {}): Model {
  const relevance = parts.own === undefined ? null : relevanceOf(parts.own.mix)
  const layers: Layer[] = [{ evidence: parts.shipped ?? shippedEvidence(), relevance }]
  if (parts.shared !== undefined) layers.push({ evidence: parts.shared, relevance })
  if (parts.own !== undefined) layers.push({ evidence: parts.own, relevance: null })
  const shares = parts.own === undefined ? fleetPrior : sharesOf(parts.own.mix)
  return { layers, smoothing: parts.smoothing ?? defaultSmoothing, shares }
}

/** The same model with more evidence, of the caller's own. */
export function withEvidence(model: Model, evidence: Evidence): Model {
  return { ...model, layers: [...model.layers, { evidence, relevance: null }] }
}

/** A model that knows the registers and formats only. */
export function emptyModel(): Model {
  return openModel({ shipped: createEvidence() })
}

/** The more an account ships, the more its own lines are what one expects of its next number. */
function sharesOf(mix: Tally): Float64Array {
  const shares = fleetPrior.map((share) => share * mixOutcomes)
  let total = mixOutcomes
  mix.carriers.forEach((carrier, at) => {
    const weight = Math.max(0, mix.weights[at] ?? 0)
    shares[carrier] = (shares[carrier] ?? 0) + weight
    total += weight
  })
  return shares.map((share) => share / total)
}

/**
 * Whom an account ships with says which of others' boxes may be its own: evidence of others for a carrier counts less
 * the rarer the account uses that carrier than the world does.
 */
function relevanceOf(mix: Tally): Float64Array {
  const used = new Float64Array(carrierCount)
  mix.carriers.forEach((carrier, at) => {
    used[carrier] = Math.max(0, mix.weights[at] ?? 0)
  })
  const total = used.reduce((sum, weight) => sum + weight, 0)
  return used.map((weight, carrier) => {
    const expected = (total + mixOutcomes) * (fleetPrior[carrier] ?? 0)
    return Math.min(1, (weight + mixOutcomes * (fleetPrior[carrier] ?? 0)) / expected)
  })
}
