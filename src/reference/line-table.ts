/**
 * A big table, stored as the bytes of its file: a row becomes text on demand. As strings, the places of the world need
 * ten times the memory, in each thread.
 */

import { readTableBytes } from './data-files.ts'

export interface LineTable {
  readonly length: number
  readonly lineAt: (row: number) => string
  /** The first row that begins with `start`, or else the first one behind it. */
  readonly findRow: (start: string) => number
}

const newline = 0x0a

/** The rows must be sorted by the bytes of their first cell. */
export function openLineTable(file: string): LineTable {
  const bytes = readTableBytes(file)
  const starts: number[] = []
  // The first line is the header.
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, end + 1)) starts.push(end + 1)
  const rows = Uint32Array.from(starts)
  const length = rows.length - 1
  return {
    length,
    lineAt: (row) => bytes.toString('utf8', rows[row], (rows[row + 1] ?? 0) - 1),
    findRow: (start) => {
      const sought = Buffer.from(start)
      let [low, high] = [0, length]
      while (low < high) {
        const middle = (low + high) >>> 1
        const from = rows[middle] ?? 0
        if (bytes.compare(sought, 0, sought.length, from, from + sought.length) < 0) low = middle + 1
        else high = middle
      }
      return low
    },
  }
}
