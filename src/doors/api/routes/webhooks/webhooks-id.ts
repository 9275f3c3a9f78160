/** /v2/webhooks/:id, and its verbs rotate_secret and recover. */

import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
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
          'What is left out stays. `active: false` ends the queued retries; `active: true` on one that was switched off clears `disabled_reason` and its failures.',
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
        summary: 'End a webhook',
        description: 'What is queued for it ends. Answers with the webhook as it was.',
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
          'The old secret stays valid for 24 hours beside the new one, which the answer shows. At most ten are live at once (409).',
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
        summary: 'Send a webhook what it missed',
        description:
          '`failed_only` sends the notifications that were made in the range and failed; `all` also the events of the range that the webhook has no notification of, from before it was made or while it was off. Asked again, it finds nothing more. 409 while the webhook is off.',
        path: common.path,
        body: recoverBody,
        answer: schema.object(
          {
            meta: schema.object({
              recovered: Type.Integer({ minimum: 0, description: 'Notifications that are queued now.' }),
              is_complete: Type.Boolean({
                description: 'False when there is more than one call takes: the same call goes on.',
              }),
            }),
          },
          { description: 'How much is on its way.' },
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
