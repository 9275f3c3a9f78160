/** /v2/webhooks/:id, and its verbs rotate_secret and recover. */

import type { FastifyInstance } from 'fastify'
import { Type } from '../../../../platform/json-schema.ts'
import { deleteWebhook } from '../../../../service/telling/webhooks/delete-webhook.ts'
import { getWebhook } from '../../../../service/telling/webhooks/get-webhook.ts'
import { recover } from '../../../../service/telling/webhooks/recover.ts'
import { rotateSecret } from '../../../../service/telling/webhooks/rotate-secret.ts'
import { updateWebhook } from '../../../../service/telling/webhooks/update-webhook.ts'
import { readWebhook } from '../../../documents/resources/webhooks/webhook.ts'
import * as schema from '../../../documents/shape/schema.ts'
import { readId } from '../../../http/path-id.ts'
import { send, sendOne } from '../../answering/answer.ts'
import { readIfCurrent } from '../../answering/entity-tag.ts'
import { defineQuery, refuseParameters } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, operation } from '../../description/operation.ts'
import { readRecovery, readWebhookChanges, recoverBody, webhookChangesBody } from '../../inputs/webhook.ts'

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

  app.patch(
    '/v2/webhooks/:id',
    {
      config: { hasPrecondition: true },
      schema: operation({
        ...common,
        id: 'updateWebhook',
        summary: 'Change a webhook',
        description:
          'Attributes that are not sent are not changed. `active: false` cancels the queued retries. `active: true` on a webhook that was switched off clears `disabled_reason` and its count of failures.',
        body: webhookChangesBody,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = readId(request.params, 'webhook')
      // Checks the webhook first: if it does not exist, that is the answer, whatever the body contains.
      await getWebhook(service, context, { id })
      const isCurrent = readIfCurrent(request)
      const webhook = await updateWebhook(service, context, {
        id,
        ...readWebhookChanges(request.body, id),
        ifCurrent: isCurrent && ((found) => isCurrent(readWebhook(found))),
      })
      return sendOne({ request, reply }, { data: readWebhook(webhook), view })
    },
  )

  app.delete(
    '/v2/webhooks/:id',
    {
      schema: operation({
        ...common,
        id: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: 'Queued deliveries are cancelled. The answer is the deleted webhook.',
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const webhook = await deleteWebhook(service, context, { id: readId(request.params, 'webhook') })
      return sendOne({ request, reply }, { data: readWebhook(webhook), view })
    },
  )
}

export function webhooksIdVerbs(app: FastifyInstance): void {
  app.post(
    '/v2/webhooks/:id/rotate_secret',
    {
      config: { permission: 'webhooks' },
      schema: operation({
        ...common,
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
      schema: operation({
        id: 'recoverWebhook',
        tag: 'Webhooks',
        summary: 'Send a webhook the events that it missed',
        description:
          '`failed_only` sends the failed notifications of the given time range again. `all` also sends the events of the range for which the webhook has no notification, because it did not exist yet or was off. A repeated request sends nothing twice. 409 while the webhook is off.',
        path: common.path,
        body: recoverBody,
        answer: schema.object(
          {
            meta: schema.object({
              recovered: Type.Integer({ minimum: 0, description: 'Notifications that are queued now.' }),
              is_complete: Type.Boolean({
                description:
                  'False: there is more than one call can queue. Send the same call again to continue.',
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
      const { recovered, isComplete } = await recover(service, context, {
        id,
        ...readRecovery(request.body),
      })
      return send(reply, { meta: { recovered, is_complete: isComplete } })
    },
  )
}
