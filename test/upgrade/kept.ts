/**
 * A stored installation: everything in its database, its secret, and what was observed of it from outside at that
 * time. Written by `npm run qa -- keep-installation`, stored in this folder as `<day>.landfall.zst`, one JSON value a line.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Observed } from './observed.ts'
import type { Dump, TableRows } from './rows.ts'

export interface KeptHead {
  readonly format: 1
  /** Of the code that ran it: its newest commit, and the day of that. */
  readonly commit: string
  readonly committedOn: string
  /** When it was observed from outside; the clock of an opened installation starts here. */
  readonly seenAt: string
  readonly secret: string
  /** Its environment variables, as far as they are needed to open it. */
  readonly settings: Readonly<Record<string, string>>
  /** The migrations that it had run, in their order. */
  readonly migrations: readonly string[]
  /** How many rows there are of each kind that an upgrade could break. */
  readonly contents: Readonly<Record<string, number>>
}

export interface Kept extends KeptHead, Dump {
  readonly observed: Observed
}

const folder = fileURLToPath(new URL('.', import.meta.url))

/** The names of the files, the oldest first. */
export function listKept(): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.landfall.zst'))
    .sort()
}

export function readKept(name: string): Kept {
  return parseKept(readBytes(name))
}

/**
 * The same rows, but only one delivery body in twenty: the others are two thirds of all bytes. For tests that
 * need rows of every kind.
 */
export function readLightKept(name: string): Kept {
  const kept = readKept(name)
  return {
    ...kept,
    tables: kept.tables.map((table) => {
      const body = table.columns.indexOf('body')
      if (table.name !== 'webhook_notifications' || body < 0) return table
      const lighten = (row: TableRows['rows'][number], index: number): TableRows['rows'][number] =>
        index % 20 === 0 ? row : row.with(body, null)
      return { ...table, rows: table.rows.map(lighten) }
    }),
  }
}

export function readBytes(name: string): Buffer {
  return readFileSync(join(folder, name))
}

export function writeKept({ tables, partitions, sequences, observed, ...head }: Kept): Buffer {
  const lines: unknown[] = [head, { partitions, sequences }, observed]
  for (const { rows, ...table } of tables) lines.push(table, ...rows)
  return zstdCompressSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { params: thorough })
}

export function textOf(bytes: Buffer): string {
  return zstdDecompressSync(bytes).toString('utf8')
}

/** Documents repeat each other over long distances in the file. A checksum shows a changed byte of the file. */
const thorough = {
  [constants.ZSTD_c_compressionLevel]: 19,
  [constants.ZSTD_c_windowLog]: 27,
  [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  [constants.ZSTD_c_checksumFlag]: 1,
}

/** Throws if a byte of the file has changed. */
export function parseKept(bytes: Buffer): Kept {
  const [head, rest, observed, ...lines] = textOf(bytes)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  if ((head as KeptHead).format !== 1) throw new Error('This kept installation is of a format that is not known.')
  const tables: (Omit<TableRows, 'rows'> & { rows: (string | null)[][] })[] = []
  for (const line of lines) {
    if (Array.isArray(line)) tables.at(-1)?.rows.push(line)
    else tables.push({ ...line, rows: [] })
  }
  return { ...head, ...rest, observed, tables }
}
