/**
 * The route by sea between two places, and its length. Each end is joined to the nearest point of the network, and the
 * distance to it counts. A place that is too far from the network has no route, and no route is invented for it.
 */

import { distanceNm, type GeoPoint, vectorOf } from '../../domain/geography/great-circle.ts'
import { makeRouteLine, type RouteLine } from '../../domain/geography/route-line.ts'
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
  /** The passages on the route, in order. */
  readonly passages: readonly SeaPassage[]
  /** The distance of the ends from the network. The larger one of the two counts. */
  readonly offNm: number
}

export type SeaRoute =
  | FoundRoute
  /** `offNm`: the distance of that end from the network. */
  | { readonly kind: 'far_from_sea'; readonly end: 'from' | 'to'; readonly offNm: number }
  /** Every route uses a passage that has to be avoided. */
  | { readonly kind: 'no_way' }

/**
 * Of 737 container ports, the seaports lie within 123 nautical miles (half of them within 8). Ports that are reached by
 * river (Wuhan, Asunción, Manaus) and places inland (Dallas, Basel) lie farther away than this limit.
 */
export const offNetworkNmMax = 125

/** 2,000 routes of some 75 points are about 10 MB. */
const rememberedMax = 2_000
const remembered = new Map<string, SeaRoute>()

/** The same question always has the same answer. Recent answers are cached in memory. */
export function findSeaRoute(question: SeaRouteQuestion): SeaRoute {
  const { from, to, avoid = [] } = question
  const key = `${from.latitude} ${from.longitude} ${to.latitude} ${to.longitude} ${avoidedBits(avoid)}`
  const known = remembered.get(key)
  if (known !== undefined) {
    // A Map preserves the order of insertion. An answer that is used again moves to the end, so unused answers come to
    // the front, where they are removed.
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

/** Like `findSeaRoute`, but without its cache: for points that are used only once. */
export function searchSeaRoute({ avoid = [], ...ends }: SeaRouteQuestion): SeaRoute {
  const [from, to] = [nearestNode(ends.from), nearestNode(ends.to)]
  if (from.offNm > offNetworkNmMax) return { kind: 'far_from_sea', end: 'from', offNm: from.offNm }
  if (to.offNm > offNetworkNmMax) return { kind: 'far_from_sea', end: 'to', offNm: to.offNm }
  // Both places are nearest to the same point of the network. The route is the straight line, and does not go out to
  // that point and back.
  const offNm = Math.max(from.offNm, to.offNm)
  if (from.node === to.node) return { kind: 'route', line: makeRouteLine([ends.from, ends.to]), passages: [], offNm }
  const way = findShortestWay(from.node, to.node, avoidedBits(avoid))
  if (way === null) return { kind: 'no_way' }
  const network = openSeaNetwork()
  const between = way.nodes.map((node) => pointOf(network, node))
  const line = makeRouteLine([ends.from, ...between, ends.to])
  return { kind: 'route', line, passages: way.passages, offNm }
}

/**
 * Compares the straight distances through the globe: the node that is nearest this way is also nearest on the surface.
 */
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
