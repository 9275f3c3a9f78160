/** Notifications of the account: a page of them, some by id, and the attempts that were made. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { addDays } from '../../domain/values/time.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import {
  listNotificationRows,
  type NotificationOrder,
  readAttempts,
  readNotifications,
  type WebhookNotificationFilter,
  type WebhookNotificationLogReading,
  type WebhookNotificationReading,
} from './list-notifications-sql.ts'

export async function listNotifications(
  service: Service,
  context: Context,
  input: {
    readonly filter: WebhookNotificationFilter
    readonly order: NotificationOrder
    readonly page: PageRequest
  },
): Promise<Page<WebhookNotificationReading>> {
  requireScope(context, 'read')
  const until = addDays(realNow(service), 1)
  return listNotificationRows(service.pool, { accountId: context.account.id, until, ...input })
}

export async function getNotification(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<WebhookNotificationReading> {
  const [found] = await getNotifications(service, context, { ids: [id] })
  if (found === undefined) throw notFound('notification')
  return found
}

/** Returns those of the ids that the account has, in no order. */
export async function getNotifications(
  service: Service,
  context: Context,
  { ids }: { readonly ids: readonly string[] },
): Promise<readonly WebhookNotificationReading[]> {
  requireScope(context, 'read')
  return readNotifications(service.pool, { accountId: context.account.id, ids })
}

/** Sorted by notification, then in the order in which the attempts were made. */
export async function listAttempts(
  service: Service,
  context: Context,
  { notificationIds }: { readonly notificationIds: readonly string[] },
): Promise<readonly WebhookNotificationLogReading[]> {
  requireScope(context, 'read')
  return readAttempts(service.pool, { accountId: context.account.id, notificationIds })
}
