/** /v2/invoices/audits: an invoice goes in, and its content is compared with what is known, day by day. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { defineResource, makeIdReader } from '../../api/define-resource.ts'
import { Problem, parameterFault } from '../../api/errors/problem.ts'
import { examples } from '../../api/openapi/examples.ts'
import { describeOperation, documentAnswer, documentAnswerWithMeta } from '../../api/openapi/operation.ts'
import { choiceFilter, makeTextFilter, textFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { tableRoutes, tableTypes } from '../../api/request-body/table-body.ts'
import { sendOne } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { isCurrency } from '../../domain/charges/money.ts'
import { chargeKinds, chargers } from '../../domain/charges/terms.ts'
import { readInvoicePaper } from '../documents/read-invoice-paper.ts'
import { getAudit, makeAudit, pageAudits } from './audit-invoice.ts'
import { readInvoiceAudit } from './invoice-audit-resource.ts'
import { invoiceBody, readInvoiceBody } from './invoice-input.ts'
import { readInvoiceTable } from './read-invoice-table.ts'

const tag = 'Invoices'
const query = defineQuery({ type: 'invoice_audit' })
const listQuery = defineQuery({
  type: 'invoice_audit',
  filters: { number: textFilter('filter[number]', 'The complete number of the invoice.') },
  orders: ['-made_at'],
  isPaged: true,
  hasCursors: true,
})
const tableQuery = defineQuery({
  type: 'invoice_audit',
  filters: {
    kind: choiceFilter('kind', chargeKinds),
    chargedBy: choiceFilter('charged_by', chargers),
    currency: makeTextFilter(
      'currency',
      schema.text({ description: 'ISO 4217. Like `kind` and `charged_by`, used where the table does not say it.' }),
      (text) => {
        if (isCurrency(text)) return text
        throw parameterFault('invalid', 'currency', '`currency` must be a code of ISO 4217, such as USD.')
      },
    ),
  },
})
const permanenceNote =
  'The invoice is compared with what is known now, and the audit does not change later. The same invoice can be audited again.'

export function invoiceAudits(app: FastifyInstance): void {
  const routes = defineResource(app, {
    type: 'invoice_audit',
    tag,
    path: '/v2/invoices/audits/:id',
    ids: { id: 'Id of the audit.' },
    keyOf: makeIdReader('invoice audit'),
    read: readInvoiceAudit,
  })
  routes.page({
    id: 'listInvoiceAudits',
    summary: 'List audits of invoices, newest first',
    query: listQuery,
    verb: pageAudits,
  })

  app.post(
    '/v2/invoices/audits',
    {
      schema: describeOperation({
        id: 'auditInvoice',
        tag,
        summary: 'Audit an invoice for demurrage, detention or storage',
        description: `${permanenceNote} With the \`document_id\` of a demurrage invoice, the values that were read from that document are used, and values in the body replace them. \`kind\` is then that of its title, and \`charged_by\` the terminal for storage, else the line, unless the body says otherwise.`,
        query: query.schema,
        body: invoiceBody,
        status: 201,
        answer: documentAnswer('invoice_audit'),
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

  routes.get({ id: 'getInvoiceAudit', summary: 'Get the audit of an invoice', verb: getAudit })
}

export function invoiceAuditImport(app: FastifyInstance): void {
  tableRoutes(app, (routes) => {
    const described = describeOperation({
      id: 'auditInvoiceTable',
      tag,
      summary: 'Audit an invoice that is a table',
      description: `CSV or XLSX. Each row is one line of the invoice. The headings are the names of the fields, or those that people use, such as \`Container No.\` and \`Rate per day\`. Each fault names its row and field, as \`/7/rate\`; its \`meta\` has the heading of the column, or the headings that are recognised where there is none. ${permanenceNote}`,
      query: tableQuery.schema,
      status: 201,
      answer: documentAnswerWithMeta(
        { ignored_columns: schema.texts({ description: 'Headings of columns that were not read.' }) },
        'invoice_audit',
      ),
      refusals: [409, 413, 415, 422],
      never: [409],
    })
    const body = schema.text({ description: 'The table.', examples: [examples['auditInvoiceTable']] })
    routes.post(
      '/v2/invoices/audits/import',
      { schema: { ...described, consumes: [...tableTypes], body } },
      async (request, reply) => {
        const { service, context } = callerOf(request)
        const view = tableQuery.read(request)
        const { kind, chargedBy, currency } = view.filter
        const read = await readInvoiceTable(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0), {
          kind: kind ?? '',
          charged_by: chargedBy ?? '',
          currency: currency ?? '',
        })
        if (!read.ok)
          throw new Problem(
            'invalid',
            read.faults.map(({ row, field, problem, heading, accepted }) => ({
              detail: `Row ${row}: \`${field}\` ${problem}.`,
              source: { pointer: `/${row}/${field.replace(/~/g, '~0').replace(/\//g, '~1')}` },
              meta: heading === null ? { accepted_headings: accepted } : { heading },
            })),
          )
        const data = readInvoiceAudit(await makeAudit(service, context, read.value))
        const meta = { ignored_columns: read.ignored }
        return sendOne({ request, reply }, { data, view, status: 201, meta })
      },
    )
  })
}
