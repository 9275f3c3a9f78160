/**
 * An invoice as people have it in a spreadsheet: columns under their usual headings, days, amounts and kinds of charges
 * as people write them. The rows have the names of fields that `readInvoice` reads; what cannot be read for certain
 * stays as it is, and is refused there.
 */

import { chargerOfWords, kindOfWords } from '../../domain/charges/charge-words.ts'
import { isCurrency, parseMoney } from '../../domain/charges/money.ts'
import type { Row } from '../../domain/charges/read-cells.ts'
import { parseUnLocode } from '../../domain/values/identifiers.ts'
import { parseEventTime } from '../../domain/values/time.ts'
import { dayOrderOf } from '../papers/fields/moments.ts'
import { readPlace } from '../papers/fields/printed-places.ts'
import { readFee, readMoment, readYesNo } from './cell-values.ts'
import { type ColumnMap, plainMap } from './column-map.ts'
import { type FoundColumn, fieldsOf, findColumns } from './find-columns.ts'
import { headings } from './headings.ts'
import { type InvoiceField, invoiceHeadings, sharedInvoiceFields } from './invoice-headings.ts'
import type { TableRow } from './table.ts'

interface NumberedRow {
  /** As a spreadsheet program counts, from 1. */
  readonly number: number
  readonly row: Row
}

export interface InvoiceRows {
  readonly headingRow: number
  readonly rows: readonly NumberedRow[]
  /** The heading of each field that has a column, as the table writes it. */
  readonly headings: ReadonlyMap<InvoiceField, string>
  /** Headings of columns that are not read. */
  readonly ignored: readonly string[]
}

const columnFields = [
  ...(Object.keys(sharedInvoiceFields) as (keyof typeof sharedInvoiceFields)[]),
  ...(Object.keys(invoiceHeadings) as (keyof typeof invoiceHeadings)[]),
] as const
const days: ReadonlySet<string> = new Set(
  columnFields.map(toInvoiceField).filter((field) => /(?:^|_)(?:from|to|on|until)$/.test(field)),
)
const amounts = ['rate', 'amount', 'total'] as const

/** `given`: values for the fields of the whole invoice that the table does not have. Null: no heading is known. */
export function readInvoiceRows(rows: readonly TableRow[], given: Row): InvoiceRows | null {
  const found = findColumns({ rows: rows.map(dropHeadingUnits) }, plainMap, columnFields)
  if (!found.ok) return null
  const written = rows.find(({ number }) => number === found.headingRow)?.cells ?? []
  const columns = found.columns.map((column) => ({ ...column, heading: written[column.place] ?? column.heading }))
  const below = rows.filter(({ number }) => number > found.headingRow)
  const read = readTotals(below.map((row) => ({ number: row.number, row: rowOf(row, columns) })))
  const last = read.at(-1)
  const sum = read.length > 1 && last !== undefined && isSum(last.row) ? last : null
  const lines = read.filter((line) => line !== sum)
  const currency = currencyIn(columns, read) ?? given['currency'] ?? ''
  const whole = { ...given, currency, total: sum?.row['amount'] ?? '' }
  const complete = lines.map(({ number, row }) => ({ number, row: fillIn(row, whole, lines) }))
  const form = { currency: currencyOf(complete), dayFormat: dayFormatOf(lines) }
  return {
    headingRow: found.headingRow,
    rows: complete.map(({ number, row }) => ({ number, row: normalizeRow(row, form) })),
    headings: new Map(
      columns.flatMap(({ field, heading }) => (field === null ? [] : [[toInvoiceField(field), heading] as const])),
    ),
    ignored: columns.flatMap(({ field, heading }) => (field === null && heading !== '' ? [heading] : [])),
  }
}

/** The headings that mean a field, the usual first. */
export function headingsOf(field: InvoiceField): readonly string[] {
  const columns = columnFields.filter((each) => toInvoiceField(each) === field)
  return [...new Set([field.replaceAll('_', ' '), ...columns.flatMap((each) => headings[each])])]
}

function toInvoiceField(field: string): InvoiceField {
  // safe: the other fields are named alike in both lists
  return (sharedInvoiceFields as Readonly<Record<string, InvoiceField>>)[field] ?? (field as InvoiceField)
}

const unit = /^(.*[A-Za-z].*?)[\s,([/-]+([A-Z]{3})[)\]]?$/

/** `Amount (USD)` is the heading `Amount`. */
function dropHeadingUnits({ number, cells }: TableRow, place: number): TableRow {
  if (place >= 20) return { number, cells }
  return {
    number,
    cells: cells.map((cell) => (isCurrency(unit.exec(cell)?.[2] ?? '') ? (unit.exec(cell)?.[1] ?? '') : cell)),
  }
}

