/** /v2/webhook_notifications: what was sent or will be sent and with which result, sending one again, and examples. */

import type { FastifyInstance } from 'fastify'
import { eventNames } from '../../../../service/telling/webhooks/event-catalogue.ts'
import {
  getNotification,
  listNotifications,
} from '../../../../service/telling/webhooks/list-notifications.ts'
import { redeliver } from '../../../../service/telling/webhooks/redeliver.ts'
import { deliveryStatuses } from '../../../../store/telling/webhook-notifications.ts'
import * as schema from '../../../documents/shape/schema.ts'
import { readId } from '../../../http/path-id.ts'
import { writeExample } from '../../../webhooks/example-document.ts'
import { send, sendOne, sendPage } from '../../answering/answer.ts'
import { choiceFilter, idFilter, required, timeFilter } from '../../asking/filters.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, includedOf, operation, pageOf } from '../../description/operation.ts'

const tag = 'Webhooks'
const listQuery = defineQuery({
  type: 'webhook_notification',
  filters: {
    deliveryStatus: choiceFilter('filter[delivery_status]', deliveryStatuses),
    event: choiceFilter('filter[event]', eventNames),
    webhookId: idFilter('filter[webhook_id]', 'Id of a webhook.'),
    createdAt: timeFilter('filter[created_at]'),
  },
  orders: ['-created_at', 'created_at'],
  isPaged: true,
  hasCursors: true,
})
const query = defineQuery({ type: 'webhook_notification' })
const exampleQuery = defineQuery({
  type: 'webhook_notification',
  filters: { event: required('event', choiceFilter('event', eventNames)) },
})
const common = {
  tag,
  path: { id: 'Id of the notification.' },
  query: query.schema,
  answer: documentOf('webhook_notification'),
}

export function webhookNotifications(app: FastifyInstance): void {
  app.get(
    '/v2/webhook_notifications',
    {
      schema: operation({
        id: 'listWebhookNotifications',
        tag,
        summary: 'List notifications, newest first',
        query: listQuery.schema,
        answer: pageOf('webhook_notification'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = listQuery.read(request)
      const page = await listNotifications(service, context, asked)
      return sendPage({ request, reply }, { page, asked: asked.page, view: asked })
    },
  )

  app.get(
    '/v2/webhook_notifications/examples',
    {
      schema: operation({
        id: 'getWebhookNotificationExample',
        tag,
        summary: 'Get an example of an event',
        description:
          'The answer is a complete document, as a delivery contains it, about an invented journey. Without `include` it includes what a delivery includes.',
        query: exampleQuery.schema,
        answer: schema.object(
          {
            data: schema.ref('webhook_notification'),
            included: includedOf('webhook_notification'),
            links: schema.object({ self: schema.text() }),
          },
          { description: 'The document of a delivery.' },
        ),
        refusals: [422],
        never: [403],
      }),
    },
    async (request, reply) => {
      const view = exampleQuery.read(request)
      return send(reply, await writeExample(callerOf(request), view.filter.event, view))
    },
  )

  app.get(
    '/v2/webhook_notifications/:id',
    { schema: operation({ ...common, id: 'getWebhookNotification', summary: 'Get a notification' }) },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const data = await getNotification(service, context, { id: readId(request.params, 'notification') })
      return sendOne({ request, reply }, { data, view })
    },
  )

  app.post(
    '/v2/webhook_notifications/:id/redeliver',
    {
      schema: operation({
        ...common,
        id: 'redeliverWebhookNotification',
        summary: 'Send a notification once more',
        description:
          'Sends it at once, with the same id and the same bytes and a new signature. A planned retry is cancelled, and the schedule of retries begins again. 409 while the webhook is off.',
        hasOptionalBody: true,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = readId(request.params, 'notification')
      await redeliver(service, context, { id })
      const data = await getNotification(service, context, { id })
      return sendOne({ request, reply }, { data, view })
    },
  )
}
