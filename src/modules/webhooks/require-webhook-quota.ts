/**
 * Limits the number of webhooks of an account: each has a queue of its own, and causes a request to the outside for
 * every event.
 */

import type { Db } from '../../db/database.ts'
import type { Context } from '../access/context.ts'
import { refusedAt } from '../errors.ts'
import type { Service } from '../service.ts'
import { lockAndCountWebhooks } from './webhooks-sql.ts'

/** Called before the insert, in its transaction: of two inserts at the same moment the second one sees the first. */
export async function requireWebhookQuota(db: Db, service: Service, context: Context): Promise<void> {
  const { webhooksMax } = service.config.limits
  if ((await lockAndCountWebhooks(db, context.account.id)) < webhooksMax) return
  throw refusedAt(
    '/data',
    `This account has ${webhooksMax} webhooks, the maximum. Delete one first, or subscribe an existing one to more events.`,
  )
}
