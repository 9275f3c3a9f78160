/** An invoice from a table: each row is one line of it. */

import type { InvoiceField } from '../../connectors/spreadsheets/invoice-headings.ts'
import { headingsOf, type InvoiceRows, readInvoiceRows } from '../../connectors/spreadsheets/read-invoice-rows.ts'
import { readTableInJail } from '../../connectors/spreadsheets/read-table-apart.ts'
import type { Invoice } from '../../domain/charges/invoice.ts'
import type { Row } from '../../domain/charges/read-cells.ts'
import { invoiceLinesMax, readInvoice } from '../../domain/charges/read-invoice.ts'
import type { TableFault } from '../charges/read-charge-table.ts'
import { ServiceError } from '../errors.ts'

const faultsMax = 100

export interface InvoiceFault extends TableFault {
  /** The heading of the column as the table writes it; null: no column was recognised. */
  readonly heading: string | null
  /** Headings that are recognised, where there is no column. */
  readonly accepted: readonly string[]
}

export type InvoiceTableResult =
  | { readonly ok: true; readonly value: Invoice; readonly ignored: readonly string[] }
  | { readonly ok: false; readonly faults: readonly InvoiceFault[] }

/** `given`: values for what the table does not say. */
export async function readInvoiceTable(bytes: Buffer, given: Row): Promise<InvoiceTableResult> {
  const reading = await readTableInJail(bytes, { sheet: null })
  if (!reading.ok) throw new ServiceError('invalid', reading.detail)
  const { rows } = reading.table
  const table = readInvoiceRows(rows, given)
  const faultOf = ({ row, field, problem }: TableFault): InvoiceFault => {
    // safe: the name of a field, or a text that is none
    const heading = table?.headings.get(field as InvoiceField) ?? null
    return { row, field, problem, heading, accepted: heading === null ? headingsOf(field as InvoiceField) : [] }
  }
  const missing = missingColumns(table)
  if (missing.length > 0) {
    const row = table?.headingRow ?? rows[0]?.number ?? 1
    return { ok: false, faults: missing.map((field) => faultOf({ row, field, problem: 'has no column' })) }
  }
  const lines = table?.rows ?? []
  if (lines.length === 0)
    throw new ServiceError('invalid', 'The table has no rows: each row below the headings is a line of the invoice.')
  if (lines.length > invoiceLinesMax)
    throw new ServiceError('invalid', `The table has more than ${invoiceLinesMax} rows.`)
  const read = readInvoice(lines.map(({ row }) => row))
  if (read.ok) return { ...read, ignored: table?.ignored ?? [] }
  const faults = read.faults.map((fault) => faultOf({ ...fault, row: lines[fault.row ?? 0]?.number ?? 0 }))
  return { ok: false, faults: faults.slice(0, faultsMax) }
}

/**
 * What a line of an invoice is about. Such a field may be missing, which the audit then says; but while there are
 * columns that are not recognised, one of them is probably this field.
 */
function missingColumns(table: InvoiceRows | null): readonly InvoiceField[] {
  if (table !== null && table.ignored.length === 0) return []
  const isThere = (field: InvoiceField): boolean => table?.headings.has(field) ?? false
  const needed: readonly InvoiceField[] = ['container', 'from', 'to']
  return [
    ...needed.filter((field) => !isThere(field)),
    ...(isThere('rate') || isThere('amount') || isThere('total') ? [] : (['amount'] as const)),
  ]
}
