// Invoices in spreadsheets: the headings and values that people write are read, and nothing is guessed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headingKey } from '../../../src/connectors/spreadsheets/headings.ts'
import { invoiceHeadings } from '../../../src/connectors/spreadsheets/invoice-headings.ts'
import { headingsOf, readInvoiceRows } from '../../../src/connectors/spreadsheets/read-invoice-rows.ts'
import { kindOfWords } from '../../../src/domain/charges/charge-words.ts'
import { invoiceFields, lineFields, readInvoice } from '../../../src/domain/charges/read-invoice.ts'

const tableOf = (...rows: readonly (readonly string[])[]) => rows.map((cells, at) => ({ number: at + 1, cells }))
const given = { kind: 'demurrage', charged_by: 'line', currency: 'USD' }
const readAll = (...rows: readonly (readonly string[])[]) => {
  const table = readInvoiceRows(tableOf(...rows), given)
  assert.ok(table)
  const invoice = readInvoice(table.rows.map(({ row }) => row))
  assert.ok(invoice.ok, JSON.stringify(invoice))
  return { ...table, invoice: invoice.value }
}

test('no heading of an invoice means two of its fields', () => {
  const fields = [...invoiceFields, ...lineFields]
  const keys = fields.flatMap((field) => [...new Set(headingsOf(field).map(headingKey))])
  assert.deepEqual(
    keys.filter((key, at) => keys.indexOf(key) !== at),
    [],
  )
  for (const field of fields) assert.ok(field in invoiceHeadings || headingsOf(field).length > 1, field)
})

test('a table is read by the headings that people use, below a title, with the sum in its last row', () => {
  const { invoice, ignored, rows } = readAll(
    ['Demurrage March'],
    ['Container No.', 'Customer', 'Free days', 'From', 'To', 'Rate/day (EUR)', 'Amount'],
    ['mscu 400000-5', 'ACME', '4 days', '28 Jan 2026', '30/01/2026', '150', '€'.replace('€', '450.00')],
    ['MSCU4000005', 'ACME', '4', '31/01/2026', '01/02/2026', '1,250.50', '2,501.00'],
    ['Total', '', '', '', '', '', '2,951.00'].map((cell, at) => (at === 0 ? '' : cell)),
  )
  assert.deepEqual(ignored, ['Customer'])
  assert.deepEqual(
    rows.map(({ number }) => number),
    [3, 4],
  )
  const { kind, chargedBy, currency, totalMinor, lines } = invoice
  assert.deepEqual([kind, chargedBy, currency, totalMinor], ['demurrage', 'line', 'EUR', 295_100])
  assert.deepEqual(
    lines.map(({ container, from, to, freeDays, rateMinor, amountMinor }) => [
      container,
      from,
      to,
      freeDays,
      rateMinor,
      amountMinor,
    ]),
    [
      ['MSCU4000005', '2026-01-28', '2026-01-30', 4, 15_000, 45_000],
      ['MSCU4000005', '2026-01-31', '2026-02-01', 4, 125_050, 250_100],
    ],
  )
})

test('a value that may mean two things is refused and not guessed', () => {
  const table = readInvoiceRows(
    tableOf(
      ['Container', 'From', 'To', 'Amount', 'Charge type'],
      ['MSCU4000005', '03/04/2026', '05/06/2026', '1,200', 'Demurrage, storage'],
    ),
    { ...given, kind: '' },
  )
  const read = readInvoice(table?.rows.map(({ row }) => row) ?? [])
  assert.equal(read.ok, false)
  assert.deepEqual(read.ok ? [] : read.faults.map(({ field }) => field).toSorted(), ['amount', 'from', 'kind', 'to'])
})

test('what the table says comes before what is given for it', () => {
  const { invoice } = readAll(
    ['Invoice No', 'Charge type', 'Charged by', 'Unit', 'Start', 'End', 'Total'],
    ['D-1', 'Import detention', 'Shipping line', 'MSCU4000005', '2026-01-28', '2026-01-30', 'USD 90.00'],
    ['', '', '', 'MSCU4000005', '2026-01-31', '2026-01-31', 'USD 30.00'],
  )
  assert.deepEqual([invoice.number, invoice.kind, invoice.chargedBy], ['D-1', 'detention', 'line'])
  assert.deepEqual(
    invoice.lines.map(({ amountMinor }) => amountMinor),
    [9_000, 3_000],
  )
})

test('the kind of a charge is known by its words', () => {
  const kinds = [
    'demurrage invoice',
    'D&D',
    'demurrage and detention',
    'per diem invoice',
    'per_diem',
    'freight',
    'DEM',
  ]
  assert.deepEqual(
    kinds.map((each) => kindOfWords(each)),
    ['demurrage', 'combined', 'combined', 'per_diem', 'per_diem', null, 'demurrage'],
  )
})
