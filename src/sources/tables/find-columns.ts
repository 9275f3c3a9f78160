/** Which column of a table is what: by the map where it says so, else by the usual headings. What is unsure is not read. */

import type { ColumnMap } from './column-map.ts'
import { fieldsByHeading, headingKey, listFields, type TableField, tableFields } from './headings.ts'
import type { Table, TableRow } from './table.ts'

export interface FoundColumn {
  /** From 0. */
  readonly place: number
  readonly heading: string
  /** Null: it is not read. */
  readonly field: TableField | null
  /** Who said so; null where nobody did. */
  readonly by: 'map' | 'heading' | null
}

export interface FoundColumns {
  /** Of the spreadsheet, from 1. */
  readonly headingRow: number
  readonly columns: readonly FoundColumn[]
  /** What stands below the headings. */
  readonly rows: readonly TableRow[]
  /** Headings of the map that the table does not have. */
  readonly missing: readonly string[]
}

export type ColumnsReading =
  | ({ readonly ok: true } & FoundColumns)
  | { readonly ok: false; readonly detail: string }

/** Above the headings of a table there may be a title, a date, an address: so far they are looked for. */
const headingRowsMax = 20

/** The headings are the row that names the most fields; of two such, the first. `of`: the fields that are wanted. */
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
  for (const [at, row] of rows.slice(0, headingRowsMax).entries()) {
    const columns = columnsOf(row, map, wanted)
    const count = columns.filter(({ field }) => field !== null).length
    if (count > (best?.count ?? 0)) best = { row, at, columns, count }
  }
  if (best === null)
    return {
      ok: false,
      detail:
        rows.length === 0
          ? 'The table is empty.'
          : `None of the first ${headingRowsMax} rows has a heading that is known. Name the headings in a column map.`,
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
    const own = mapped.get(heading.toLowerCase())
    if (own !== undefined) return { place, heading, field: wanted.has(own) ? own : null, by: 'map' }
    const usual = (fieldsByHeading.get(headingKey(heading)) ?? []).filter((field) => wanted.has(field))
    const [only] = usual
    // A heading of two fields says neither; a field that the map speaks of is the map's alone.
    const field = heading === '' || only === undefined || usual.length > 1 || silenced.has(only) ? null : only
    return { place, heading, field, by: field === null ? null : 'heading' }
  })
  const seen = new Set<TableField>()
  return first.map((column) => {
    const { field } = column
    if (field === null || listFields.has(field)) return column
    // The second column of a field that has one: nobody says which is meant, and the first is the usual one.
    if (seen.has(field)) return { ...column, field: null, by: null }
    seen.add(field)
    return column
  })
}

/** What a row says of each field; what is empty says nothing. */
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

/** What a spreadsheet shows where a formula failed: it stands for no value. */
export function isCellError(text: string): boolean {
  return /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA)$/.test(text)
}
