/**
 * Writes the sea network, src/reference/sea-routes/data/network.bin.gz, from a folder of raw lists (`--from <folder>`):
 * the published lines as a graph, joined across the 180th meridian, without the Arctic passages, and with lines of our
 * own that the published network lacks (own-sea-lines.csv).
 */

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { seaPassages } from '../src/reference/sea-routes/passages.ts'

type Position = readonly [longitude: number, latitude: number]
type Geometry =
  | { readonly type: 'LineString'; readonly coordinates: readonly Position[] }
  | { readonly type: 'MultiLineString'; readonly coordinates: readonly (readonly Position[])[] }

interface Feature {
  readonly properties: { readonly passage?: string | null }
  readonly geometry: Geometry
}

interface Node {
  /** In units of 0.00001 degrees, about a metre. */
  readonly longitude: number
  readonly latitude: number
  readonly neighbours: Map<number, number>
}

/** No container ship uses these on a schedule. A route through them would be shorter and wrong. */
const arctic: ReadonlySet<string> = new Set(['northwest', 'bering'])
const unit = 100_000

const { values: options } = parseArgs({ options: { from: { type: 'string' } } })
if (options.from === undefined) {
  console.error('Say where the raw lists are: tools/sea-routes-data.ts --from <folder>')
  process.exit(1)
}
const raw = join(options.from, 'routes', 'marnet.geojson')
const target = new URL('../src/reference/sea-routes/data/', import.meta.url)

const { features } = JSON.parse(readFileSync(raw, 'utf8')) as { readonly features: readonly Feature[] }
const ownLines = new URL('own-sea-lines.csv', import.meta.url)
const { nodes, edges } = numbered(largestPart(readNodes([...features, ...readOwnLines()])))
const bytes = gzipSync(writeNetwork(), { level: 9 })
writeFileSync(new URL('network.bin.gz', target), bytes)
writeFileSync(new URL('LICENSE', target), readFileSync(join(options.from, 'routes', 'LICENSE')))
const note = {
  publisher: 'Eurostat and contributors of searoute-py, after the Oak Ridge National Laboratory',
  edition: 'undated; lines of about 2000 with later additions',
  licence: 'Apache-2.0 as published; lineage: public domain lines of ORNL, additions by Eurostat (EUPL-1.2)',
  attribution: 'See NOTICE beside this file.',
  changes:
    'Lines cut into edges, points rounded to 0.00001 degrees, both sides of the 180th meridian joined, the passages ' +
    'northwest and bering and what only they reach left out. The Kiel Canal added (tools/own-sea-lines.csv).',
  sha256: sha256Of(bytes),
  rows: edges.length,
  raw: [
    { file: 'routes/marnet.geojson', sha256: sha256Of(readFileSync(raw)) },
    { file: 'tools/own-sea-lines.csv', sha256: sha256Of(readFileSync(ownLines)) },
  ],
}
writeFileSync(new URL('network.bin.gz.SOURCE.json', target), `${JSON.stringify(note, null, 2)}\n`)
console.log(`network.bin.gz: ${nodes.length} nodes, ${edges.length} edges, ${bytes.length} bytes`)

function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Canals that the published network lacks. The first and the last point of each line must be points of the network. */
function readOwnLines(): readonly Feature[] {
  const rows = parse(readFileSync(ownLines), { columns: true }) as readonly Readonly<Record<string, string>>[]
  return [...Map.groupBy(rows, ({ line }) => line).values()].map((points) => ({
    properties: { passage: points[0]?.['passage'] ?? null },
    geometry: {
      type: 'LineString',
      coordinates: points.map(({ longitude, latitude }) => [Number(longitude), Number(latitude)] as const),
    },
  }))
}

function readNodes(lines: readonly Feature[]): readonly Node[] {
  const nodes: Node[] = []
  const numbers = new Map<string, number>()
  for (const { properties, geometry } of lines) {
    const passage = properties.passage ?? null
    if (passage !== null && arctic.has(passage)) continue
    const mark = passage === null ? 0 : numberOf(passage)
    const strings = geometry.type === 'LineString' ? [geometry.coordinates] : geometry.coordinates
    for (const positions of strings) {
      const path = positions.map(nodeAt)
      for (const [index, to] of path.entries()) {
        const from = path[index - 1]
        if (from === undefined || from === to) continue
        nodes[from]?.neighbours.set(to, mark)
        nodes[to]?.neighbours.set(from, mark)
      }
    }
  }
  return nodes

  function nodeAt([rawLongitude, rawLatitude]: Position): number {
    const longitude = Math.round((((rawLongitude + 540) % 360) - 180) * unit)
    const latitude = Math.round(rawLatitude * unit)
    const key = `${longitude} ${latitude}`
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, nodes.length)
    return nodes.push({ longitude, latitude, neighbours: new Map() }) - 1
  }
}

/** Counted from 1; 0 is the open sea. */
function numberOf(passage: string): number {
  const names: readonly string[] = seaPassages
  const index = names.indexOf(passage)
  if (index < 0) throw new Error(`the passage ${passage} is not in passages.ts`)
  return index + 1
}

/**
 * Without the Arctic passages the waters behind them are not connected to the rest, so only the largest connected part
 * is kept.
 */
function largestPart(all: readonly Node[]): { all: readonly Node[]; kept: readonly number[] } {
  const seen = new Set<number>()
  let kept: readonly number[] = []
  for (const start of all.keys()) {
    if (seen.has(start)) continue
    const part = [start]
    seen.add(start)
    for (const each of part) {
      for (const next of all[each]?.neighbours.keys() ?? []) {
        if (seen.has(next)) continue
        seen.add(next)
        part.push(next)
      }
    }
    if (part.length > kept.length) kept = part
  }
  return { all, kept }
}

function numbered({ all, kept }: ReturnType<typeof largestPart>) {
  const places = kept.toSorted((a, b) => a - b)
  const numbers = new Map(places.map((place, index) => [place, index]))
  const nodes = places.flatMap((place) => all[place] ?? [])
  const edges = nodes.flatMap((node, from) =>
    [...node.neighbours]
      .map(([to, passage]) => ({ from, to: numbers.get(to) ?? -1, passage }))
      .filter(({ to }) => to > from),
  )
  return { nodes, edges }
}

/**
 * All little-endian: the numbers of nodes and edges; longitudes; latitudes; the ends of the edges; the passages of the
 * edges.
 */
function writeNetwork(): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 + nodes.length * 8 + edges.length * 5))
  let at = 0
  const write32 = (value: number) => {
    view.setInt32(at, value, true)
    at += 4
  }
  const write16 = (value: number) => {
    view.setUint16(at, value, true)
    at += 2
  }
  write32(nodes.length)
  write32(edges.length)
  for (const { longitude } of nodes) write32(longitude)
  for (const { latitude } of nodes) write32(latitude)
  for (const { from } of edges) write16(from)
  for (const { to } of edges) write16(to)
  for (const { passage } of edges) view.setUint8(at++, passage)
  return new Uint8Array(view.buffer)
}
