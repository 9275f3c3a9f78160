/**
 * Which line a bill or booking number belongs to. A line's prefix decides, except for typing errors. A bare number is
 * judged by the formats that it fits, then by what was confirmed for its shape and its first characters.
 */

import { anotherCarrier, carrierCount, carrierIndex, fleetPrior } from './carriers.ts'
import type { Model } from './model.ts'
import { type ShipmentReading, shapeOf } from './number.ts'
import { formatPrior } from './number-formats.ts'
import { getOwnerCode } from './owner-codes.ts'

/** All of 1,408 numbers that begin with a line's prefix were that line's. The next number may still be an exception. */
const prefixShare = 0.995
/**
 * Of numbers that begin with an owner code of a line's containers, the share that is that line's. A judgement, not
 * measured: enough to be a candidate, and not enough to be selected.
 */
const ownersShare = 0.5
/**
 * Formats are facts about structure. Counts of shapes depend on who shipped, so they are limited and never outweigh the
 * formats by much.
 */
const shapeOutcomesMax = 10

/** Belief per carrier, summing to one. */
export function shipmentBelief(reading: ShipmentReading, model: Model): Float64Array {
  const belief = priorOf(reading, model.shares)
  for (const { node, concentration, most } of nodesOf(reading, model)) {
    countsForReuse.fill(0)
    const counts = countsForReuse
    const total = readCounts(node, model, counts)
    // A node without outcomes has no finer nodes with outcomes.
    if (total === 0) break
    const scale = Math.min(1, most / total)
    for (let carrier = 0; carrier < carrierCount; carrier += 1) {
      belief[carrier] =
        (concentration * (belief[carrier] ?? 0) + scale * (counts[carrier] ?? 0)) / (scale * total + concentration)
    }
  }
  return belief
}

const charactersMax = 5
const countsForReuse = new Float64Array(carrierCount)

interface NodeStep {
  readonly node: string
  readonly concentration: number
  readonly most: number
}

function* nodesOf(reading: ShipmentReading, { smoothing }: Model): Iterable<NodeStep> {
  if (reading.prefix !== null) {
    yield { node: `p:${reading.prefix}`, concentration: smoothing.prefix, most: Number.POSITIVE_INFINITY }
    return
  }
  const shape = `s:${shapeOf(reading.number)}`
  yield { node: shape, concentration: smoothing.shape, most: shapeOutcomesMax }
  for (let length = 1; length <= charactersMax; length += 1) {
    const node = `${shape}:${reading.number.slice(0, length)}`
    yield { node, concentration: smoothing.character, most: Number.POSITIVE_INFINITY }
  }
}

function readCounts(node: string, { layers }: Model, counts: Float64Array): number {
  let total = 0
  for (const { evidence, relevance } of layers) {
    const tally = evidence.shipments.get(node)
    if (tally === undefined) continue
    tally.carriers.forEach((carrier, at) => {
      const weight = Math.max(0, tally.weights[at] ?? 0) * (relevance?.[carrier] ?? 1)
      counts[carrier] = (counts[carrier] ?? 0) + weight
      total += weight
    })
  }
  return total
}

function priorOf(reading: ShipmentReading, shares: Float64Array): Float64Array {
  if (reading.prefixScac !== null) return prefixPriorOf(reading.prefixScac).slice()
  const prior = formatPrior(reading.number, reading.formats, shares)
  const { scac } = getOwnerCode(reading.number.slice(0, 4))
  if (scac === null) return prior
  const ofOwner = prefixPriorOf(scac)
  return prior.map((value, carrier) => value * (1 - ownersShare) + (ofOwner[carrier] ?? 0) * ownersShare)
}

function prefixPriorOf(scac: string): Float64Array {
  return prefixPriors.get(scac) ?? makePrefixPrior(scac)
}

const prefixPriors = new Map<string, Float64Array>()

function makePrefixPrior(scac: string): Float64Array {
  const prior = fleetPrior.map((share) => (share * (1 - prefixShare)) / 2)
  const carrier = carrierIndex(scac)
  prior[carrier] = (prior[carrier] ?? 0) + prefixShare
  prior[anotherCarrier] = (prior[anotherCarrier] ?? 0) + (1 - prefixShare) / 2
  prefixPriors.set(scac, prior)
  return prior
}
