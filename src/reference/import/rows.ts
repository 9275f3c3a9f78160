/**
 * Converts the bytes of a published list into rows: unpacks, decodes strictly, splits the CSV, and records the line
 * number of each row.
 */

import { gunzipSync } from 'node:zlib'
import { CsvError, parse } from 'csv-parse/sync'
import { ListFault } from './record.ts'

export interface ListRow {
  /** Line of the file where the row ends, counted from 1. */
  readonly line: number
  /** The trimmed text of a column, empty when the column is empty. */
  readonly cell: (column: string) => string
}

export interface ListShape {
  /** Columns that the list must have. Other columns are allowed. */
  readonly columns: readonly string[]
  /** Other headings that a column may have, the most likely first. The column's own name is tried before them. */
  readonly alsoCalled?: Readonly<Record<string, readonly string[]>>
  /** Set when the first line is data and the columns are known by position only. */
  readonly hasNoHeader?: true
  /** The encoding that the publisher uses when the file is not UTF-8. */
  readonly otherEncoding?: 'windows-1252'
}

const unpackedBytesMax = 256 * 2 ** 20

/** Throws a `ListFault` when the bytes are not such a list. */
export function readRows(bytes: Uint8Array, shape: ListShape): readonly ListRow[] {
  const text = decodeText(unpackBytes(bytes), shape)
  const { header, lines } = split(text, shape)
  const headed = new Map(header.map((name, at) => [normalizeName(name), at]))
  const placeOf = (column: string): number | undefined =>
    [column, ...(shape.alsoCalled?.[column] ?? [])]
      .map((name) => headed.get(normalizeName(name)))
      .find((at) => at !== undefined)
  const missing = shape.columns.filter((name) => placeOf(name) === undefined)
  if (missing.length > 0)
    throw new ListFault(
      `The first line has no column ${missing.join(', ')}. It has: ${header.join(', ').slice(0, 300)}.`,
    )
  if (lines.length === 0) throw new ListFault('The file holds no rows.')
  return lines.map(({ line, cells }) => ({
    line,
    cell: (column) => {
      const at = placeOf(column)
      return at === undefined ? '' : (cells[at] ?? '').trim()
    },
  }))
}

interface Line {
  readonly line: number
  readonly cells: readonly string[]
}

function split(
  text: string,
  shape: ListShape,
): { readonly header: readonly string[]; readonly lines: readonly Line[] } {
  const lines: Line[] = []
  try {
    parse(text, {
      skip_empty_lines: true,
      relax_column_count: shape.hasNoHeader === true,
      on_record: (cells: readonly string[], { lines: line }) => {
        lines.push({ line, cells })
        return null
      },
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new ListFault(`The file is not CSV: ${error.message}.`)
  }
  if (shape.hasNoHeader === true) return { header: shape.columns, lines }
  const [first, ...rest] = lines
  return { header: first?.cells ?? [], lines: rest }
}

function normalizeName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}

function unpackBytes(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: unpackedBytesMax })
  } catch (error) {
    throw new ListFault(`The file cannot be unpacked: ${error instanceof Error ? error.message : error}.`)
  }
}

function decodeText(bytes: Uint8Array, { otherEncoding }: ListShape): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw new ListFault('The file is UTF-16. Save it as UTF-8.')
  if (bytes[0] === 0x50 && bytes[1] === 0x4b)
    throw new ListFault('The file is a ZIP archive or a spreadsheet. Give the CSV that is in it.')
  return decodeUtf8(bytes) ?? decodeOther(bytes, otherEncoding)
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function decodeOther(bytes: Uint8Array, encoding: ListShape['otherEncoding']): string {
  if (encoding === undefined) throw new ListFault('The file is not UTF-8. Save it as UTF-8.')
  return new TextDecoder(encoding).decode(bytes)
}
