/** The verbs of /v2/webhooks/:id: rotate_secret and recover. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer } from '../../api/openapi/operation.ts'
import { defineQuery, refuseParameters } from '../../api/query/query.ts'
import { sendJsonApi, sendOne } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import { getWebhook } from './get-webhook.ts'
import { recoverNotifications } from './recover-notifications.ts'
import { rotateSecret } from './rotate-secret.ts'
import { readRecovery, recoverBody } from './webhook-input.ts'
import { readWebhook } from './webhook-resource.ts'

const query = defineQuery({ type: 'webhook' })
const common = () => ({
  tag: 'Webhooks',
  path: { id: 'Id of the webhook.' },
  query: query.schema,
  answer: documentAnswer('webhook'),
})

export function webhooksIdVerbs(app: FastifyInstance): void {
  app.post(
    '/v2/webhooks/:id/rotate_secret',
    {
      config: { permission: 'webhooks' },
      schema: describeOperation({
        ...common(),
        id: 'rotateWebhookSecret',
        summary: 'Give a webhook a new secret',
        description:
          'The answer has the new secret. The old secret stays valid for 24 hours. At most ten secrets are valid at the same time (409).',
        hasOptionalBody: true,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const webhook = await rotateSecret(service, context, { id: readId(request.params, 'webhook') })
      return sendOne({ request, reply }, { data: readWebhook(webhook), view })
    },
  )

  app.post(
    '/v2/webhooks/:id/recover',
    {
      config: { isInSteps: true },
      schema: describeOperation({
        id: 'recoverWebhook',
        tag: 'Webhooks',
        summary: 'Send a webhook the events that it missed',
        description:
          '`failed_only` sends the failed notifications of the given time range again. `all` also sends the events of the range for which the webhook has no notification, because it did not exist yet or was off. A repeated request sends nothing twice. 409 while the webhook is off.',
        path: common().path,
        body: recoverBody,
        answer: schema.object(
          {
            meta: schema.object({
              recovered: Type.Integer({ minimum: 0, description: 'Notifications that are queued now.' }),
              is_complete: Type.Boolean({
                description: 'False: there is more than one call can queue. Send the same call again to continue.',
              }),
            }),
          },
          { description: 'The number of queued notifications.' },
        ),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      const id = readId(request.params, 'webhook')
      await getWebhook(service, context, { id })
      const { recovered, isComplete } = await recoverNotifications(service, context, {
        id,
        ...readRecovery(request.body),
      })
      return sendJsonApi(reply, { meta: { recovered, is_complete: isComplete } })
    },
  )
}
