/** Reads the reference tables: tab-separated files with one header line, some of them gzipped. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

export function readTableBytes(file: string): Buffer {
  const bytes = readFileSync(fileURLToPath(new URL(`./data/${file}`, import.meta.url)))
  return file.endsWith('.gz') ? gunzipSync(bytes) : bytes
}

/** The lines of a table without its header, not split into cells: a row of a big table is split when it is needed. */
export function readTableLines(file: string): readonly string[] {
  const text = readTableBytes(file).toString('utf8')
  return text.replace(/\n$/, '').split('\n').slice(1)
}

/** Calls `read` with the cells of every row. */
export function readTable<Row>(file: string, read: (cells: Cells) => Row): readonly Row[] {
  return readTableLines(file).map((line) => read(readCells(line)))
}

/** A row: gives a cell by its column number. An empty cell is null, because empty means unknown in all our tables. */
export type Cells = (column: number) => string | null

export function readCells(line: string): Cells {
  const cells = line.split('\t')
  return (column) => cells[column] || null
}

export function getCell(cells: Cells, column: number): string {
  const value = cells(column)
  if (value === null) throw new Error(`a reference table lacks a value in column ${column}`)
  return value
}

/** Makes a loader that does its work at the first call and remembers the result. */
export function once<Value>(load: () => Value): () => Value {
  let loaded: { readonly value: Value } | null = null
  return () => {
    loaded ??= { value: load() }
    return loaded.value
  }
}