function rowOf(row: TableRow, columns: readonly FoundColumn[]): Record<string, string> {
  const cells: Record<string, string> = {}
  for (const [field, [text = '']] of fieldsOf(row, columns)) cells[toInvoiceField(field)] ??= text
  return cells
}

/** Totals that differ are of the lines: an invoice has one. */
function readTotals(lines: readonly NumberedRow[]): readonly NumberedRow[] {
  const totals = new Set(lines.flatMap(({ row }) => row['total'] || []))
  if (totals.size < 2 || lines.some(({ row }) => row['amount'])) return lines
  return lines.map(({ number, row: { total = '', ...row } }) => ({ number, row: { ...row, amount: total } }))
}

/** Whether the last row adds up those above. */
function isSum(row: Row): boolean {
  return !row['container'] && !row['from'] && !row['to'] && !row['rate'] && Boolean(row['amount'])
}

/** A field of the whole invoice that no line has. */
function fillIn(row: Row, whole: Row, lines: readonly NumberedRow[]): Row {
  const missing = Object.entries(whole).filter(
    ([field, text]) => text !== '' && lines.every((each) => !each.row[field]),
  )
  return { ...row, ...Object.fromEntries(missing) }
}

/** Of the heading of an amount, or else of the amounts. */
function currencyIn(columns: readonly FoundColumn[], lines: readonly NumberedRow[]): string | null {
  const ofAmounts = columns.filter(({ field }) => amounts.some((each) => each === field))
  const texts = [
    ...ofAmounts.map(({ heading }) => unit.exec(heading)?.[2] ?? ''),
    ...lines.flatMap(({ row }) => amounts.map((each) => /[A-Z]{3}/.exec(row[each] ?? '')?.[0] ?? '')),
  ]
  return texts.find(isCurrency) ?? null
}

function dayFormatOf(lines: readonly NumberedRow[]): ColumnMap['dayFormat'] {
  const order = dayOrderOf(lines.flatMap(({ row }) => [...days].map((field) => row[field] ?? '')))
  if (order === 'unknown') return null
  return order === 'day first' ? 'DD/MM/YYYY' : 'MM/DD/YYYY'
}

function currencyOf(lines: readonly NumberedRow[]): string {
  return tidyCurrency(lines.find(({ row }) => row['currency'])?.row['currency'] ?? '')
}

function tidyCurrency(text: string): string {
  return text.toUpperCase().replace('US$', 'USD')
}

function normalizeRow(
  row: Row,
  { currency, dayFormat }: { readonly currency: string; readonly dayFormat: ColumnMap['dayFormat'] },
): Row {
  return Object.fromEntries(
    Object.entries(row).map(([field, text]) => {
      if (days.has(field)) return [field, dayOf(text, dayFormat)]
      if (amounts.some((each) => each === field)) return [field, amountOf(text, currency)]
      return [field, others[field]?.(text) ?? text]
    }),
  )
}

const others: Readonly<Record<string, (text: string) => string | null>> = {
  kind: kindOfWords,
  charged_by: chargerOfWords,
  currency: tidyCurrency,
  direction: (text) => text.toLowerCase(),
  issuer: (text) => text.toLowerCase(),
  bills: (text) => text.toUpperCase().replace(/[,;\n]+/g, ' '),
  free_days: (text) => /^(\d{1,5})(?:\.0+)?(?:\s*(?:calendar |working )?days?)?$/i.exec(text)?.[1] ?? null,
  port_of_discharge: (text) => (parseUnLocode(text).ok ? null : (readPlace(text)?.unlocode ?? null)),
  consistency_certified: yesNoOf,
  performance_certified: yesNoOf,
}

function yesNoOf(text: string): string | null {
  const read = readYesNo(text)
  return read.ok ? (read.value ? 'yes' : 'no') : null
}

function dayOf(text: string, dayFormat: ColumnMap['dayFormat']): string {
  const day = parseEventTime(text) ?? valueIn(readMoment(text, { dayFormat }))
  if (day === null) return text
  return day.kind === 'day' ? day.on : day.kind === 'local' ? day.local.slice(0, 10) : text
}

function amountOf(text: string, currency: string): string {
  if (parseMoney(text, currency) !== null) return text
  const fee = valueIn(readFee(text, { decimalMark: null, currency }, null))
  if (fee?.status === 'settled') return ''
  return fee === null || fee.currencyCode !== currency ? text : String(fee.amount)
}

function valueIn<Value>(read: { readonly ok: true; readonly value: Value } | { readonly ok: false }): Value | null {
  return read.ok ? read.value : null
}
