/** /v2/webhooks: lists the webhooks that an account sends its events to, and creates new ones. */

import type { FastifyInstance } from 'fastify'
import { createWebhook } from '../../../../service/telling/webhooks/create-webhook.ts'
import { listWebhooks } from '../../../../service/telling/webhooks/list-webhooks.ts'
import { readWebhook } from '../../../documents/resources/webhooks/webhook.ts'
import { sendOne, sendPage } from '../../answering/answer.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, operation, pageOf } from '../../description/operation.ts'
import { readNewWebhook, webhookBody } from '../../inputs/webhook.ts'

const listQuery = defineQuery({ type: 'webhook', isPaged: true })
const query = defineQuery({ type: 'webhook' })

export function webhooks(app: FastifyInstance): void {
  app.get(
    '/v2/webhooks',
    {
      schema: operation({
        id: 'listWebhooks',
        tag: 'Webhooks',
        summary: 'List webhooks, newest first',
        query: listQuery.schema,
        answer: pageOf('webhook'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = listQuery.read(request)
      const { webhooks: rows, total } = await listWebhooks(service, context, asked.page)
      return sendPage(
        { request, reply },
        { page: { rows: rows.map(readWebhook), total }, asked: asked.page, view: asked },
      )
    },
  )

  app.post(
    '/v2/webhooks',
    {
      config: { permission: 'webhooks' },
      schema: operation({
        id: 'createWebhook',
        tag: 'Webhooks',
        summary: 'Create a webhook: events are sent to a URL',
        query: query.schema,
        body: webhookBody,
        status: 201,
        answer: documentOf('webhook'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const webhook = await createWebhook(service, context, readNewWebhook(request.body))
      return sendOne({ request, reply }, { data: readWebhook(webhook), view, status: 201 })
    },
  )
}
