/** An invoice from a table: each row is one line of it. */

import type { Invoice } from '../../domain/charges/invoice.ts'
import { invoiceLinesMax, readInvoice } from '../../domain/charges/read-invoice.ts'
import { readRows, type TableFault } from '../charges/read-charge-table.ts'

const faultsMax = 100

export async function readInvoiceTable(
  bytes: Buffer,
): Promise<
  { readonly ok: true; readonly value: Invoice } | { readonly ok: false; readonly faults: readonly TableFault[] }
> {
  const rows = await readRows(bytes, invoiceLinesMax)
  const read = readInvoice(rows.map(({ row }) => row))
  if (read.ok) return read
  const faults = read.faults.map(({ row, ...fault }) => ({ ...fault, row: rows[row ?? 0]?.number ?? 0 }))
  return { ok: false, faults: faults.slice(0, faultsMax) }
}
