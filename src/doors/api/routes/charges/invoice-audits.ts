/** /v2/invoices/audits: an invoice goes in, and what it says is held against what is known, day by day. */

import type { FastifyInstance } from 'fastify'
import { readInvoicePaper } from '../../../../service/documents/shown/read-invoice-paper.ts'
import { getAudit, makeAudit, pageAudits } from '../../../../service/tracking/invoices/audit-invoice.ts'
import { readInvoiceTable } from '../../../../service/tracking/invoices/read-invoice-table.ts'
import { readInvoiceAudit } from '../../../documents/resources/charges/invoice-audit.ts'
import * as schema from '../../../documents/shape/schema.ts'
import { readId } from '../../../http/path-id.ts'
import { Problem } from '../../../http/problem.ts'
import { sendOne, sendPage } from '../../answering/answer.ts'
import { textFilter } from '../../asking/filters.ts'
import { defineQuery } from '../../asking/query.ts'
import { tableRoutes, tableTypes } from '../../bodies/table-body.ts'
import { callerOf } from '../../caller/caller.ts'
import { examples } from '../../description/examples.ts'
import { documentOf, operation, pageOf } from '../../description/operation.ts'
import { invoiceBody, readInvoiceBody } from '../../inputs/invoice.ts'

const tag = 'Invoices'
const query = defineQuery({ type: 'invoice_audit' })
const listQuery = defineQuery({
  type: 'invoice_audit',
  filters: { number: textFilter('filter[number]', 'Number of the invoice, whole.') },
  orders: ['-made_at'],
  isPaged: true,
  hasCursors: true,
})
const kept =
  'What is known now is what it is held against, and the audit stays as it was made. The same invoice can be audited again.'

export function invoiceAudits(app: FastifyInstance): void {
  app.get(
    '/v2/invoices/audits',
    {
      schema: operation({
        id: 'listInvoiceAudits',
        tag,
        summary: 'List audits of invoices, newest first',
        query: listQuery.schema,
        answer: pageOf('invoice_audit'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = listQuery.read(request)
      const page = await pageAudits(service, context, asked)
      return sendPage(
        { request, reply },
        { page: { ...page, rows: page.rows.map(readInvoiceAudit) }, asked: asked.page, view: asked },
      )
    },
  )
  app.post(
    '/v2/invoices/audits',
    {
      schema: operation({
        id: 'auditInvoice',
        tag,
        summary: 'Audit an invoice for demurrage, detention or storage',
        description: `${kept} With \`document_id\` of a demurrage invoice it is what was read of that document, completed by what the body names.`,
        query: query.schema,
        body: invoiceBody,
        status: 201,
        answer: documentOf('invoice_audit'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const invoice = await readInvoiceBody(request.body, (id) => readInvoicePaper(service, context, { id }))
      const data = readInvoiceAudit(await makeAudit(service, context, invoice))
      return sendOne({ request, reply }, { data, view, status: 201 })
    },
  )
  app.get(
    '/v2/invoices/audits/:id',
    {
      schema: operation({
        id: 'getInvoiceAudit',
        tag,
        summary: 'Get the audit of an invoice',
        path: { id: 'Id of the audit.' },
        query: query.schema,
        answer: documentOf('invoice_audit'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = readId(request.params, 'invoice audit')
      return sendOne(
        { request, reply },
        { data: readInvoiceAudit(await getAudit(service, context, { id })), view },
      )
    },
  )
}

export function invoiceAuditImport(app: FastifyInstance): void {
  tableRoutes(app, (routes) => {
    const described = operation({
      id: 'auditInvoiceTable',
      tag,
      summary: 'Audit an invoice that is a table',
      description: `CSV or XLSX. Each row is one line of the invoice; the headings are the names of the fields, amounts as decimals in \`rate\`, \`amount\` and \`total\`. Each fault names its row and field, as \`/7/rate\`. ${kept}`,
      query: query.schema,
      status: 201,
      answer: documentOf('invoice_audit'),
      refusals: [409, 413, 415, 422],
      never: [409],
    })
    const body = schema.text({ description: 'The table.', examples: [examples['auditInvoiceTable']] })
    routes.post(
      '/v2/invoices/audits/import',
      { schema: { ...described, consumes: [...tableTypes], body } },
      async (request, reply) => {
        const { service, context } = callerOf(request)
        const view = query.read(request)
        const read = await readInvoiceTable(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))
        if (!read.ok)
          throw new Problem(
            'invalid',
            read.faults.map(({ row, field, problem }) => ({
              detail: `Row ${row}: \`${field}\` ${problem}.`,
              source: { pointer: `/${row}/${field.replace(/~/g, '~0').replace(/\//g, '~1')}` },
            })),
          )
        const data = readInvoiceAudit(await makeAudit(service, context, read.value))
        return sendOne({ request, reply }, { data, view, status: 201 })
      },
    )
  })
}
