/** An invoice from rows: of a table, or of a body whose fields have the same names. Each row is one line of the invoice. */

import { parseContainerNumber, parseUnLocode } from '../values/identifiers.ts'
import {
  daysOfLine,
  type Invoice,
  type InvoiceLine,
  invoiceDirections,
  invoiceIssuers,
  lineDaysMax,
} from './invoice.ts'
import { isCurrency, parseMoney } from './money.ts'
import { type Cells, type Fault, openCells, type Row } from './read-cells.ts'
import { chargeKinds, chargers } from './terms.ts'

/** Fields of the whole invoice. In a table each row has them, all alike; an empty cell repeats the row before. */
export const invoiceFields = [
  'number',
  'kind',
  'charged_by',
  'charger_code',
  'issuer',
  'direction',
  'bills',
  'port_of_discharge',
  'basis',
  'invoiced_on',
  'due_on',
  'received_invoice_on',
  'currency',
  'total',
  'rule',
  'dispute_contact',
  'dispute_url',
  'dispute_timeframes',
  'dispute_until',
  'consistency_certified',
  'performance_certified',
] as const
export const lineFields = [
  'container',
  'from',
  'to',
  'free_days',
  'free_from',
  'free_to',
  'available_on',
  'earliest_return_on',
  'rate',
  'amount',
] as const

export interface RowFault extends Fault {
  /** Index of the row; null for a field of the whole invoice. */
  readonly row: number | null
}
export type InvoiceResult =
  | { readonly ok: true; readonly value: Invoice }
  | { readonly ok: false; readonly faults: readonly RowFault[] }

/** The charges of each container are read, some milliseconds each, while somebody waits. */
export const invoiceLinesMax = 500

/** `documentId`: of the paper that the rows were read from. */
export function readInvoice(rows: readonly Row[], documentId: string | null = null): InvoiceResult {
  const faults: RowFault[] = []
  const whole = openCells(mergeInvoiceFields(rows, faults))
  const currency = whole.needed('currency', 3)
  if (currency !== '' && !isCurrency(currency))
    whole.faults.push({ field: 'currency', problem: 'must be a code of ISO 4217, such as USD' })
  const value: Invoice = {
    documentId,
    number: whole.text('number', 100),
    kind: whole.oneOf('kind', chargeKinds, null),
    chargedBy: whole.oneOf('charged_by', chargers, null),
    chargerCode: whole.text('charger_code', 40),
    issuer: whole.oneOf('issuer', invoiceIssuers, 'other'),
    direction: whole.oneOf('direction', invoiceDirections, 'import'),
    bills: whole.list('bills', /^[A-Z0-9./-]{4,40}$/, 'bill numbers'),
    portOfDischarge: readPort(whole),
    basis: whole.text('basis', 2_000),
    invoicedOn: whole.day('invoiced_on'),
    dueOn: whole.day('due_on'),
    receivedInvoiceOn: whole.day('received_invoice_on'),
    currency,
    totalMinor: readMinor(whole, 'total', currency),
    rule: whole.text('rule', 1_000),
    disputeContact: whole.text('dispute_contact', 1_000),
    disputeUrl: whole.text('dispute_url', 2_048),
    disputeTimeframes: whole.text('dispute_timeframes', 2_000),
    disputeUntil: whole.day('dispute_until'),
    isConsistencyCertified: whole.yesNo('consistency_certified', false),
    isPerformanceCertified: whole.yesNo('performance_certified', false),
    lines: rows.map((row, index) => {
      const cells = openCells(row)
      const line = readLine(cells, currency)
      faults.push(...cells.faults.map((fault) => ({ ...fault, row: index })))
      return line
    }),
  }
  faults.push(...whole.faults.map((fault) => ({ ...fault, row: null })))
  return faults.length === 0 ? { ok: true, value } : { ok: false, faults: dropRepeatedFaults(faults) }
}

/** The fields of the whole invoice; two rows that differ are a fault of the later one. */
function mergeInvoiceFields(rows: readonly Row[], faults: RowFault[]): Row {
  const whole: Record<string, string> = {}
  for (const [index, row] of rows.entries())
    for (const [field, text] of Object.entries(row)) {
      if ((lineFields as readonly string[]).includes(field)) continue
      if (!(invoiceFields as readonly string[]).includes(field))
        faults.push({ row: index, field, problem: 'is not a field of an invoice' })
      else if (text.trim() === '') continue
      else if (whole[field] === undefined) whole[field] = text
      else if (whole[field] !== text)
        faults.push({ row: index, field, problem: 'differs from the row before: a table is one invoice' })
    }
  return whole
}

function readLine(cells: Cells, currency: string): InvoiceLine {
  const text = cells.text('container', 20)
  const container = text === null ? null : parseContainerNumber(text)
  if (container?.ok === false) cells.faults.push({ field: 'container', problem: 'is no container number (ISO 6346)' })
  const line: InvoiceLine = {
    container: container?.ok === true ? container.value : null,
    from: cells.day('from'),
    to: cells.day('to'),
    freeDays: cells.text('free_days') === null ? null : cells.count('free_days', null, 10_000),
    freeFrom: cells.day('free_from'),
    freeTo: cells.day('free_to'),
    availableOn: cells.day('available_on'),
    earliestReturnOn: cells.day('earliest_return_on'),
    rateMinor: readMinor(cells, 'rate', currency),
    amountMinor: readMinor(cells, 'amount', currency),
  }
  const { from, to } = line
  if (from !== null && to !== null && to < from) cells.faults.push({ field: 'to', problem: 'is before from' })
  if (daysOfLine(line).length >= lineDaysMax)
    cells.faults.push({ field: 'to', problem: `is more than ${lineDaysMax - 1} days after from` })
  return line
}

function readPort(cells: Cells): string | null {
  const text = cells.text('port_of_discharge', 10)
  if (text === null) return null
  const code = parseUnLocode(text)
  if (code.ok) return code.value
  cells.faults.push({ field: 'port_of_discharge', problem: 'must be a UN/LOCODE, such as USLAX' })
  return null
}

/** `1200.00` of USD is 120000. */
function readMinor(cells: Cells, field: string, currency: string): number | null {
  const text = cells.text(field, 20)
  if (text === null || !isCurrency(currency)) return null
  const money = parseMoney(text, currency)
  if (money === null) cells.faults.push({ field, problem: `must be an amount of ${currency}, such as 1200.00` })
  return money?.minor ?? null
}

function dropRepeatedFaults(faults: readonly RowFault[]): readonly RowFault[] {
  const isSame = (a: RowFault, b: RowFault) => a.row === b.row && a.field === b.field
  return faults.filter((fault, index) => faults.findIndex((other) => isSame(fault, other)) === index)
}
