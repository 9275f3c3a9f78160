/** /v2/webhooks and /v2/webhooks/:id: where the events of an account are sent. */

import type { FastifyInstance } from 'fastify'
import { defineResource, makeIdReader } from '../../api/define-resource.ts'
import { defineQuery } from '../../api/query/query.ts'
import { createWebhook } from './create-webhook.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { getWebhook } from './get-webhook.ts'
import { listWebhooks } from './list-webhooks.ts'
import { updateWebhook } from './update-webhook.ts'
import { newWebhook, webhookChanges } from './webhook-input.ts'
import { readWebhook } from './webhook-resource.ts'

const listQuery = defineQuery({ type: 'webhook', isPaged: true })

export function webhooks(app: FastifyInstance): void {
  const routes = defineResource(app, {
    type: 'webhook',
    tag: 'Webhooks',
    path: '/v2/webhooks/:id',
    ids: { id: 'Id of the webhook.' },
    keyOf: makeIdReader('webhook'),
    read: readWebhook,
  })
  routes.page({
    id: 'listWebhooks',
    summary: 'List webhooks, newest first',
    query: listQuery,
    verb: async (service, context, { page }) => {
      const { webhooks: rows, total } = await listWebhooks(service, context, page)
      return { rows, total }
    },
  })
  routes.create({
    id: 'createWebhook',
    summary: 'Create a webhook: events are sent to a URL',
    permission: 'webhooks',
    body: newWebhook,
    verb: createWebhook,
  })
  routes.get({ id: 'getWebhook', summary: 'Get a webhook', verb: getWebhook })
  routes.change({
    id: 'updateWebhook',
    summary: 'Change a webhook',
    description:
      'Attributes that are not sent are not changed. `active: false` cancels the queued retries. `active: true` on a webhook that was switched off clears `disabled_reason` and its count of failures.',
    get: getWebhook,
    body: webhookChanges,
    verb: updateWebhook,
  })
  routes.removeWithAnswer({
    id: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Queued deliveries are cancelled. The answer is the deleted webhook.',
    verb: deleteWebhook,
  })
}
