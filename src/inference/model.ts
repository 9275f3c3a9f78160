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
  return { layers, smoothing: parts.smoothing ?? defaultSmoothing }
}

/** A model that knows the registers and formats only. */
export function emptyModel(): Model {
  return openModel({ shipped: createEvidence() })
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
