/**
 * The shortest way between two nodes of the sea network: A* search. The remaining distance is estimated by the great
 * circle or by a few landmarks, whichever gives more (ALT: no way is shorter than the difference between the two ends'
 * ways to a landmark). Avoiding a passage only makes ways longer, so the landmarks' estimates stay lower bounds.
 */

import FlatQueue from 'flatqueue'
import { earthRadiusNm } from '../../domain/geography/great-circle.ts'
import { once } from '../data-files.ts'
import { openSeaNetwork, type SeaNetwork } from './network.ts'
import { type SeaPassage, seaPassages } from './passages.ts'

/** A bit for each passage that must not be used: bit 0 for the first one in `seaPassages`. */
export type AvoidedPassages = number

const landmarkCount = 8
/** The estimate is reduced by more than rounding may have added, so that it is never longer than the real way. */
const rounding = 1 - 1e-9

export interface FoundWay {
  /** Both ends included. */
  readonly nodes: readonly number[]
  readonly lengthNm: number
  readonly passages: readonly SeaPassage[]
}

/** Null when no way is left. The same question has the same answer. */
export function findShortestWay(from: number, to: number, avoided: AvoidedPassages): FoundWay | null {
  const network = openSeaNetwork()
  const { firstEdge, ends, lengthsNm, passages } = network
  const { bestNm, cameFrom, isSettled, queue, remainingNm } = openSearch()
  bestNm.fill(Number.POSITIVE_INFINITY)
  isSettled.fill(0)
  queue.clear()
  const estimate = estimateDistanceTo(network, to, remainingNm)
  bestNm[from] = 0
  cameFrom[from] = from
  queue.push(from, estimate(from))
  for (let node = queue.pop(); node !== undefined && node !== to; node = queue.pop()) {
    if (isSettled[node] === 1) continue
    isSettled[node] = 1
    const hereNm = bestNm[node] ?? 0
    const last = firstEdge[node + 1] ?? 0
    for (let edge = firstEdge[node] ?? 0; edge < last; edge += 1) {
      const next = ends[edge] ?? 0
      const passage = passages[edge] ?? 0
      if (isSettled[next] === 1 || (passage > 0 && (avoided >>> (passage - 1)) & 1)) continue
      const thereNm = hereNm + (lengthsNm[edge] ?? 0)
      if (thereNm >= (bestNm[next] ?? 0)) continue
      bestNm[next] = thereNm
      cameFrom[next] = node
      queue.push(next, thereNm + estimate(next))
    }
  }
  const lengthNm = bestNm[to] ?? Number.POSITIVE_INFINITY
  if (lengthNm === Number.POSITIVE_INFINITY) return null
  const nodes = tracePath(cameFrom, from, to)
  return { nodes, lengthNm, passages: passagesOf(network, nodes) }
}

/** Each passage once, in the order of the way. */
function passagesOf(network: SeaNetwork, nodes: readonly number[]): readonly SeaPassage[] {
  const marks = nodes.slice(1).map((node, index) => {
    const before = nodes[index] ?? node
    const edges = network.ends.subarray(network.firstEdge[before], network.firstEdge[before + 1])
    return network.passages[(network.firstEdge[before] ?? 0) + edges.indexOf(node)] ?? 0
  })
  return [...new Set(marks)].flatMap((mark) => seaPassages[mark - 1] ?? [])
}

/**
 * The memory of a search. The next search uses it again, which is safe because a search never awaits and so no two run
 * at once.
 */
const openSearch = once(() => {
  const { nodeCount } = openSeaNetwork()
  return {
    bestNm: new Float64Array(nodeCount),
    cameFrom: new Uint16Array(nodeCount),
    isSettled: new Uint8Array(nodeCount),
    /** The estimate of what remains from each node; negative when it was not calculated yet. */
    remainingNm: new Float64Array(nodeCount),
    queue: new FlatQueue<number>(),
  }
})

function tracePath(cameFrom: Uint16Array, from: number, to: number): readonly number[] {
  const nodes = [to]
  for (let node = to; node !== from; ) {
    node = cameFrom[node] ?? from
    nodes.push(node)
  }
  return nodes.reverse()
}

/** The estimate of the distance from a node to the end, calculated once for each node. */
function estimateDistanceTo(network: SeaNetwork, to: number, remainingNm: Float64Array): (node: number) => number {
  const { vectors } = network
  const landmarks = openLandmarks()
  const [x, y, z] = [vectors[to * 3] ?? 0, vectors[to * 3 + 1] ?? 0, vectors[to * 3 + 2] ?? 0]
  remainingNm.fill(-1)
  return (node) => {
    const known = remainingNm[node] ?? -1
    if (known >= 0) return known
    const at = node * 3
    const chord = Math.hypot((vectors[at] ?? 0) - x, (vectors[at + 1] ?? 0) - y, (vectors[at + 2] ?? 0) - z)
    let mostNm = 2 * earthRadiusNm * Math.asin(Math.min(1, chord / 2))
    for (const fromLandmarkNm of landmarks) {
      const differenceNm = Math.abs((fromLandmarkNm[node] ?? 0) - (fromLandmarkNm[to] ?? 0))
      if (differenceNm > mostNm) mostNm = differenceNm
    }
    remainingNm[node] = mostNm * rounding
    return mostNm * rounding
  }
}

/**
 * The ways from each landmark to all nodes. The landmarks lie as far from each other as possible: the first is farthest
 * from node 0, each other is farthest from all before it.
 */
const openLandmarks = once((): readonly Float64Array[] => {
  const network = openSeaNetwork()
  const landmarks: Float64Array[] = []
  const nearestNm = waysFrom(network, 0)
  while (landmarks.length < landmarkCount) {
    const waysNm = waysFrom(network, nearestNm.indexOf(Math.max(...nearestNm)))
    for (const [node, wayNm] of waysNm.entries()) {
      nearestNm[node] = landmarks.length === 0 ? wayNm : Math.min(nearestNm[node] ?? 0, wayNm)
    }
    landmarks.push(waysNm)
  }
  return landmarks
})

/** Dijkstra: the shortest way to every node. */
function waysFrom({ nodeCount, firstEdge, ends, lengthsNm }: SeaNetwork, start: number): Float64Array {
  const waysNm = new Float64Array(nodeCount).fill(Number.POSITIVE_INFINITY)
  const queue = new FlatQueue<number>()
  waysNm[start] = 0
  queue.push(start, 0)
  while (queue.length > 0) {
    const wayNm = queue.peekValue() ?? 0
    const node = queue.pop() ?? 0
    if (wayNm > (waysNm[node] ?? 0)) continue
    for (let edge = firstEdge[node] ?? 0; edge < (firstEdge[node + 1] ?? 0); edge += 1) {
      const next = ends[edge] ?? 0
      const nextNm = wayNm + (lengthsNm[edge] ?? 0)
      if (nextNm >= (waysNm[next] ?? 0)) continue
      waysNm[next] = nextNm
      queue.push(next, nextNm)
    }
  }
  return waysNm
}
