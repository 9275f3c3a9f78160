/** A table as it was sent: rows of texts, whatever the file format, and the limits of what is read. */

export interface Table {
  readonly kind: 'csv' | 'xlsx'
  /** For a CSV: its encoding and its separator. Null for a workbook. */
  readonly encoding: string | null
  readonly delimiter: string | null
  /** For a workbook: the names of the sheets that are not hidden, and the one that was read. */
  readonly sheets: readonly string[]
  readonly sheet: string | null
  /** In order; empty rows are left out. */
  readonly rows: readonly TableRow[]
}

export interface TableRow {
  /** From 1, as a spreadsheet program counts. */
  readonly number: number
  /** Texts without blanks at both ends; an empty cell is an empty text. */
  readonly cells: readonly string[]
}

/** `detail` is a sentence for the sender of the file. */
export type TableReading =
  | { readonly ok: true; readonly table: Table }
  | { readonly ok: false; readonly detail: string }

export interface TableChoice {
  /** Name of a sheet, in any case; null for the first that is not hidden. */
  readonly sheet: string | null
}

/** Far above what a list of shipments needs, and low enough that any file is read or refused within seconds. */
export const tableBounds = {
  fileBytes: 8 * 1_048_576,
  /** Maximum number of parts in the ZIP file of a workbook. */
  entries: 1_000,
  unzippedBytes: 96 * 1_048_576,
  /** A part may unzip to at most this many times its size; parts below a megabyte are not checked. */
  ratio: 250,
  ratioFromBytes: 1_048_576,
  rows: 10_100,
  columns: 256,
  cells: 600_000,
  /** Maximum characters of one cell. Spreadsheet programs allow no more. */
  characters: 32_767,
  /** Maximum characters of all cells together. */
  allCharacters: 16 * 1_048_576,
} as const

/** A fault of the complete file; caught by `readTable`, never seen outside of this folder. */
export class TableFault extends Error {}

/** Collects rows, and throws a `TableFault` when there are too many. */
export interface RowCollector {
  readonly add: (row: TableRow) => void
  readonly rows: readonly TableRow[]
}

export function collectRows(): RowCollector {
  const rows: TableRow[] = []
  let cellsLeft: number = tableBounds.cells
  let charactersLeft: number = tableBounds.allCharacters
  return {
    rows,
    add: ({ number, cells }) => {
      if (cells.length > tableBounds.columns)
        throw new TableFault(`Row ${number} has more than ${tableBounds.columns} columns.`)
      const tidied = cells.map((cell, column) => normalizeCell(cell, { number, column }))
      const last = tidied.findLastIndex((cell) => cell !== '')
      if (last < 0) return
      cellsLeft -= last + 1
      for (const cell of tidied) charactersLeft -= cell.length
      if (rows.length >= tableBounds.rows)
        throw new TableFault(`The table has more than ${tableBounds.rows.toLocaleString('en-US')} rows.`)
      if (cellsLeft < 0 || charactersLeft < 0) throw new TableFault('The table has too many cells, or too long ones.')
      rows.push({ number, cells: tidied.slice(0, last + 1) })
    },
  }
}

/** Line ends stay, because they separate the values of a list; other control characters mean nothing here. */
function normalizeCell(text: string, at: { readonly number: number; readonly column: number }): string {
  if (text.length > tableBounds.characters)
    throw new TableFault(
      `Cell ${columnName(at.column)}${at.number} has more than ${tableBounds.characters.toLocaleString('en-US')} characters.`,
    )
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .trim()
}

/** `A` for 0, `AA` for 26. */
export function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter
}
