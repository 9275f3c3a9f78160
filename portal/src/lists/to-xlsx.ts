/** A table as an XLSX file with one sheet: its heads stay in view, and days are dates. Loaded when it is asked for. */

import { type Cell, type CellValue, writeXlsx } from 'hucre/xlsx'
import type { Value } from './list-row.ts'

const widthMax = 40
const widthMin = 10
/** Characters of a day as the formats below write it. */
const dayWidth = 16
const dayFormat = 'ddd d mmm yyyy'
const hourFormat = `${dayFormat} hh:mm`

export async function writeSheet(
  heads: readonly string[],
  rows: readonly (readonly Value[])[],
  name: string,
): Promise<Blob> {
  const columns = heads.map((head, at) => {
    const values = rows.map((row) => row[at] ?? null)
    const width = values.reduce(
      (most: number, value) => Math.max(most, widthOf(value)),
      Math.max(widthMin, head.length),
    )
    return { width: Math.min(width, widthMax) + 2, ...formatOf(values) }
  })
  const bold = heads.map((_, at): [string, Partial<Cell>] => [`0,${at}`, { style: { font: { bold: true } } }])
  const bytes = await writeXlsx({
    sheets: [
      {
        name,
        columns,
        rows: [[...heads], ...rows.map((row) => row.map(cellOf))],
        cells: new Map(bold),
        freezePane: { rows: 1, columns: 1 },
      },
    ],
  })
  // safe: it writes into a buffer of its own
  return new Blob([bytes as Uint8Array<ArrayBuffer>], {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  })
}

function widthOf(value: Value): number {
  return value === null ? 0 : typeof value === 'object' ? dayWidth : String(value).length
}

function formatOf(values: readonly Value[]): { readonly numFmt?: string } {
  const first = values.find((value) => value !== null && typeof value === 'object')
  if (first === undefined || first === null || typeof first !== 'object') return {}
  return { numFmt: first.at.includes('T') ? hourFormat : dayFormat }
}

/** A date of a sheet has no zone: it is the day and the hour at the place. */
function cellOf(value: Value): CellValue {
  if (value === null || typeof value !== 'object') return value
  return new Date(value.at.includes('T') ? `${value.at}Z` : `${value.at}T00:00Z`)
}
