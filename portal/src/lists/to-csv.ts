/** A table as CSV that spreadsheets open: with a byte order mark, and no cell that they would run as a formula. */

import { writeCsv } from '../charges/csv.ts'
import type { Value } from './list-row.ts'

const byteOrderMark = '\uFEFF'

export function toCsv(heads: readonly string[], rows: readonly (readonly Value[])[]): string {
  return (
    byteOrderMark +
    writeCsv(
      heads,
      rows.map((row) => row.map(textOf)),
    )
  )
}

function textOf(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  if (typeof value === 'object') return value.at.replace('T', ' ')
  return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
}
