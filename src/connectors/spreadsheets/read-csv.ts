/** Reads CSV as programs and people write it: any usual separator, quotes where needed, rows of unequal length. */

import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { decodeText } from './decode-text.ts'
import { collectRows, type Table, TableFault, tableBounds } from './table.ts'

/** If two separators fit equally well, the first in this order is used. */
const delimiters = [',', ';', '\t', '|'] as const

const recordCharactersMax = 1_048_576
const sampleCharacters = 65_536
const sampleLines = 20

export function readCsv(bytes: Buffer): Table {
  const { text, encoding } = decodeText(bytes)
  const declared = /^sep=(.)\r?\n/i.exec(text)
  const delimiter = declared?.[1] ?? detectDelimiter(text)
  const collected = collectRows()
  let number = 0
  try {
    parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: recordCharactersMax,
      // Rows are collected here, so the parser need not store them.
      on_record: (record: readonly string[]) => {
        number += 1
        if (number > 1 || declared === null) collected.add({ number, cells: record })
        return null
      },
    })
  } catch (error) {
    throw toTableFault(error, number + 1)
  }
  return { kind: 'csv', encoding, delimiter, sheets: [], sheet: null, rows: collected.rows }
}

function toTableFault(error: unknown, number: number): unknown {
  if (!(error instanceof CsvError)) return error
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return new TableFault(
      `Row ${number} is longer than ${recordCharactersMax.toLocaleString('en-US')} characters, or has far more than ${tableBounds.columns} columns.`,
    )
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return new TableFault(`A quotation mark that opens in row ${number} does not close.`)
  return new TableFault(`Row ${number} cannot be read as CSV (${error.code}).`)
}

/**
 * The separator that cuts the most lines into as many cells as the first line. A table with one column has none: then
 * it is a comma.
 */
export function detectDelimiter(text: string): string {
  const lines = linesOf(text.slice(0, sampleCharacters))
  const scores = delimiters.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1)
    const first = counts[0] ?? 0
    return { delimiter, first, same: first === 0 ? 0 : counts.filter((count) => count === first).length }
  })
  const best = scores.toSorted((a, b) => b.same - a.same || b.first - a.first)[0]
  return best === undefined || best.same === 0 ? ',' : best.delimiter
}

/** The first lines that are not empty, without quoted text. */
function linesOf(text: string): readonly string[] {
  return text
    .replace(/"(?:[^"]|"")*(?:"|$)/g, '')
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, sampleLines)
}
