/** `list_webhook_failures`: what receivers do not take now: given up, or still tried; and the webhooks that are in trouble. */

import { Type } from 'typebox'
import { realNow } from '../../../service/service.ts'
import { eventNames } from '../../../service/telling/webhooks/event-catalogue.ts'
import { listAttempts, listNotifications } from '../../../service/telling/webhooks/list-notifications.ts'
import { listWebhooks } from '../../../service/telling/webhooks/list-webhooks.ts'
import { fence } from '../fence.ts'
import { readWords } from '../filter-values.ts'
import { after, closed, id, oneOf, paging, readPage } from '../inputs.ts'
import { since } from '../list-filters.ts'
import { listGuidance, listOf, writeList } from '../lists.ts'
import { writeInstant } from '../local-time.ts'
import { flag, list, number, numberOrNull, object, text, textOrNull } from '../schema.ts'
import { result, tool } from '../tool.ts'

const webhooksMax = 100

export const listWebhookFailures = tool({
  name: 'list_webhook_failures',
  title: 'List failed webhook notifications',
  about:
    'Notifications that failed: given up (`failed`) or still tried (`pending`), newest first; and webhooks that fail or were switched off.',
  effect: 'read',
  input: Type.Object(
    {
      webhook_id: Type.Optional(id),
      event: Type.Optional(Type.String({ description: 'Name of an event' })),
      status: Type.Optional(oneOf(['failed', 'pending'], 'Only these; both when left out')),
      created_after: after,
      ...paging,
    },
    closed,
  ),
  output: listOf(
    object({
      id: text,
      webhookId: text,
      event: text,
      sequence: number,
      deliveryStatus: text,
      attempts: number,
      lastStatusCode: numberOrNull,
      lastError: textOrNull,
      lastAttemptAt: textOrNull,
      nextAttemptAt: textOrNull,
      createdAt: text,
    }),
    {
      webhooks: list(
        object({
          id: text,
          host: text,
          active: flag,
          failingSince: textOrNull,
          disabledReason: textOrNull,
        }),
      ),
    },
  ),
  run: async ({ service, context }, input) => {
    const page = readPage(input)
    const filter = {
      deliveryStatus: input.status ?? null,
      event: input.event === undefined ? null : readEvent(input.event),
      webhookId: input.webhook_id ?? null,
      createdAt: since('created_after', input.created_after),
      isFailing: true,
    } as const
    const [found, { webhooks }] = await Promise.all([
      listNotifications(service, context, { filter, order: '-created_at', page }),
      listWebhooks(service, context, { number: 1, size: webhooksMax }),
    ])
    const notificationIds = found.rows.map((row) => row.id)
    const attempts = Map.groupBy(
      await listAttempts(service, context, { notificationIds }),
      ({ notificationId }) => notificationId,
    )
    const time = (at: string | null | undefined) => (at ? writeInstant(at, null) : null)
    const inTrouble = webhooks.filter(
      (webhook) => webhook.failingSince !== null || webhook.disabledReason !== null,
    )
    return result(
      {
        ...writeList(found, {
          now: realNow(service),
          page,
          write: (row) => {
            const made = attempts.get(row.id) ?? []
            const last = made.at(-1)
            return {
              id: row.id,
              webhookId: row.webhookId,
              event: row.event.name,
              sequence: row.sequence,
              deliveryStatus: row.deliveryStatus,
              attempts: made.length,
              lastStatusCode: last?.statusCode ?? null,
              lastError: fence(last?.error ?? null),
              lastAttemptAt: time(last?.createdAt),
              nextAttemptAt: time(last?.nextAttemptAt),
              createdAt: writeInstant(row.createdAt, null),
            }
          },
        }),
        // The rest of an address may hold a secret.
        webhooks: inTrouble.map((webhook) => ({
          id: webhook.id,
          host: new URL(webhook.url).host,
          active: webhook.isActive,
          failingSince: time(webhook.failingSince),
          disabledReason: fence(webhook.disabledReason),
        })),
      },
      {
        ...listGuidance(found, { page }),
        presentation:
          'Say which receivers fail, since when and with what answer; `pending` is tried again by itself, `failed` is not. A webhook that is not active gets nothing.',
      },
    )
  },
})

function readEvent(given: string): string {
  return readWords('event', given, { values: eventNames })[0] ?? given
}
