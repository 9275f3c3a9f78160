/**
 * Which carrier uses a box. The belief starts with all boxes of the kind and is corrected level by level, down the
 * owner code and the serial number, by what was confirmed there. Boxes are bought and leased in batches of consecutive
 * serials, so a level is first read together with its neighbours.
 */

import { once } from '../reference/data-files.ts'
import { allShippingLines } from '../reference/shipping-lines.ts'
import {
  anotherCarrier,
  carrierCount,
  carrierIndex,
  fleetPrior,
  hasSharedBoxes,
  sharesBoxes,
  userOfBoxes,
} from './carriers.ts'
import { digitsKept, fading, hasManyUsers, nodeNumber, type OwnerEvidence, type Tally } from './evidence.ts'
import { findLeaseChange } from './lease-change.ts'
import type { Layer, Model } from './model.ts'
import { getOwnerCode, type OwnerCode } from './owner-codes.ts'

/** Of 5,439 boxes with a carrier's own code, 5,389 were under way for it. */
const ownerShare = 0.99
/** The share is smaller for lines that load each other's boxes. */
const sharingOwnerShare = 0.97
/**
 * Of boxes whose owner's services went to another line of the group, the share that this line uses. A judgement, not
 * measured.
 */
const handedOnShare = 0.8
/**
 * Of boxes whose owner is neither a carrier nor a leasing company, the share that is with carriers outside coverage.
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
  const fade = hasManyUsers(owner) ? fading(month) : 1
  const heard = startHearing()
  if (!isOwned) {
    for (const layer of model.layers) hear(heard, layer.evidence.kinds.get(owner.kind), layer, fade)
    correct(belief, heard, concentrations[0])
  }
  const nodes = nodesOf(code, model)
  if (nodes.length === 0) return finish(belief, heard)
  const digits = digitsKept(isOwned)
  let leading = 0
  for (let depth = 0; depth <= digits; depth += 1) {
    if (depth > 0) leading = leading * 10 + number.charCodeAt(3 + depth) - 48
    heard.count = 0
    heard.total = 0
    hearNode(heard, nodes, nodeNumber(depth, leading), fade)
    if (depth < 2) {
      correct(belief, heard, concentrations[depth + 1])
      continue
    }
    const { count, total } = heard
    if (leading > 0) hearNode(heard, nodes, nodeNumber(depth, leading - 1), fade)
    if (leading + 1 < 10 ** depth) hearNode(heard, nodes, nodeNumber(depth, leading + 1), fade)
    correct(belief, heard, concentrations[2 * depth - 1])
    heard.count = count
    heard.total = total
    correct(belief, heard, concentrations[2 * depth])
  }
  return finish(belief, heard)
}

const beliefForReuse = new Float64Array(carrierCount)

/** The sum of the information of the nodes of one level. The object is used again for every level and number. */
interface Heard {
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

const heardForReuse: Heard = { count: 0, total: 0, share: 1, carriers: [], outcomes: [] }

function startHearing(): Heard {
  heardForReuse.count = 0
  heardForReuse.total = 0
  heardForReuse.share = 1
  return heardForReuse
}

/** The Dirichlet step: the belief of the level above counts as much as `concentration` outcomes. */
function correct(belief: Float64Array, heard: Heard, concentration: number | undefined): void {
  if (heard.total === 0 || concentration === undefined || concentration === Number.POSITIVE_INFINITY) return
  const scale = 1 / (heard.total + concentration)
  heard.share *= concentration * scale
  for (let at = 0; at < heard.count; at += 1) {
    const carrier = heard.carriers[at] ?? 0
    belief[carrier] = (belief[carrier] ?? 0) + ((heard.outcomes[at] ?? 0) * scale) / heard.share
  }
}

function finish(belief: Float64Array, { share }: Heard): Float64Array {
  for (let carrier = 0; carrier < belief.length; carrier += 1)
    belief[carrier] = (belief[carrier] ?? 0) * share
  return belief
}

function hearNode(heard: Heard, nodes: readonly Nodes[], node: number, fade: number): void {
  for (const { layer, owner } of nodes) hear(heard, owner.nodes.get(node), layer, fade)
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

/** Adds a tally. Negative counts become zero. Outcomes from before the boxes changed carrier count less. */
function hear(heard: Heard, tally: Tally | undefined, { relevance }: Layer, fade: number): void {
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
    heard.carriers[heard.count] = carrier
    heard.outcomes[heard.count] = outcomes
    heard.count += 1
    heard.total += outcomes
  }
}

function isHandedOn({ scac }: OwnerCode): boolean {
  return scac !== null && userOfBoxes(scac) !== scac
}

/**
 * The belief before any evidence: for a carrier's box mostly the owner, for a leased box the account's own lines and
 * the world's fleet.
 */
function priorOf({ kind, scac }: OwnerCode, shares: Float64Array): Float64Array {
  if (kind === 'lessor') return shares
  return (scac === null ? null : ownedPriors().get(scac)) ?? strangersPrior(shares)
}

function strangersPrior(shares: Float64Array): Float64Array {
  const prior = shares.map((share) => share * (1 - strangersElsewhere))
  prior[anotherCarrier] = (prior[anotherCarrier] ?? 0) + strangersElsewhere
  return prior
}

/** Half of what the owner does not use goes to its sister lines, half to any carrier. */
const ownedPriors = once(() => {
  const priors = new Map<string, Float64Array>()
  for (const { scac } of allShippingLines()) {
    const owner = carrierIndex(scac)
    const rest = 1 - (hasSharedBoxes(scac) ? sharingOwnerShare : ownerShare)
    const sisters = sharesBoxes(scac)
      .map(carrierIndex)
      .filter((sister) => sister !== owner)
    const user = carrierIndex(userOfBoxes(scac))
    const prior = fleetPrior.map((share) => (share * rest) / 2)
    for (const sister of sisters.length > 0 ? sisters : [anotherCarrier]) {
      prior[sister] = (prior[sister] ?? 0) + rest / 2 / Math.max(1, sisters.length)
    }
    const usersPart = user === owner ? 1 : handedOnShare
    prior[owner] = (prior[owner] ?? 0) + (1 - rest) * (1 - usersPart)
    prior[user] = (prior[user] ?? 0) + (1 - rest) * usersPart
    priors.set(scac, prior)
  }
  return priors
})
