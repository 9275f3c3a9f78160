/**
 * `webhook_health`: how each webhook is, and the deliveries that receivers do not accept now, whether given up or still
 * tried.
 */

import { Type } from '../../../platform/json-schema.ts'
import type { Context } from '../../../service/context.ts'
import { notFound } from '../../../service/errors.ts'
import { realNow, type Service } from '../../../service/service.ts'
import { eventNames } from '../../../service/telling/webhooks/event-catalogue.ts'
import { listAttempts, listNotifications } from '../../../service/telling/webhooks/list-notifications.ts'
import { listWebhooks } from '../../../service/telling/webhooks/list-webhooks.ts'
import type { ShownWebhook } from '../../../service/telling/webhooks/webhook-secrets.ts'
import { anyTime } from '../../../store/lists/page.ts'
import type {
  WebhookNotificationFilter,
  WebhookNotificationLogReading,
  WebhookNotificationReading,
} from '../../../store/read/webhook-notifications.ts'
import { readWords } from '../lists/filter-values.ts'
import { since } from '../lists/list-filters.ts'
import { listGuidance, listOf, writeList } from '../lists/lists.ts'
import { after, closed, oneOf, paging, readPage, uuid } from '../tool/inputs.ts'
import { flag, list, number, numberOrNull, object, text, textOrNull } from '../tool/schema.ts'
import { result, tool } from '../tool/tool.ts'
import { fence } from '../words/fence.ts'
import { writeInstant } from '../words/local-time.ts'

const webhooksMax = 25
/** Unless more are asked for: what failed lately shows why. */
const usualItems = 10

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
const health = object({
  id: text,
  host: text,
  health: text,
  active: flag,
  failed: number,
  pending: number,
  lastStatusCode: numberOrNull,
  lastError: textOrNull,
  nextAttemptAt: textOrNull,
  failingSince: textOrNull,
  disabledReason: textOrNull,
})

export const webhookHealth = tool({
  name: 'webhook_health',
  title: 'Health of webhooks',
  about:
    'Each webhook: well, failing or off, how many notifications were given up (`failed`) or wait (`pending`), and the last answer; then those that failed, newest first.',
  effect: 'read',
  input: Type.Object(
    {
      webhook_id: Type.Optional(uuid),
      event: Type.Optional(Type.String({ description: 'Only this event, by name' })),
      status: Type.Optional(oneOf(['failed', 'pending'], 'Only this status; both by default')),
      created_after: after,
      ...paging,
    },
    closed,
  ),
  output: listOf(notification, { webhooks: list(health) }),
  run: async ({ service, context }, input) => {
    const page = readPage({ ...input, page_size: input.page_size ?? usualItems })
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
    const asked = webhooks.filter(({ id }) => input.webhook_id === undefined || id === input.webhook_id)
    if (input.webhook_id !== undefined && asked.length === 0) throw notFound('webhook')
    const healths = await Promise.all(asked.map((webhook) => readHealth(service, context, webhook)))
    return result(
      {
        ...writeList(found, {
          now: realNow(service),
          page,
          write: (row) => writeNotification(row, attempts.get(row.id) ?? []),
        }),
        webhooks: healths,
      },
      {
        ...listGuidance(found, { page }),
        tools: ['redeliver'],
        presentation:
          'Say which receivers fail, since when and with what answer; `pending` is tried again by itself, `failed` is not: redeliver sends both again. A webhook that is not active gets nothing.',
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
async function readHealth(service: Service, context: Context, webhook: ShownWebhook) {
  const newest = async (filter: Partial<WebhookNotificationFilter>) =>
    listNotifications(service, context, {
      filter: { deliveryStatus: null, event: null, webhookId: webhook.id, createdAt: anyTime, ...filter },
      order: '-created_at',
      page: { number: 1, size: 1 },
    })
  const [failed, pending, failing] = await Promise.all([
    newest({ deliveryStatus: 'failed' }),
    newest({ deliveryStatus: 'pending' }),
    newest({ isFailing: true }),
  ])
  const made = await listAttempts(service, context, { notificationIds: failing.rows.map(({ id }) => id) })
  const last = made.at(-1)
  const isFailing = webhook.failingSince !== null || failing.total > 0
  return {
    id: webhook.id,
    host: new URL(webhook.url).host,
    health: webhook.isActive ? (isFailing ? 'failing' : 'well') : 'off',
    active: webhook.isActive,
    failed: failed.total,
    pending: pending.total,
    lastStatusCode: last?.statusCode ?? null,
    lastError: fence(last?.error ?? null),
    nextAttemptAt: writeAt(last?.nextAttemptAt),
    failingSince: writeAt(webhook.failingSince),
    disabledReason: fence(webhook.disabledReason),
  }
}

function writeAt(at: string | null | undefined): string | null {
  return at ? writeInstant(at, null) : null
}
