/** /v2/inbound_messages: the messages of partners, the result of each, and its original bytes. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer, pageOf } from '../../api/openapi/operation.ts'
import { choiceFilter, textFilter } from '../../api/query/filters.ts'
import { defineQuery, refuseParameters } from '../../api/query/query.ts'
import { checkVerbBody } from '../../api/request-body/body.ts'
import { sendTagged } from '../../api/responses/entity-tag.ts'
import { sendOne, sendPage, sendPlain } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import { messageStatuses } from './list-inbound-messages-sql.ts'
import { downloadAcknowledgement, downloadMessage, getMessage, listMessages, replayMessage } from './messages.ts'

const tag = 'Inbound'
const path = { id: 'Id of the message.' }
const query = defineQuery({
  type: 'inbound_message',
  orders: ['-received_at', 'received_at'],
  isPaged: true,
  hasCursors: true,
  filters: {
    channel: textFilter('filter[channel]', 'Name of the channel.'),
    status: choiceFilter('filter[status]', messageStatuses),
  },
})
const oneQuery = defineQuery({ type: 'inbound_message' })
const count = Type.Integer({ minimum: 0 })

export function inboundMessages(app: FastifyInstance): void {
  app.get(
    '/v2/inbound_messages',
    {
      schema: describeOperation({
        id: 'listInboundMessages',
        tag,
        summary: 'List the messages that were sent to the channels of the account, newest first',
        query: query.schema,
        answer: pageOf('inbound_message'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const parameters = query.read(request)
      const page = await listMessages(service, context, parameters)
      return sendPage({ request, reply }, { page, pageRequest: parameters.page, view: parameters })
    },
  )

  app.get(
    '/v2/inbound_messages/:id',
    {
      schema: describeOperation({
        id: 'getInboundMessage',
        tag,
        summary: 'Get a message, with the result of each part',
        path,
        query: oneQuery.schema,
        answer: documentAnswer('inbound_message'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = oneQuery.read(request)
      const data = await getMessage(service, context, { id: readId(request.params, 'inbound message') })
      return sendOne({ request, reply }, { data, view })
    },
  )

  for (const [part, id, summary, download] of [
    ['body', 'downloadInboundMessage', 'Download a message as it was received', downloadMessage],
    [
      'acknowledgement',
      'downloadInboundAcknowledgement',
      'Download the acknowledgement of a message',
      downloadAcknowledgement,
    ],
  ] as const)
    app.get(
      `/v2/inbound_messages/:id/${part}`,
      {
        schema: describeOperation({
          id,
          tag,
          summary,
          path,
          answer: {
            description: 'The bytes.',
            content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
          },
        }),
      },
      async (request, reply) => {
        const { service, context } = callerOf(request)
        refuseParameters(request)
        const bytes = await download(service, context, { id: readId(request.params, 'inbound message') })
        // These bytes come from other parties. A browser must download them and never show them as a page.
        reply.headers({
          'content-type': 'application/octet-stream',
          'content-disposition': `attachment; filename="${part}"`,
          'cache-control': 'private',
        })
        return sendTagged(request, reply, bytes)
      },
    )

  app.post(
    '/v2/inbound_messages/:id/replay',
    {
      schema: describeOperation({
        id: 'replayInboundMessage',
        tag,
        summary: 'Read a message again',
        description:
          'Use it after a mapping was added to the channel. Only the parts that were not understood are read again.',
        path,
        hasOptionalBody: true,
        answer: schema.object(
          { parts: count, understood: count },
          { description: 'The number of parts that were read again, and the number that is understood now.' },
        ),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      const id = readId(request.params, 'inbound message')
      checkVerbBody(request.body, { type: 'inbound_message', id })
      return sendPlain({ request, reply }, await replayMessage(service, context, { id }))
    },
  )
}
