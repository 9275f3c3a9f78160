/** /v2/snapshots: the answer of a source, verbatim, for the accounts that ingested it. */

import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { attachmentHeaders } from '../../api/http/attachment.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer, listAnswer } from '../../api/openapi/operation.ts'
import { idFilter, requireFilter } from '../../api/query/filters.ts'
import { defineQuery, refuseParameters } from '../../api/query/query.ts'
import { sendTagged } from '../../api/responses/entity-tag.ts'
import { sendList, sendOne } from '../../api/responses/send.ts'
import { downloadSnapshot, getSnapshot, listSnapshotsOfClaim } from './get-snapshot.ts'

const tag = 'Snapshots'
const query = defineQuery({ type: 'snapshot' })
const claim = 'filter[claim]'
const listQuery = defineQuery({
  type: 'snapshot',
  filters: {
    claimId: requireFilter(claim, idFilter(claim, 'Id of a raw event, or a `claim_id` of the provenance.')),
  },
})
const path = { id: 'Id of the snapshot: `snapshot_id` of provenance, history, issues and attempts.' }
const whose =
  '404 if no data of your account came from it. Also 404, with the reason, if it names something that another account tracks.'

export function snapshots(app: FastifyInstance): void {
  app.get(
    '/v2/snapshots',
    {
      schema: describeOperation({
        id: 'listSnapshots',
        tag,
        summary: 'List the source answers in which a statement was found',
        description:
          'The answer that stated it first, and the first later answer that no longer stated it. Answers that your account may not see are not listed.',
        query: listQuery.schema,
        answer: listAnswer('snapshot'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const parameters = listQuery.read(request)
      const data = await listSnapshotsOfClaim(service, context, parameters.filter)
      return sendList({ request, reply }, { data, view: parameters })
    },
  )

  app.get(
    '/v2/snapshots/:id',
    {
      schema: describeOperation({
        id: 'getSnapshot',
        tag,
        summary: 'Get the details of a source answer',
        description: whose,
        path,
        query: query.schema,
        answer: documentAnswer('snapshot'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const data = await getSnapshot(service, context, { id: readId(request.params, 'snapshot') })
      return sendOne({ request, reply }, { data, view })
    },
  )

  app.get(
    '/v2/snapshots/:id/body',
    {
      schema: describeOperation({
        id: 'downloadSnapshot',
        tag,
        summary: 'Download a source answer as it was received',
        description: `Only the body; no headers and no addresses. ${whose}`,
        path,
        answer: {
          description: 'The bytes; if they are UTF-8, with a text type.',
          content: {
            'text/plain': { schema: { type: 'string' } },
            'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
          },
        },
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      const { reading, body } = await downloadSnapshot(service, context, {
        id: readId(request.params, 'snapshot'),
      })
      const contentType = isUtf8(body) ? 'text/plain; charset=utf-8' : 'application/octet-stream'
      const headers = attachmentHeaders({ fileName: `snapshot-${reading.id}.txt`, contentType })
      reply.headers({ ...headers, 'cache-control': 'private' })
      return sendTagged(request, reply, body)
    },
  )
}
