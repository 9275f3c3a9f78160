/**
 * What a prediction is made from: the shipped evidence, that of the installation, that of the account, and how much
 * each level of the trie relies on the level above it.
 */

import { carrierCount, fleetPrior } from './carriers.ts'
import { createEvidence, type Evidence, type Tally } from './evidence.ts'
import { shippedEvidence } from './shipped-evidence.ts'
import { defaultSmoothing, type Smoothing } from './smoothing.ts'

export interface Layer {
  readonly evidence: Evidence
  /** Per carrier, how much the evidence of others counts for this account. Null means that all of it counts fully. */
  readonly relevance: Float64Array | null
}

export interface Model {
  readonly layers: readonly Layer[]
  readonly smoothing: Smoothing
  /** Belief per carrier before a number is read, from the world's fleet and the lines that the account uses. */
  readonly shares: Float64Array
}

export interface ModelOptions {
  /** Evidence that the installation learned from accounts that share. */
  readonly shared?: Evidence
  /** Evidence that the account learned itself. */
  readonly ownEvidence?: Evidence
  readonly smoothing?: Smoothing
  /** Replaces the shipped evidence. For training and evaluation. */
  readonly shipped?: Evidence
}

/** After this many outcomes of its own, a carrier that the account never used counts half as much for it. */
const mixOutcomes = 20

/**
 * Opening is cheap. `relevance` is calculated from the account's evidence at this moment, so open a new model after the
 * account has learned.
 */
export function openModel(options: ModelOptions = {}): Model {
  const relevance = options.ownEvidence === undefined ? null : relevanceOf(options.ownEvidence.mix)
  const layers: Layer[] = [{ evidence: options.shipped ?? shippedEvidence(), relevance }]
  if (options.shared !== undefined) layers.push({ evidence: options.shared, relevance })
  if (options.ownEvidence !== undefined) layers.push({ evidence: options.ownEvidence, relevance: null })
  const shares = options.ownEvidence === undefined ? fleetPrior : sharesOf(options.ownEvidence.mix)
  return { layers, smoothing: options.smoothing ?? defaultSmoothing, shares }
}

/** The same model with more evidence. The evidence must be the caller's own, so it counts fully. */
export function withEvidence(model: Model, evidence: Evidence): Model {
  return { ...model, layers: [...model.layers, { evidence, relevance: null }] }
}

/** A model that knows only the registers and the formats. */
export function emptyModel(): Model {
  return openModel({ shipped: createEvidence() })
}

/** The more an account ships, the more its own lines determine what is expected of its next number. */
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
 * The lines that an account uses show which containers of others' evidence may be its own. Others' evidence for a
 * carrier counts less when the account uses that carrier more rarely than the world does.
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
