/** How many webhooks an account may have: each is a queue of its own, and a request to the outside for every event. */

import type { Db } from '../../../store/database.ts'
import { countWebhooksAlone } from '../../../store/webhooks.ts'
import type { Context } from '../../context.ts'
import { refusedAt } from '../../errors.ts'
import type { Service } from '../../service.ts'

/** Before the insert, in its transaction: of two at the same moment the second one sees the first. */
export async function requireRoom(db: Db, service: Service, context: Context): Promise<void> {
  const { webhooksMax } = service.config.limits
  if ((await countWebhooksAlone(db, context.account.id)) < webhooksMax) return
  throw refusedAt(
    '/data',
    `This account has ${webhooksMax} webhooks, which is as many as it may have. Delete one first, or let one that is there hear more events.`,
  )
}
