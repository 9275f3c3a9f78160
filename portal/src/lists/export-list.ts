/** Saves a list as a person would write it: the columns that are shown, in words, days as dates, in one sheet. */

import type { Connection, Query } from '../api/connection.ts'
import { written } from '../api/connection.ts'
import { saveFile } from '../parts/save-file.ts'
import type { ListColumn } from './list-column.ts'
import type { Field, Value } from './list-row.ts'
import { directionOf, isByPosition } from './sorting.ts'
import { toCsv } from './to-csv.ts'

export type FileKind = 'xlsx' | 'csv'

interface Exported<Row> {
  readonly path: string
  readonly query: Query
  readonly columns: readonly ListColumn<Row>[]
  readonly order: string
  readonly toRow: (line: unknown) => Row
  /** Only these rows; null: all that match. */
  readonly rows: readonly Row[] | null
  /** Of the sheet. */
  readonly title: string
  /** Of the file, without its ending. */
  readonly name: string
}

export async function exportList<Row>(connection: Connection, kind: FileKind, list: Exported<Row>): Promise<number> {
  const { columns, rows: given } = list
  const rows = given ?? sorted(await readRows(connection, list), list)
  const fields = fieldsOf(columns)
  const values = rows.map((row) => fields.map(({ value }) => value(row)))
  const heads = fields.map(({ head }) => head)
  const bytes =
    kind === 'csv'
      ? new Blob([toCsv(heads, values)], { type: 'text/csv;charset=utf-8' })
      : await toXlsx(heads, values, list.title)
  saveFile(bytes, `${list.name}.${kind}`)
  return rows.length
}

async function toXlsx(heads: readonly string[], values: readonly (readonly Value[])[], title: string): Promise<Blob> {
  const { writeSheet } = await import('./to-xlsx.ts')
  return writeSheet(heads, values, title)
}

async function readRows<Row>(
  connection: Connection,
  { path, query, order, toRow }: Exported<Row>,
): Promise<readonly Row[]> {
  // An order without positions is made here, from the same values that the file has.
  const sort = isByPosition(order) ? order : 'urgency'
  const text = await connection.text(path + written({ ...query, sort, format: 'ndjson' }))
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => toRow(JSON.parse(line)))
}

function sorted<Row>(rows: readonly Row[], { columns, order }: Exported<Row>): readonly Row[] {
  const column = columns.find((each) => directionOf(each, order) !== null)
  if (isByPosition(order) || column === undefined) return rows
  const sign = directionOf(column, order) === 'ascending' ? 1 : -1
  const [field] = column.fields
  return field === undefined ? rows : rows.toSorted((a, b) => compare(field.value(a), field.value(b), sign))
}

/** A row without the value comes last in both directions, as in the list. */
function compare(a: Value, b: Value, sign: number): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  const [first, second] = [a, b].map((each) => (typeof each === 'object' ? each.at : each))
  if (typeof first === 'number' && typeof second === 'number') return sign * (first - second)
  return sign * String(first).localeCompare(String(second))
}

/** Two columns of the list may have the same one in the file. */
function fieldsOf<Row>(columns: readonly ListColumn<Row>[]): readonly Field<Row>[] {
  return [...new Map(columns.flatMap(({ fields }) => fields).map((field) => [field.head, field])).values()]
}
