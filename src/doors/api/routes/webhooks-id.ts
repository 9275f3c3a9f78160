/** /v2/webhooks/:id */

import type { FastifyInstance } from 'fastify'
import { deleteWebhook } from '../../../service/webhooks/delete-webhook.ts'
import { getWebhook } from '../../../service/webhooks/get-webhook.ts'
import { sendOne } from '../answer.ts'
import { callerOf } from '../caller.ts'
import { documentOf, operation } from '../operation.ts'
import { readId } from '../path-id.ts'
import { defineQuery } from '../query.ts'
import { readWebhook } from '../resources/webhook.ts'

const query = defineQuery({ type: 'webhook' })
const common = {
  tag: 'Webhooks',
  path: { id: 'Id of the webhook.' },
  query: query.schema,
  answer: documentOf('webhook'),
}

export function webhooksId(app: FastifyInstance): void {
  app.get(
    '/v2/webhooks/:id',
    { schema: operation({ ...common, id: 'getWebhook', summary: 'Get a webhook' }) },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const webhook = await getWebhook(service, context, { id: readId(request.params, 'webhook') })
      return sendOne({ request, reply }, { data: readWebhook(webhook), view })
    },
  )

  app.delete(
    '/v2/webhooks/:id',
    {
      schema: operation({
        ...common,
        id: 'deleteWebhook',
        summary: 'End a webhook',
        description: 'What is queued for it ends. Answers with the webhook as it was.',
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = readId(request.params, 'webhook')
      const webhook = await getWebhook(service, context, { id })
      await deleteWebhook(service, context, { id })
      return sendOne({ request, reply }, { data: readWebhook(webhook), view })
    },
  )
}
