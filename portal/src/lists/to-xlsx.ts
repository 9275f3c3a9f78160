/** A table as an XLSX file with one sheet: its heads stay in view, and days are dates. Loaded when it is asked for. */

import writeExcelFile, { type Cell } from 'write-excel-file/universal'
import type { Value } from './list-column.ts'

const widthMax = 40
const widthMin = 10
/** Characters of a date as the formats below write it. */
const dateWidth = 16

export function writeSheet(heads: readonly string[], rows: readonly (readonly Value[])[]): Promise<Blob> {
  const widths = heads.map((head, at) =>
    rows.reduce((width, row) => Math.max(width, widthOf(row[at] ?? null)), Math.max(widthMin, head.length)),
  )
  const head = heads.map((value): Cell => ({ value, fontWeight: 'bold' }))
  return writeExcelFile([head, ...rows.map((row) => row.map(cellOf))], {
    columns: widths.map((width) => ({ width: Math.min(width, widthMax) + 1 })),
    stickyRowsCount: 1,
    stickyColumnsCount: 1,
  }).toBlob()
}

function widthOf(value: Value): number {
  return value === null ? 0 : typeof value === 'object' ? dateWidth : String(value).length
}

function cellOf(value: Value): Cell {
  if (value === null) return null
  if (typeof value === 'string') return { value, type: String }
  if (typeof value === 'number') return { value, type: Number }
  // A date of a sheet has no zone: it is the day and the hour at the place.
  const isDay = !value.at.includes('T')
  return {
    value: new Date(`${value.at}${isDay ? 'T00:00' : ''}Z`),
    type: Date,
    format: isDay ? 'ddd d mmm yyyy' : 'ddd d mmm yyyy hh:mm',
  }
}
