/** /v2/webhook_notifications: what was sent or will be sent and with which result, sending one again, and examples. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { writeExample } from '../../api/notifications/write-example.ts'
import { describeOperation, documentAnswer, includedOf, pageOf } from '../../api/openapi/operation.ts'
import { choiceFilter, idFilter, requireFilter, timeFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendJsonApi, sendOne, sendPage } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { webhookEventNames } from '../../domain/changes/event-table.ts'
import { deliveryStatuses } from '../../pipeline/delivery/webhook-notifications-sql.ts'
import { getNotification, listNotifications } from './list-notifications.ts'
import { redeliverNotification } from './redeliver-notification.ts'

const tag = 'Webhooks'
const listQuery = defineQuery({
  type: 'webhook_notification',
  filters: {
    deliveryStatus: choiceFilter('filter[delivery_status]', deliveryStatuses),
    event: choiceFilter('filter[event]', webhookEventNames),
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
  filters: { event: requireFilter('event', choiceFilter('event', webhookEventNames)) },
})
const common = () => ({
  tag,
  path: { id: 'Id of the notification.' },
  query: query.schema,
  answer: documentAnswer('webhook_notification'),
})

export function webhookNotifications(app: FastifyInstance): void {
  app.get(
    '/v2/webhook_notifications',
    {
      schema: describeOperation({
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
      const parameters = listQuery.read(request)
      const page = await listNotifications(service, context, parameters)
      return sendPage({ request, reply }, { page, pageRequest: parameters.page, view: parameters })
    },
  )

  app.get(
    '/v2/webhook_notifications/examples',
    {
      schema: describeOperation({
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
      return sendJsonApi(reply, await writeExample(callerOf(request), view.filter.event, view))
    },
  )

  app.get(
    '/v2/webhook_notifications/:id',
    {
      schema: describeOperation({ ...common(), id: 'getWebhookNotification', summary: 'Get a notification' }),
    },
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
      schema: describeOperation({
        ...common(),
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
      await redeliverNotification(service, context, { id })
      const data = await getNotification(service, context, { id })
      return sendOne({ request, reply }, { data, view })
    },
  )
}
