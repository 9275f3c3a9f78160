/**
 * `webhook_health`: how each webhook is, and the deliveries that receivers do not accept now, whether given up or still
 * tried.
 */

import { anyTime, type PageRequest } from '../../db/listing/page.ts'
import { webhookEventNames } from '../../domain/changes/event-table.ts'
import type { Context } from '../../modules/access/context.ts'
import { notFound } from '../../modules/errors.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { listAttempts, listNotifications } from '../../modules/webhooks/list-notifications.ts'
import type {
  WebhookNotificationFilter,
  WebhookNotificationLogReading,
  WebhookNotificationReading,
} from '../../modules/webhooks/list-notifications-sql.ts'
import { listWebhooks } from '../../modules/webhooks/list-webhooks.ts'
import type { WebhookView } from '../../modules/webhooks/webhook-secrets.ts'
import { Type } from '../../platform/json-schema.ts'
import { readSinceRange, readValues } from '../lists/filter-values.ts'
import { bytesOf, readFittingPage } from '../lists/fit-rows.ts'
import { listGuidance, listSchema, writeFitting } from '../lists/lists.ts'
import { markForeignText } from '../presenters/fence.ts'
import { writeInstant } from '../presenters/local-time.ts'
import { after, closed, oneOf, paging, uuid } from '../tool/inputs.ts'
import { type Members, schemaOf, writeMembers } from '../tool/members.ts'
import { flag, list, number, numberOrNull, text, textOrNull } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

const webhooksMax = 25

interface NotificationRow extends WebhookNotificationReading {
  readonly made: readonly WebhookNotificationLogReading[]
}

const notification: Members<NotificationRow> = {
  id: [text, ({ id }) => id],
  webhookId: [text, ({ webhookId }) => webhookId],
  event: [text, ({ name }) => name],
  sequence: [number, ({ sequence }) => sequence],
  deliveryStatus: [text, ({ deliveryStatus }) => deliveryStatus],
  attempts: [number, ({ made }) => made.length],
  lastStatusCode: [numberOrNull, ({ made }) => made.at(-1)?.statusCode ?? null],
  lastError: [textOrNull, ({ made }) => markForeignText(made.at(-1)?.error ?? null)],
  lastAttemptAt: [textOrNull, ({ made }) => writeInstantOrNull(made.at(-1)?.createdAt)],
  nextAttemptAt: [textOrNull, ({ made }) => writeInstantOrNull(made.at(-1)?.nextAttemptAt)],
  createdAt: [text, ({ createdAt }) => writeInstant(createdAt, null)],
}

interface WebhookHealth extends WebhookView {
  readonly failed: number
  readonly pending: number
  readonly isFailing: boolean
  readonly last: WebhookNotificationLogReading | undefined
}

const health: Members<WebhookHealth> = {
  id: [text, ({ id }) => id],
  // Only the host, because the rest of a URL may contain a secret.
  host: [text, ({ url }) => new URL(url).host],
  health: [text, ({ isActive, isFailing }) => (isActive ? (isFailing ? 'failing' : 'well') : 'off')],
  active: [flag, ({ isActive }) => isActive],
  failed: [number, ({ failed }) => failed],
  pending: [number, ({ pending }) => pending],
  lastStatusCode: [numberOrNull, ({ last }) => last?.statusCode ?? null],
  lastError: [textOrNull, ({ last }) => markForeignText(last?.error ?? null)],
  nextAttemptAt: [textOrNull, ({ last }) => writeInstantOrNull(last?.nextAttemptAt)],
  failingSince: [textOrNull, ({ failingSince }) => writeInstantOrNull(failingSince)],
  disabledReason: [textOrNull, ({ disabledReason }) => markForeignText(disabledReason)],
}

export const webhookHealth = defineTool({
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
  output: listSchema(schemaOf(notification), { webhooks: list(schemaOf(health)) }),
  run: async ({ service, context }, input) => {
    const filter = {
      deliveryStatus: input.status ?? null,
      event: input.event === undefined ? null : readEvent(input.event),
      webhookId: input.webhook_id ?? null,
      createdAt: readSinceRange('created_after', input.created_after),
      isFailing: true,
    } as const
    const { webhooks } = await listWebhooks(service, context, { number: 1, size: webhooksMax })
    const selected = webhooks.filter(({ id }) => input.webhook_id === undefined || id === input.webhook_id)
    if (input.webhook_id !== undefined && selected.length === 0) throw notFound('webhook')
    const healths = await Promise.all(selected.map((webhook) => readHealth(service, context, webhook)))
    const readRows = async (page: PageRequest) => {
      const found = await listNotifications(service, context, { filter, order: '-created_at', page })
      const notificationIds = found.rows.map((row) => row.id)
      const attempts = Map.groupBy(
        await listAttempts(service, context, { notificationIds }),
        ({ notificationId }) => notificationId,
      )
      const write = (row: WebhookNotificationReading) =>
        writeMembers(notification, { ...row, made: attempts.get(row.id) ?? [] })
      return { found, items: found.rows.map(write) }
    }
    const besides = bytesOf(healths) + 400
    const fitting = await readFittingPage(input, { isWhole: false, besides, read: readRows })
    return makeResult(
      { ...writeFitting(fitting, { now: realNow(service) }), webhooks: healths },
      {
        ...listGuidance(fitting.found, fitting),
        tools: ['redeliver'],
        presentation:
          'Say which receivers fail, since when and with what answer; `pending` is tried again by itself, `failed` is not: redeliver sends both again. A webhook that is not active gets nothing.',
      },
    )
  },
})

function readEvent(given: string): string {
  return readValues('event', given, { values: webhookEventNames })[0] ?? given
}

async function readHealth(service: Service, context: Context, webhook: WebhookView) {
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
  return writeMembers(health, {
    ...webhook,
    failed: failed.total,
    pending: pending.total,
    isFailing: webhook.failingSince !== null || failing.total > 0,
    last: made.at(-1),
  })
}

function writeInstantOrNull(at: string | null | undefined): string | null {
  return at ? writeInstant(at, null) : null
}
