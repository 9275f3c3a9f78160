/**
 * Which carrier uses a container. The belief starts with all containers of the kind and is corrected level by level,
 * down the owner code and the serial number, by the confirmed outcomes there. Containers are bought and leased in
 * batches of consecutive serials, so a level is first read together with its neighbours.
 */

import { once } from '../reference/data-files.ts'
import { allShippingLines } from '../reference/shipping-lines.ts'
import {
  anotherCarrier,
  carrierCount,
  carrierIndex,
  containerOperatorOf,
  fleetPrior,
  hasSharedContainers,
  linesSharingContainers,
} from './carriers.ts'
import { countedDigits, fadingFactor, hasManyUsers, nodeNumber, type OwnerEvidence, type Tally } from './evidence.ts'
import { findLeaseChange } from './lease-change.ts'
import type { Layer, Model } from './model.ts'
import { getOwnerCode, type OwnerCode } from './owner-codes.ts'

/** Of 5,439 containers with a carrier's own code, 5,389 were under way for it. */
const ownerShare = 0.99
/** The share is smaller for lines that load each other's containers. */
const sharingOwnerShare = 0.97
/**
 * Of containers whose owner's services went to another line of the group, the share that this line uses. A judgement,
 * not measured.
 */
const handedOnShare = 0.8
/**
 * Of containers whose owner is neither a carrier nor a leasing company, the share that is with carriers outside
 * coverage.
 */
const strangersElsewhere = 0.5

/** Belief per carrier, summing to one. The next call overwrites the returned array. */
export function containerBelief(number: string, model: Model, month: number): Float64Array {
  const code = number.slice(0, 4)
  const owner = getOwnerCode(code)
  const isOwned = owner.kind === 'carrier'
  const belief = beliefForReuse
  const prior = priorOf(owner, model.shares)
  for (let carrier = 0; carrier < prior.length; carrier += 1) belief[carrier] = prior[carrier] ?? 0
  const concentrations = model.smoothing[isOwned ? (isHandedOn(owner) ? 'handedOn' : 'owned') : 'leased']
  const fade = hasManyUsers(owner) ? fadingFactor(month) : 1
  const evidenceSum = resetEvidenceSum()
  if (!isOwned) {
    for (const layer of model.layers) addTally(evidenceSum, layer.evidence.kinds.get(owner.kind), layer, fade)
    correctBelief(belief, evidenceSum, concentrations[0])
  }
  const nodes = nodesOf(code, model)
  if (nodes.length === 0) return scaleBelief(belief, evidenceSum)
  const digits = countedDigits(isOwned)
  let leading = 0
  for (let depth = 0; depth <= digits; depth += 1) {
    if (depth > 0) leading = leading * 10 + number.charCodeAt(3 + depth) - 48
    evidenceSum.count = 0
    evidenceSum.total = 0
    addNode(evidenceSum, nodes, nodeNumber(depth, leading), fade)
    if (depth < 2) {
      correctBelief(belief, evidenceSum, concentrations[depth + 1])
      continue
    }
    const { count, total } = evidenceSum
    if (leading > 0) addNode(evidenceSum, nodes, nodeNumber(depth, leading - 1), fade)
    if (leading + 1 < 10 ** depth) addNode(evidenceSum, nodes, nodeNumber(depth, leading + 1), fade)
    correctBelief(belief, evidenceSum, concentrations[2 * depth - 1])
    evidenceSum.count = count
    evidenceSum.total = total
    correctBelief(belief, evidenceSum, concentrations[2 * depth])
  }
  return scaleBelief(belief, evidenceSum)
}

const beliefForReuse = new Float64Array(carrierCount)

/** The sum of the information of the nodes of one level. The object is used again for every level and number. */
interface EvidenceSum {
  count: number
  total: number
  /**
   * The product of the factors by which all levels so far scaled down the belief above them. It is applied once, at the
   * end.
   */
  share: number
  readonly carriers: number[]
  readonly outcomes: number[]
}

const sumForReuse: EvidenceSum = { count: 0, total: 0, share: 1, carriers: [], outcomes: [] }

function resetEvidenceSum(): EvidenceSum {
  sumForReuse.count = 0
  sumForReuse.total = 0
  sumForReuse.share = 1
  return sumForReuse
}

