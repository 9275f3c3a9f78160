/**
 * Finds which column of a table is which field: by the map where it names the heading, else by the usual headings. An
 * ambiguous column is not read.
 */

import { isSandboxNumber, readNumber } from '../../inference/number.ts'
import { findNamedLine } from '../../reference/named-lines.ts'
import type { ColumnMap } from './column-map.ts'
import { fieldsByHeading, headingKey, listFields, type TableField, tableFields } from './headings.ts'
import { columnName, type Table, type TableRow } from './table.ts'

export interface FoundColumn {
  /** From 0. */
  readonly place: number
  readonly heading: string
  /** Null: the column is not read. */
  readonly field: TableField | null
  /** How the field was found; null where it was not. */
  readonly by: 'map' | 'heading' | 'content' | null
}

export interface FoundColumns {
  /** Row number in the spreadsheet, from 1; 0 for a table without headings. */
  readonly headingRow: number
  readonly columns: readonly FoundColumn[]
  /** The rows below the headings. */
  readonly rows: readonly TableRow[]
  /** Headings of the map that the table does not have. */
  readonly missing: readonly string[]
}

export type ColumnsReading = ({ readonly ok: true } & FoundColumns) | { readonly ok: false; readonly detail: string }

/** Above the headings there may be a title, a date, an address: the headings are searched in this many rows. */
const headingRowsMax = 20

/** The heading row is the row with the most known fields; of equal rows the first. `of`: the fields to search. */
export function findColumns(
  { rows }: Pick<Table, 'rows'>,
  map: ColumnMap,
  of: readonly TableField[] = tableFields,
): ColumnsReading {
  const wanted = new Set(of)
  let best: {
    readonly row: TableRow
    readonly at: number
    readonly columns: readonly FoundColumn[]
    readonly count: number
  } | null = null
  const ofRequests = wanted.has('request_number')
  for (const [at, row] of rows.slice(0, headingRowsMax).entries()) {
    if (ofRequests && row.cells.some(isShipmentNumber)) continue
    const columns = columnsOf(row, map, wanted)
    const count = columns.filter(({ field }) => field !== null).length
    if (count > (best?.count ?? 0)) best = { row, at, columns, count }
  }
  if (best === null) {
    const columns = ofRequests ? guessColumns(rows, map, wanted) : []
    if (columns.some(({ field }) => field !== null)) return { ok: true, headingRow: 0, columns, rows, missing: [] }
    return {
      ok: false,
      detail:
        rows.length === 0
          ? 'The table is empty.'
          : `None of the first ${headingRowsMax} rows has a heading that is known. Name the headings in a column map.`,
    }
  }
  const present = new Set(best.row.cells.map((cell) => cell.toLowerCase()))
  const named = Object.values(map.columns).flatMap((each) => each ?? [])
  return {
    ok: true,
    headingRow: best.row.number,
    columns: best.columns,
    rows: rows.slice(best.at + 1),
    missing: named.filter((heading) => !present.has(heading.toLowerCase())),
  }
}

function columnsOf(row: TableRow, map: ColumnMap, wanted: ReadonlySet<TableField>): readonly FoundColumn[] {
  const mapped = new Map(
    Object.entries(map.columns).flatMap(([field, names]) =>
      (names ?? []).map((name) => [name.toLowerCase(), field as TableField] as const),
    ),
  )
  const silenced = new Set(Object.keys(map.columns))
  const first = row.cells.map((heading, place): FoundColumn => {
    const mappedField = mapped.get(heading.toLowerCase())
    if (mappedField !== undefined)
      return { place, heading, field: wanted.has(mappedField) ? mappedField : null, by: 'map' }
    const usual = (fieldsByHeading.get(headingKey(heading)) ?? []).filter((field) => wanted.has(field))
    const [only] = usual
    // A heading that fits two fields is not used. If the map names a field, only the map's headings are used for it.
    const field = heading === '' || only === undefined || usual.length > 1 || silenced.has(only) ? null : only
    return { place, heading, field, by: field === null ? null : 'heading' }
  })
  const seen = new Set<TableField>()
  return first.map((column) => {
    const { field } = column
    if (field === null || listFields.has(field)) return column
    // A field with one value takes the first of several columns: usually that is the right one, and no data contradicts
    // it.
    if (seen.has(field)) return { ...column, field: null, by: null }
    seen.add(field)
    return column
  })
}

/**
 * The columns of a table without headings, which are called A, B, C: a column of tracking requests is found by what
 * most of its cells are. Any other column, such as one of references, is not read unless the map names it.
 */
function guessColumns(
  rows: readonly TableRow[],
  map: ColumnMap,
  wanted: ReadonlySet<TableField>,
): readonly FoundColumn[] {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
  const cells = Array.from({ length: width }, (_, place) => columnName(place))
  const columns = columnsOf({ number: 0, cells }, map, wanted)
  const taken = new Set([...Object.keys(map.columns), ...columns.flatMap(({ field }) => field ?? [])])
  return columns.map((column) => {
    const field = column.field ?? guessField(rows.flatMap((row) => row.cells[column.place] || []).slice(0, sampleMax))
    if (column.field !== null || field === null || taken.has(field)) return column
    taken.add(field)
    return { ...column, field, by: 'content' }
  })
}

const sampleMax = 100

function guessField(cells: readonly string[]): TableField | null {
  const isMost = (isOne: (cell: string) => boolean): boolean => cells.filter(isOne).length * 2 > cells.length
  if (isMost((cell) => findNamedLine(cell).kind === 'line')) return 'scac'
  if (!isMost(isShipmentNumber)) return null
  const areContainers = cells.filter(isShipmentNumber).every((cell) => readNumber(cell)?.kind === 'container')
  return areContainers ? 'container_number' : 'request_number'
}

/** A number in a form that a line uses, of any kind. */
function isShipmentNumber(text: string): boolean {
  const reading = readNumber(text)
  if (reading?.kind !== 'shipment') return reading !== null
  return reading.prefix !== null || reading.formats.length > 0 || isSandboxNumber(reading.number)
}

/** The texts of a row by field; empty cells are left out. */
export type FieldTexts = ReadonlyMap<TableField, readonly string[]>

export function fieldsOf(row: TableRow, columns: readonly FoundColumn[]): FieldTexts {
  const texts = new Map<TableField, string[]>()
  for (const { place, field } of columns) {
    const cell = row.cells[place] ?? ''
    if (field === null || cell === '') continue
    const values = listFields.has(field)
      ? cell
          .split(/[\n;,|]/)
          .map((each) => each.trim())
          .filter((each) => each !== '')
      : [cell]
    texts.set(field, [...(texts.get(field) ?? []), ...values])
  }
  return texts
}

/** The error texts that a spreadsheet shows where a formula failed: such a cell has no value. */
export function isCellError(text: string): boolean {
  return /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA)$/.test(text)
}
