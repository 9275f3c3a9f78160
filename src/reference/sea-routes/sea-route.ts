/**
 * The way by sea between two places over the sea network, and how long it is. Both ends are led to the nearest point
 * of the network, and that counts; a place too far from it has no way by sea, and none is made up.
 */

import { distanceNm, type GeoPoint, vectorOf } from '../../core/geography/great-circle.ts'
import { makeRouteLine, type RouteLine } from '../../core/geography/route-line.ts'
import { openSeaNetwork, pointOf } from './network.ts'
import { type SeaPassage, seaPassages } from './passages.ts'
import { type AvoidedPassages, findShortestWay } from './search.ts'

export interface SeaRouteQuestion {
  readonly from: GeoPoint
  readonly to: GeoPoint
  readonly avoid?: readonly SeaPassage[]
}

export interface FoundRoute {
  readonly kind: 'route'
  readonly line: RouteLine
  /** Those that it leads through, in order. */
  readonly passages: readonly SeaPassage[]
  /** How far the end that is farther from the network lies off it. */
  readonly offNm: number
}

export type SeaRoute =
  | FoundRoute
  /** `offNm`: how far that end lies from the network. */
  | { readonly kind: 'far_from_sea'; readonly end: 'from' | 'to'; readonly offNm: number }
  /** What is avoided leaves no way. */
  | { readonly kind: 'no_way' }

/**
 * Of 737 container ports the seagoing ones lie within 123 nautical miles (half of them within 8); Wuhan, Asunción and
 * Manaus, reached by river, and Dallas or Basel lie farther than this.
 */
export const offNetworkNmMax = 125

/** 2,000 routes of some 75 points are about 10 MB. */
const rememberedMax = 2_000
const remembered = new Map<string, SeaRoute>()

/** The same question always has the same answer; the lately asked ones are remembered. */
export function findSeaRoute(question: SeaRouteQuestion): SeaRoute {
  const { from, to, avoid = [] } = question
  const key = `${from.latitude} ${from.longitude} ${to.latitude} ${to.longitude} ${avoidedBits(avoid)}`
  const known = remembered.get(key)
  if (known !== undefined) {
    // A Map keeps the order of insertion: what is asked again goes to its end, what nobody asks for to its front.
    remembered.delete(key)
    remembered.set(key, known)
    return known
  }
  const route = searchSeaRoute(question)
  remembered.set(key, route)
  if (remembered.size > rememberedMax) {
    const [oldest] = remembered.keys()
    if (oldest !== undefined) remembered.delete(oldest)
  }
  return route
}

function avoidedBits(avoid: readonly SeaPassage[]): AvoidedPassages {
  return avoid.reduce((bits, passage) => bits | (1 << seaPassages.indexOf(passage)), 0)
}

/** As `findSeaRoute`, without its memory: for points that are asked about once. */
export function searchSeaRoute({ avoid = [], ...ends }: SeaRouteQuestion): SeaRoute {
  const [from, to] = [nearestNode(ends.from), nearestNode(ends.to)]
  if (from.offNm > offNetworkNmMax) return { kind: 'far_from_sea', end: 'from', offNm: from.offNm }
  if (to.offNm > offNetworkNmMax) return { kind: 'far_from_sea', end: 'to', offNm: to.offNm }
  // Two quays at one point of the network: the way is not out to it and back.
  const offNm = Math.max(from.offNm, to.offNm)
  if (from.node === to.node)
    return { kind: 'route', line: makeRouteLine([ends.from, ends.to]), passages: [], offNm }
  const way = findShortestWay(from.node, to.node, avoidedBits(avoid))
  if (way === null) return { kind: 'no_way' }
  const network = openSeaNetwork()
  const between = way.nodes.map((node) => pointOf(network, node))
  const line = makeRouteLine([ends.from, ...between, ends.to])
  return { kind: 'route', line, passages: way.passages, offNm }
}

/** The nearest by the straight line through the globe, which is the nearest over it. */
function nearestNode(point: GeoPoint): { readonly node: number; readonly offNm: number } {
  const network = openSeaNetwork()
  const { vectors, nodeCount } = network
  const [x, y, z] = vectorOf(point)
  let [node, most] = [0, -2]
  for (let each = 0, at = 0; each < nodeCount; each += 1, at += 3) {
    const cosine = x * (vectors[at] ?? 0) + y * (vectors[at + 1] ?? 0) + z * (vectors[at + 2] ?? 0)
    if (cosine > most) [node, most] = [each, cosine]
  }
  return { node, offNm: distanceNm(point, pointOf(network, node)) }
}
