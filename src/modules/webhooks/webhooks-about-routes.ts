/**
 * /v2/webhooks/events, /ips and /trigger: the events to subscribe to, the addresses that calls come from, and a trial.
 */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { toBytes } from '../../api/notifications/notification-document.ts'
import { writeExample } from '../../api/notifications/write-example.ts'
import { describeOperation, listAnswer } from '../../api/openapi/operation.ts'
import { defineQuery, refuseParameters } from '../../api/query/query.ts'
import { sendList, sendPlain } from '../../api/responses/send.ts'
import type { IdentifiedReading } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { eventCategories } from '../../domain/changes/event-table.ts'
import { Type } from '../../platform/json-schema.ts'
import { triggerWebhook } from './trigger-webhook.ts'
import { readEventCategory } from './webhook-event-category-resource.ts'
import { readTrigger, triggerBody } from './webhook-input.ts'

const query = defineQuery({ type: 'webhook_event_category' })
const categories = eventCategories.map(readEventCategory)
/** The addresses are read once, when the process starts, so they have not changed since that day. */
const startedOn = new Date(performance.timeOrigin).toISOString().slice(0, 10)
const texts = { type: 'object', additionalProperties: { type: 'string' } }

export function webhookInfoRoutes(app: FastifyInstance): void {
  app.get(
    '/v2/webhooks/events',
    {
      schema: describeOperation({
        id: 'listWebhookEvents',
        never: [403],
        tag: 'Webhooks',
        summary: 'List the events that can be subscribed to',
        query: query.schema,
        answer: listAnswer('webhook_event_category'),
      }),
    },
    async (request, reply) => sendList({ request, reply }, { data: categories, view: query.read(request) }),
  )

  app.get(
    '/v2/webhooks/ips',
    {
      schema: describeOperation({
        id: 'listWebhookIps',
        never: [403],
        tag: 'Webhooks',
        summary: 'List the addresses from which webhooks are called',
        answer: schema.object(
          {
            webhook_notification_ips: schema.texts({
              description: 'Empty if the operator has set no addresses.',
            }),
            last_updated: schema.instant({
              description:
                'Start (UTC) of the day on which the addresses last changed. If the operator has not set it: the day of the last start of Landfall.',
            }),
          },
          { description: 'As the operator has set them.' },
        ),
      }),
    },
    async (request, reply) => {
      refuseParameters(request)
      const { webhookIps, webhookIpsUpdatedOn } = callerOf(request).service.config.network
      return sendPlain(
        { request, reply },
        {
          webhook_notification_ips: webhookIps,
          last_updated: `${webhookIpsUpdatedOn ?? startedOn}T00:00:00Z`,
        },
      )
    },
  )

  app.post(
    '/v2/webhooks/trigger',
    {
      config: { isInSteps: true },
      schema: describeOperation({
        id: 'triggerWebhook',
        tag: 'Webhooks',
        summary: 'Send an example event to a URL',
        description:
          'Sends the example event at once. The answer has the request that was sent and the first kilobyte of the response. Nothing is stored.',
        body: triggerBody,
        answer: schema.object(
          {
            url: schema.text(),
            succeeded: Type.Boolean({ description: 'True: the receiver answered 2xx.' }),
            error: schema.textOrNull(),
            status_code: schema.integerOrNull(),
            request_headers: texts,
            request_body: schema.text({ description: 'The bytes that were signed.' }),
            response_headers: { ...texts, type: ['object', 'null'] },
            response_body: schema.textOrNull(),
          },
          { description: 'The result of the delivery.' },
        ),
      }),
    },
    async (request, reply) => {
      refuseParameters(request)
      const caller = callerOf(request)
      const { service, context } = caller
      const trial = await triggerWebhook(service, context, readTrigger(request.body), async (event, documentType) => {
        const document = await writeExample(caller, event, { include: null }, documentType)
        return { id: (document.data as IdentifiedReading).id, body: toBytes(document) }
      })
      const outcome = {
        url: trial.url,
        succeeded: trial.succeeded,
        error: trial.error,
        status_code: trial.statusCode,
        request_headers: trial.requestHeaders,
        request_body: trial.requestBody,
        response_headers: trial.responseHeaders,
        response_body: trial.responseBody,
      }
      return sendPlain({ request, reply }, outcome)
    },
  )
}
