/** `list_webhook_failures`: notifications that their receivers did not take, with what came of the last attempt. */

import { Type } from 'typebox'
import { listAttempts, listNotifications } from '../../../service/webhooks/list-notifications.ts'
import { fence } from '../fence.ts'
import { after, closed, id, oneOf, paging, readPage } from '../inputs.ts'
import { since } from '../list-filters.ts'
import { listGuidance, listOf, writeList } from '../lists.ts'
import { writeInstant } from '../local-time.ts'
import { number, numberOrNull, object, text, textOrNull } from '../schema.ts'
import { result, tool } from '../tool.ts'

export const listWebhookFailures = tool({
  name: 'list_webhook_failures',
  title: 'List failed webhook notifications',
  about: 'Notifications that were given up (or, with `status` pending, are still tried), newest first.',
  effect: 'read',
  input: Type.Object(
    {
      webhook_id: Type.Optional(id),
      event: Type.Optional(Type.String()),
      status: Type.Optional(oneOf(['failed', 'pending'])),
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
  ),
  run: async ({ service, context }, input) => {
    const page = readPage(input)
    const filter = {
      deliveryStatus: input.status ?? 'failed',
      event: input.event ?? null,
      webhookId: input.webhook_id ?? null,
      createdAt: since('created_after', input.created_after),
    } as const
    const found = await listNotifications(service, context, { filter, order: '-created_at', page })
    const notificationIds = found.rows.map((row) => row.id)
    const attempts = Map.groupBy(
      await listAttempts(service, context, { notificationIds }),
      ({ notificationId }) => notificationId,
    )
    return result(
      writeList(found, {
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
            lastAttemptAt: last === undefined ? null : writeInstant(last.createdAt, null),
            nextAttemptAt: last?.nextAttemptAt ? writeInstant(last.nextAttemptAt, null) : null,
            createdAt: writeInstant(row.createdAt, null),
          }
        },
      }),
      { presentation: listGuidance },
    )
  },
})
