/** Evidence: the pack of an audit, the roots of the ledger, and the keys with which both are signed. */

import type { FastifyInstance } from 'fastify'
import { writeMoney } from '../../../../core/charges/money.ts'
import type { EvidencePack } from '../../../../platform/evidence/evidence-pack.ts'
import { Type } from '../../../../platform/json-schema.ts'
import { getEvidenceKeys } from '../../../../service/proving/evidence/evidence-keys.ts'
import { getRoot, pageRoots } from '../../../../service/proving/evidence/ledger-roots.ts'
import type { Service } from '../../../../service/service.ts'
import { type AuditWords, makePack } from '../../../../service/tracking/invoices/evidence-pack.ts'
import { writeAudit, writeInvoice } from '../../../documents/resources/charges/invoice-audit.ts'
import { readLedgerRoot } from '../../../documents/resources/charges/ledger-root.ts'
import * as schema from '../../../documents/shape/schema.ts'
import { attachmentHeaders } from '../../../http/attachment.ts'
import { json } from '../../../http/media-type.ts'
import { readId } from '../../../http/path-id.ts'
import { sendOne, sendPage, sendText } from '../../answering/answer.ts'
import { sendTagged } from '../../answering/entity-tag.ts'
import { defineQuery, refuseParameters } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, operation, pageOf } from '../../description/operation.ts'

const tag = 'Invoices'
const query = defineQuery({ type: 'ledger_root' })
const listQuery = defineQuery({
  type: 'ledger_root',
  orders: ['-made_at'],
  isPaged: true,
  hasCursors: true,
})
const words: AuditWords = {
  invoice: ({ invoice }) => writeInvoice(invoice),
  audit: ({ audit }) => writeAudit(audit) as EvidencePack['audit'],
}

export function evidence(app: FastifyInstance, service: Service): void {
  let published: string | null = null
  app.get(
    '/v2/invoices/audits/:id/evidence',
    {
      schema: operation({
        id: 'getInvoiceEvidence',
        tag,
        summary: 'Get the evidence of an audit, signed',
        description:
          'The audit, the terms and calendars that it counted by, and each statement that a day stands on, with the hash of the answer that said it and the proof that it was on record when a ledger root was made. `landfall evidence check` checks it without a server. `docs/evidence.md` says how, and what it does not prove.',
        path: { id: 'Id of the audit.' },
        answer: schema.object(
          { format: schema.text() },
          { additionalProperties: true, description: 'The pack.' },
        ),
      }),
    },
    async (request, reply) => {
      refuseParameters(request)
      const { service: own, context } = callerOf(request)
      const id = readId(request.params, 'invoice audit')
      const pack = await makePack(own, context, { id, words })
      // As it was signed: times in it are not written otherwise.
      return sendText(reply, JSON.stringify(pack))
    },
  )
  app.get(
    '/v2/invoices/audits/:id/evidence.pdf',
    {
      schema: operation({
        id: 'getInvoiceEvidencePaper',
        tag,
        summary: 'Get the evidence of an audit as a paper',
        description: 'The same as the pack, for reading and sending on. What is signed is the pack.',
        path: { id: 'Id of the audit.' },
        answer: {
          description: 'A PDF.',
          content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
        },
      }),
    },
    async (request, reply) => {
      refuseParameters(request)
      const { service: own, context } = callerOf(request)
      const id = readId(request.params, 'invoice audit')
      const pack = await makePack(own, context, { id, words })
      const { writeEvidencePaper } = await import('./evidence-paper.ts')
      const bytes = await writeEvidencePaper(pack, writeMoney)
      reply.headers(attachmentHeaders({ fileName: `evidence-${id}.pdf`, contentType: 'application/pdf' }))
      reply.header('cache-control', 'private')
      return sendTagged(request, reply, bytes)
    },
  )
  app.get(
    '/v2/ledger_roots',
    {
      schema: operation({
        id: 'listLedgerRoots',
        tag,
        summary: 'List roots of the ledger, newest first',
        description:
          'Each is one hash over the statements that the ledger took in since the root before. Keep them elsewhere: `ledger.root_made` sends each to a webhook.',
        query: listQuery.schema,
        answer: pageOf('ledger_root'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service: own, context } = callerOf(request)
      const asked = listQuery.read(request)
      const page = await pageRoots(own, context, asked)
      return sendPage(
        { request, reply },
        { page: { ...page, rows: page.rows.map(readLedgerRoot) }, asked: asked.page, view: asked },
      )
    },
  )
  app.get(
    '/v2/ledger_roots/:id',
    {
      schema: operation({
        id: 'getLedgerRoot',
        tag,
        summary: 'Get a root of the ledger',
        path: { id: 'Id of the root.' },
        query: query.schema,
        answer: documentOf('ledger_root'),
      }),
    },
    async (request, reply) => {
      const { service: own, context } = callerOf(request)
      const view = query.read(request)
      const id = readId(request.params, 'ledger root')
      return sendOne({ request, reply }, { data: readLedgerRoot(await getRoot(own, context, { id })), view })
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
        summary: 'The keys with which evidence is signed',
        produces: [json],
        response: {
          200: Type.Unsafe({ type: 'object', description: 'A JWK set (RFC 7517), newest first.' }),
        },
      },
    },
    async (_request, reply) => {
      // Anybody may ask, so the database is not asked each time. Keys are added and never taken away.
      published ??= JSON.stringify({ keys: await getEvidenceKeys(service) })
      return sendText(
        reply.headers({ 'content-type': json, 'cache-control': 'public, max-age=3600' }),
        published,
      )
    },
  )
}
