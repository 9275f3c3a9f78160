/**
 * The sea network as arrays: 9,629 points, the edges between them with their great-circle lengths, loaded at first use.
 */

import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { distanceNm, type GeoPoint, vectorOf } from '../../domain/geography/great-circle.ts'
import { once } from '../data-files.ts'

/**
 * Every edge is stored twice, once for each end. The edges of node `n` are those from `firstEdge[n]` up to, not
 * including, `firstEdge[n + 1]`.
 */
export interface SeaNetwork {
  readonly nodeCount: number
  readonly longitudes: Float64Array
  readonly latitudes: Float64Array
  /** Points on the unit sphere, three numbers for each node. */
  readonly vectors: Float64Array
  readonly firstEdge: Uint32Array
  readonly ends: Uint16Array
  readonly lengthsNm: Float64Array
  /** 0 for the open sea, otherwise the number of the passage, counted from 1. */
  readonly passages: Uint8Array
}

export const openSeaNetwork = once((): SeaNetwork => {
  const bytes = gunzipSync(readFileSync(new URL('./data/network.bin.gz', import.meta.url)))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [nodeCount, edgeCount] = [view.getInt32(0, true), view.getInt32(4, true)]
  const degrees = (from: number) =>
    Float64Array.from({ length: nodeCount }, (_, node) => view.getInt32(from + node * 4, true) / 100_000)
  const ends = (from: number) =>
    Uint16Array.from({ length: edgeCount }, (_, edge) => view.getUint16(from + edge * 2, true))
  const endsAt = 8 + nodeCount * 8
  const nodes = { nodeCount, longitudes: degrees(8), latitudes: degrees(8 + nodeCount * 4) }
  const passages = new Uint8Array(bytes.buffer, bytes.byteOffset + endsAt + edgeCount * 4, edgeCount)
  const edges = { from: ends(endsAt), to: ends(endsAt + edgeCount * 2), passages }
  return { ...nodes, vectors: vectorsOf(nodes), ...buildEdgeLists(nodes, edges) }
})

export function pointOf(network: Nodes, node: number): GeoPoint {
  return { latitude: network.latitudes[node] ?? 0, longitude: network.longitudes[node] ?? 0 }
}

type Nodes = Pick<SeaNetwork, 'nodeCount' | 'longitudes' | 'latitudes'>

interface Edges {
  readonly from: Uint16Array
  readonly to: Uint16Array
  readonly passages: Uint8Array
}

function vectorsOf(nodes: Nodes): Float64Array {
  const vectors = new Float64Array(nodes.nodeCount * 3)
  for (let node = 0; node < nodes.nodeCount; node += 1) vectors.set(vectorOf(pointOf(nodes, node)), node * 3)
  return vectors
}

function buildEdgeLists(nodes: Nodes, { from, to, passages }: Edges) {
  const firstEdge = new Uint32Array(nodes.nodeCount + 1)
  for (const node of [...from, ...to]) firstEdge[node + 1] = (firstEdge[node + 1] ?? 0) + 1
  for (let node = 0; node < nodes.nodeCount; node += 1) {
    firstEdge[node + 1] = (firstEdge[node + 1] ?? 0) + (firstEdge[node] ?? 0)
  }
  const next = firstEdge.slice()
  const ends = new Uint16Array(from.length * 2)
  const lengthsNm = new Float64Array(from.length * 2)
  const marks = new Uint8Array(from.length * 2)
  for (const [edge, passage] of passages.entries()) {
    const [a, b] = [from[edge] ?? 0, to[edge] ?? 0]
    const lengthNm = distanceNm(pointOf(nodes, a), pointOf(nodes, b))
    for (const [here, there] of [
      [a, b],
      [b, a],
    ] as const) {
      const at = next[here] ?? 0
      next[here] = at + 1
      ends[at] = there
      lengthsNm[at] = lengthNm
      marks[at] = passage
    }
  }
  return { firstEdge, ends, lengthsNm, passages: marks }
}
