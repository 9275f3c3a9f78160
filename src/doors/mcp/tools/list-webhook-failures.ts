/**
 * `list_webhook_failures`: deliveries that receivers do not accept now, whether given up or still tried; and the
 * webhooks that have problems.
 */

import { Type } from 'typebox'
import { realNow } from '../../../service/service.ts'
import { eventNames } from '../../../service/telling/webhooks/event-catalogue.ts'
import { listAttempts, listNotifications } from '../../../service/telling/webhooks/list-notifications.ts'
import { listWebhooks } from '../../../service/telling/webhooks/list-webhooks.ts'
import type { ShownWebhook } from '../../../service/telling/webhooks/webhook-secrets.ts'
import type {
  WebhookNotificationLogReading,
  WebhookNotificationReading,
} from '../../../store/read/webhook-notifications.ts'
import { readWords } from '../lists/filter-values.ts'
import { since } from '../lists/list-filters.ts'
import { listGuidance, listOf, writeList } from '../lists/lists.ts'
import { after, closed, id, oneOf, paging, readPage } from '../tool/inputs.ts'
import { flag, list, number, numberOrNull, object, text, textOrNull } from '../tool/schema.ts'
import { result, tool } from '../tool/tool.ts'
import { fence } from '../words/fence.ts'
import { writeInstant } from '../words/local-time.ts'

const webhooksMax = 100

const notification = object({
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
})
const webhookInTrouble = object({
  id: text,
  host: text,
  active: flag,
  failingSince: textOrNull,
  disabledReason: textOrNull,
})

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
  output: listOf(notification, { webhooks: list(webhookInTrouble) }),
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
    const inTrouble = webhooks.filter(
      (webhook) => webhook.failingSince !== null || webhook.disabledReason !== null,
    )
    return result(
      {
        ...writeList(found, {
          now: realNow(service),
          page,
          write: (row) => writeNotification(row, attempts.get(row.id) ?? []),
        }),
        webhooks: inTrouble.map(writeWebhook),
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

function writeNotification(row: WebhookNotificationReading, made: readonly WebhookNotificationLogReading[]) {
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
    lastAttemptAt: writeAt(last?.createdAt),
    nextAttemptAt: writeAt(last?.nextAttemptAt),
    createdAt: writeInstant(row.createdAt, null),
  }
}

/** Shows only the host, because the rest of a URL may contain a secret. */
function writeWebhook(webhook: ShownWebhook) {
  return {
    id: webhook.id,
    host: new URL(webhook.url).host,
    active: webhook.isActive,
    failingSince: writeAt(webhook.failingSince),
    disabledReason: fence(webhook.disabledReason),
  }
}

function writeAt(at: string | null | undefined): string | null {
  return at ? writeInstant(at, null) : null
}
