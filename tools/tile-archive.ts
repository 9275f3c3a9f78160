/**
 * Writes vector tiles into one file, a PMTiles archive of version 3 (https://github.com/protomaps/PMTiles, spec/v3): a head
 * of 127 bytes, a directory, metadata, and the tiles, each packed with gzip. Equal tiles are stored once.
 */

import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { zxyToTileId } from 'pmtiles'

export interface Tile {
  readonly z: number
  readonly x: number
  readonly y: number
  readonly bytes: Uint8Array
}

interface Entry {
  readonly id: number
  readonly offset: number
  readonly length: number
  /** How many tiles in a row are these bytes. */
  run: number
}

const headBytes = 127
const gzip = 2
const vectorTiles = 1

export function writeTileArchive(tiles: readonly Tile[], metadata: object): Buffer {
  const inOrder = tiles.map((tile) => ({ ...tile, id: zxyToTileId(tile.z, tile.x, tile.y) }))
  inOrder.sort((a, b) => a.id - b.id)
  const { entries, parts, size } = pack(inOrder)
  const directory = gzipSync(writeDirectory(entries))
  const about = gzipSync(JSON.stringify(metadata))
  const zooms = inOrder.map(({ z }) => z)
  const head = writeHead({
    directory: directory.length,
    about: about.length,
    data: size,
    counts: [inOrder.length, entries.length, parts.length],
    zooms: [Math.min(...zooms), Math.max(...zooms)],
  })
  return Buffer.concat([head, directory, about, ...parts])
}

function pack(tiles: readonly (Tile & { readonly id: number })[]): {
  readonly entries: readonly Entry[]
  readonly parts: readonly Buffer[]
  readonly size: number
} {
  const entries: Entry[] = []
  const parts: Buffer[] = []
  const known = new Map<string, { readonly offset: number; readonly length: number }>()
  let size = 0
  for (const { id, bytes } of tiles) {
    const hash = createHash('sha256').update(bytes).digest('hex')
    let place = known.get(hash)
    if (place === undefined) {
      const packed = gzipSync(bytes, { level: 9 })
      place = { offset: size, length: packed.length }
      known.set(hash, place)
      parts.push(packed)
      size += packed.length
    }
    const last = entries.at(-1)
    if (last !== undefined && last.offset === place.offset && last.id + last.run === id) last.run += 1
    else entries.push({ id, ...place, run: 1 })
  }
  return { entries, parts, size }
}

/** Ids as differences, then runs, lengths, and offsets: 0 for a tile whose bytes follow those of the one before. */
function writeDirectory(entries: readonly Entry[]): Buffer {
  const numbers = [entries.length]
  let before = 0
  for (const { id } of entries) {
    numbers.push(id - before)
    before = id
  }
  numbers.push(...entries.map(({ run }) => run), ...entries.map(({ length }) => length))
  for (const [at, { offset }] of entries.entries()) {
    const last = entries[at - 1]
    const follows = last !== undefined && offset === last.offset + last.length
    numbers.push(follows ? 0 : offset + 1)
  }
  return Buffer.from(numbers.flatMap(writeVarint))
}

/** LEB128, as in protocol buffers. */
function writeVarint(number: number): readonly number[] {
  const bytes: number[] = []
  let rest = number
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return [...bytes, rest]
}

interface Head {
  readonly directory: number
  readonly about: number
  readonly data: number
  /** Tiles, entries of the directory, different contents. */
  readonly counts: readonly [number, number, number]
  readonly zooms: readonly [number, number]
}

function writeHead({ directory, about, data, counts, zooms }: Head): Buffer {
  const head = Buffer.alloc(headBytes)
  head.write('PMTiles', 0, 'latin1')
  head[7] = 3
  const aboutAt = headBytes + directory
  const dataAt = aboutAt + about
  // There are no leaf directories: their place is that of the data, and their length 0.
  const places = [headBytes, directory, aboutAt, about, dataAt, 0, dataAt, data, ...counts]
  for (const [at, place] of places.entries()) head.writeBigUInt64LE(BigInt(place), 8 + at * 8)
  const [least, most] = zooms
  // 1: the tiles are in the order of their ids.
  for (const [at, byte] of [1, gzip, gzip, vectorTiles, least, most].entries()) head[96 + at] = byte
  const bounds = [-180, -85.0511287, 180, 85.0511287]
  for (const [at, degrees] of bounds.entries()) head.writeInt32LE(Math.round(degrees * 1e7), 102 + at * 4)
  return head
}