/** The Dirichlet step: the belief of the level above counts as much as `concentration` outcomes. */
function correctBelief(belief: Float64Array, evidenceSum: EvidenceSum, concentration: number | undefined): void {
  if (evidenceSum.total === 0 || concentration === undefined || concentration === Number.POSITIVE_INFINITY) return
  const scale = 1 / (evidenceSum.total + concentration)
  evidenceSum.share *= concentration * scale
  for (let at = 0; at < evidenceSum.count; at += 1) {
    const carrier = evidenceSum.carriers[at] ?? 0
    belief[carrier] = (belief[carrier] ?? 0) + ((evidenceSum.outcomes[at] ?? 0) * scale) / evidenceSum.share
  }
}

function scaleBelief(belief: Float64Array, { share }: EvidenceSum): Float64Array {
  for (let carrier = 0; carrier < belief.length; carrier += 1) belief[carrier] = (belief[carrier] ?? 0) * share
  return belief
}

function addNode(evidenceSum: EvidenceSum, nodes: readonly Nodes[], node: number, fade: number): void {
  for (const { layer, owner } of nodes) addTally(evidenceSum, owner.nodes.get(node), layer, fade)
}

/** One layer's evidence on one owner code. */
interface Nodes {
  readonly layer: Layer
  readonly owner: OwnerEvidence
}

function nodesOf(code: string, { layers }: Model): readonly Nodes[] {
  const nodes: Nodes[] = []
  for (const layer of layers) {
    const owner = layer.evidence.owners.get(code)
    if (owner !== undefined) nodes.push({ layer, owner })
  }
  return nodes
}

/** Adds a tally. Negative counts become zero. Outcomes from before the containers changed carrier count less. */
function addTally(evidenceSum: EvidenceSum, tally: Tally | undefined, { relevance }: Layer, fade: number): void {
  if (tally === undefined) return
  const change = findLeaseChange(tally, fade)
  for (let at = 0; at < tally.carriers.length; at += 1) {
    const carrier = tally.carriers[at] ?? 0
    let outcomes = Math.max(0, tally.weights[at] ?? 0)
    if (change !== null) {
      const since = carrier === change.carrier ? Math.min(outcomes, change.weight) : 0
      outcomes = since + (outcomes - since) * (1 - change.probability)
    }
    outcomes *= relevance === null ? fade : fade * (relevance[carrier] ?? 1)
    evidenceSum.carriers[evidenceSum.count] = carrier
    evidenceSum.outcomes[evidenceSum.count] = outcomes
    evidenceSum.count += 1
    evidenceSum.total += outcomes
  }
}

function isHandedOn({ scac }: OwnerCode): boolean {
  return scac !== null && containerOperatorOf(scac) !== scac
}

/**
 * The belief before any evidence: for a carrier's container mostly the owner, for a leased container the account's own
 * lines and the world's fleet.
 */
function priorOf({ kind, scac }: OwnerCode, shares: Float64Array): Float64Array {
  if (kind === 'lessor') return shares
  return (scac === null ? null : ownedPriors().get(scac)) ?? unknownOwnerPrior(shares)
}

function unknownOwnerPrior(shares: Float64Array): Float64Array {
  const prior = shares.map((share) => share * (1 - strangersElsewhere))
  prior[anotherCarrier] = (prior[anotherCarrier] ?? 0) + strangersElsewhere
  return prior
}

/** Half of what the owner does not use goes to its sister lines, half to any carrier. */
const ownedPriors = once(() => {
  const priors = new Map<string, Float64Array>()
  for (const { scac } of allShippingLines()) {
    const owner = carrierIndex(scac)
    const remainder = 1 - (hasSharedContainers(scac) ? sharingOwnerShare : ownerShare)
    const sisters = linesSharingContainers(scac)
      .map(carrierIndex)
      .filter((sister) => sister !== owner)
    const user = carrierIndex(containerOperatorOf(scac))
    const prior = fleetPrior.map((share) => (share * remainder) / 2)
    for (const sister of sisters.length > 0 ? sisters : [anotherCarrier]) {
      prior[sister] = (prior[sister] ?? 0) + remainder / 2 / Math.max(1, sisters.length)
    }
    const operatorShare = user === owner ? 1 : handedOnShare
    prior[owner] = (prior[owner] ?? 0) + (1 - remainder) * (1 - operatorShare)
    prior[user] = (prior[user] ?? 0) + (1 - remainder) * operatorShare
    priors.set(scac, prior)
  }
  return priors
})
