/** Evidence: the pack of an audit, the roots of the ledger, and the keys with which both are signed. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { attachmentHeaders } from '../../api/http/attachment.ts'
import { json } from '../../api/http/media-type.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer, pageOf } from '../../api/openapi/operation.ts'
import { defineQuery, refuseParameters } from '../../api/query/query.ts'
import { sendTagged } from '../../api/responses/entity-tag.ts'
import { sendOne, sendPage, sendText } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { writeMoney } from '../../domain/charges/money.ts'
import type { EvidencePack } from '../../platform/evidence/evidence-pack.ts'
import { Type } from '../../platform/json-schema.ts'
import { type AuditWriters, makeEvidencePack } from '../invoices/evidence-pack.ts'
import { writeAudit, writeInvoice } from '../invoices/invoice-audit-resource.ts'
import type { Service } from '../service.ts'
import { getEvidenceKeys } from './evidence-keys.ts'
import { readLedgerRoot } from './ledger-root-resource.ts'
import { getRoot, pageRoots } from './ledger-roots.ts'

const tag = 'Invoices'
const query = defineQuery({ type: 'ledger_root' })
const listQuery = defineQuery({
  type: 'ledger_root',
  orders: ['-made_at'],
  isPaged: true,
  hasCursors: true,
})
const auditWriters: AuditWriters = {
  invoice: ({ invoice }) => writeInvoice(invoice),
  audit: ({ audit }) => writeAudit(audit) as EvidencePack['audit'],
}

export function evidence(app: FastifyInstance, service: Service): void {
  let published: string | null = null
  app.get(
    '/v2/invoices/audits/:id/evidence',
    {
      schema: describeOperation({
        id: 'getInvoiceEvidence',
        tag,
        summary: 'Get the signed evidence of an audit',
        description:
          'The audit, the terms and calendars that it used, and each statement on which a day is based, with the hash of the answer that contained it and the proof that it was on record when a ledger root was made. `landfall evidence check` checks the evidence without a server. `docs/provenance.md` says how, and what the evidence does not prove.',
        path: { id: 'Id of the audit.' },
        answer: schema.object({ format: schema.text() }, { additionalProperties: true, description: 'The pack.' }),
      }),
    },
    async (request, reply) => {
      refuseParameters(request)
      const { service: callerService, context } = callerOf(request)
      const id = readId(request.params, 'invoice audit')
      const pack = await makeEvidencePack(callerService, context, { id, auditWriters })
      // As it was signed: times in it are not written otherwise.
      return sendText(reply, JSON.stringify(pack))
    },
  )
  app.get(
    '/v2/invoices/audits/:id/evidence.pdf',
    {
      schema: describeOperation({
        id: 'getInvoiceEvidencePaper',
        tag,
        summary: 'Get the evidence of an audit as a PDF',
        description: 'The content of the evidence pack, to read and to send on. Only the pack is signed, not the PDF.',
        path: { id: 'Id of the audit.' },
        answer: {
          description: 'A PDF.',
          content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
        },
      }),
    },
    async (request, reply) => {
      refuseParameters(request)
      const { service: callerService, context } = callerOf(request)
      const id = readId(request.params, 'invoice audit')
      const pack = await makeEvidencePack(callerService, context, { id, auditWriters })
      const { writeEvidencePaper } = await import('./write-evidence-paper.ts')
      const bytes = await writeEvidencePaper(pack, writeMoney)
      reply.headers(attachmentHeaders({ fileName: `evidence-${id}.pdf`, contentType: 'application/pdf' }))
      reply.header('cache-control', 'private')
      return sendTagged(request, reply, bytes)
    },
  )
  app.get(
    '/v2/ledger_roots',
    {
      schema: describeOperation({
        id: 'listLedgerRoots',
        tag,
        summary: 'List roots of the ledger, newest first',
        description:
          'Each root is one hash of the statements that the ledger recorded since the previous root. Store the roots elsewhere: `ledger.root_made` sends each to a webhook.',
        query: listQuery.schema,
        answer: pageOf('ledger_root'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service: callerService, context } = callerOf(request)
      const parameters = listQuery.read(request)
      const page = await pageRoots(callerService, context, parameters)
      return sendPage(
        { request, reply },
        {
          page: { ...page, rows: page.rows.map(readLedgerRoot) },
          pageRequest: parameters.page,
          view: parameters,
        },
      )
    },
  )
  app.get(
    '/v2/ledger_roots/:id',
    {
      schema: describeOperation({
        id: 'getLedgerRoot',
        tag,
        summary: 'Get a root of the ledger',
        path: { id: 'Id of the root.' },
        query: query.schema,
        answer: documentAnswer('ledger_root'),
      }),
    },
    async (request, reply) => {
      const { service: callerService, context } = callerOf(request)
      const view = query.read(request)
      const id = readId(request.params, 'ledger root')
      return sendOne({ request, reply }, { data: readLedgerRoot(await getRoot(callerService, context, { id })), view })
    },
  )
  app.get(
    '/.well-known/landfall-evidence-keys.json',
    {
      config: { isOpen: true },
      schema: {
        tags: [tag],
        security: [],
        operationId: 'getEvidenceKeys',
        summary: 'Get the keys with which evidence is signed',
        produces: [json],
        response: {
          200: Type.Unsafe({ type: 'object', description: 'A JWK set (RFC 7517), newest first.' }),
        },
      },
    },
    async (_request, reply) => {
      // Anybody may request this, so the database is not queried each time. Keys are added and never removed.
      published ??= JSON.stringify({ keys: await getEvidenceKeys(service) })
      return sendText(reply.headers({ 'content-type': json, 'cache-control': 'public, max-age=3600' }), published)
    },
  )
}
