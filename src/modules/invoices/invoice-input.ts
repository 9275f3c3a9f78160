/** Bodies of invoices: the same fields as a table has, as JSON. One reader checks both. */

import type { TSchema } from 'typebox'
import { Problem, pointerFault } from '../../api/errors/problem.ts'
import { bodyOf } from '../../api/openapi/operation.ts'
import { closed, readOnlyOf } from '../../api/request-body/attributes.ts'
import { readAttributes } from '../../api/request-body/body.ts'
import type { Invoice } from '../../domain/charges/invoice.ts'
import { isCurrency, writeAmount } from '../../domain/charges/money.ts'
import type { PaperRows } from '../../domain/charges/paper-invoice.ts'
import { invoiceLinesMax, readInvoice } from '../../domain/charges/read-invoice.ts'
import { Type } from '../../platform/json-schema.ts'
import { invoiceAudit, invoiceLineProperties, invoiceProperties } from './invoice-audit-resource.ts'

const makeOptional = (properties: Readonly<Record<string, TSchema>>) =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, Type.Optional(each)]))
const attributes = Type.Object(
  {
    ...makeOptional(invoiceProperties),
    lines: Type.Optional(
      Type.Array(Type.Object(makeOptional(invoiceLineProperties), closed), {
        minItems: 1,
        maxItems: invoiceLinesMax,
        description: 'Needed without `document_id`.',
      }),
    ),
  },
  closed,
)
export const invoiceBody = bodyOf('invoice_audit', attributes)

type Fields = Readonly<Record<string, unknown>>

/** `paperOf`: what was read of a document. */
export async function readInvoiceBody(
  body: unknown,
  paperOf: (documentId: string) => Promise<PaperRows>,
): Promise<Invoice> {
  const given = readAttributes(body, {
    type: 'invoice_audit',
    id: null,
    attributes,
    readOnly: readOnlyOf(invoiceAudit, attributes),
  }) as Fields & { readonly document_id?: string | null; readonly lines?: readonly Fields[] }
  const { document_id: documentId = null, lines, ...whole } = given
  const paper = documentId === null ? null : await paperOf(documentId)
  if (paper === null && lines === undefined)
    throw pointerFault('invalid', '/data/attributes/lines', 'The invoice needs lines, or `document_id`.')
  const currency = String(whole['currency'] ?? paper?.whole['currency'] ?? '')
  const head = { ...paper?.whole, ...formatInvoiceCells(whole, currency) }
  const rows = lines?.map((line) => formatInvoiceCells(line, currency)) ?? paper?.lines ?? []
  const read = readInvoice([{ ...head, ...rows[0] }, ...rows.slice(1)], documentId)
  if (read.ok) return read.value
  throw new Problem(
    'invalid',
    read.faults.map(({ row, field, problem }) => ({
      detail: `\`${field}\` ${problem}.${paper === null ? '' : ' It may have been read from the document: give the right value in the body.'}`,
      source: { pointer: `/data/attributes/${row === null ? '' : `lines/${row}/`}${inMinor(field)}` },
    })),
  )
}

/** Amounts are minor units in a body, and decimals in a table. */
const amounts = ['total', 'rate', 'amount']
const inMinor = (field: string) => (amounts.includes(field) ? `${field}_minor` : field)

function formatInvoiceCells(fields: Fields, currency: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const field = name.replace(/_minor$/, '')
      return amounts.includes(field) ? [field, amountOf(value, currency)] : [field, cellOf(value)]
    }),
  )
}

function amountOf(minor: unknown, currency: string): string {
  if (typeof minor !== 'number') return ''
  return isCurrency(currency) ? writeAmount({ minor, currency }) : String(minor)
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join(' ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}
