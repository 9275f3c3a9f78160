/** Sends a webhook what it missed in a period: notifications that failed, and events that it was not subscribed to. */

import { type Db, inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { feedNameOf } from '../../domain/changes/event-table.ts'
import { readDroppedBefore } from '../../pipeline/delivery/delivery-floor-sql.ts'
import { insertNotifications, lockWaitingLanes } from '../../pipeline/delivery/webhook-notifications-sql.ts'
import {
  listNeverSent,
  listStopped,
  type QueueRange,
  requeueFailed,
  requeueStopped,
  type StoppedNotification,
  type UnattemptedEvent,
} from '../../pipeline/delivery/webhook-queue-sql.ts'
import { type Context, requirePermission } from '../access/context.ts'
import { recordChange } from '../audit/record-change.ts'
import { notFound, refusedAt } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { isMoveWanted, readReferencedMoves } from '../transport-events/wanted-moves.ts'
import { namesIn, sentName } from './event-patterns.ts'
import { notificationId } from './notification-id.ts'
import { inactiveWebhookError } from './redeliver-notification.ts'
import { lockWebhook, type Webhook } from './webhooks-sql.ts'

export const recoveryModes = ['failed_only', 'all'] as const
export type RecoveryMode = (typeof recoveryModes)[number]

export interface RecoveryResult {
  readonly recovered: number
  /** False when there is more than one call handles. The same call again continues. */
  readonly isComplete: boolean
}

const batchMax = 1_000
const perCallMax = 20_000

/**
 * `failed_only`: notifications that were made in the range and failed. `all`: also events of the range, with names that
 * the webhook subscribes to, for which it has no notification, because they came before it was made or while it was
 * off. A repeated call finds nothing more. Times are ISO instants.
 */
export async function recoverNotifications(
  service: Service,
  context: Context,
  input: {
    readonly id: string
    readonly since: string
    readonly until: string | null
    readonly mode: RecoveryMode
  },
): Promise<RecoveryResult> {
  requirePermission(context, 'webhooks')
  const until = input.until ?? realNow(service)
  if (Date.parse(until) < Date.parse(input.since)) throw refusedAt('/until', 'The range ends before it begins.')
  if (input.mode === 'all') await requireRetained(service, input.since)
  const range = {
    accountId: context.account.id,
    webhookId: input.id,
    since: input.since,
    until,
    limit: batchMax,
  }
  let recovered = 0
  let isComplete = false
  while (!isComplete && recovered < perCallMax) {
    const batch = await recoverBatch(service, context, { ...range, mode: input.mode })
    recovered += batch
    isComplete = batch === 0
  }
  const { accountId, webhookId } = range
  service.log.info('webhook.recovered', {
    accountId,
    webhookId,
    count: recovered,
    requestId: context.requestId,
  })
  return { recovered, isComplete }
}

/** For deleted records it is unknown whether they were sent, and nothing is sent twice. */
async function requireRetained(service: Service, since: string): Promise<void> {
  const deletedBefore = await readDroppedBefore(service.pool)
  if (deletedBefore !== null && Date.parse(since) < Date.parse(deletedBefore))
    throw refusedAt(
      '/since',
      `Notifications from before ${deletedBefore} are no longer stored, so it is not known what was not sent. Use this time or a later one.`,
    )
}

/** Locks the webhook first, as the sequencer does, so that the two never make the same notification. */
async function recoverBatch(
  service: Service,
  context: Context,
  { mode, ...range }: QueueRange & { readonly mode: RecoveryMode },
): Promise<number> {
  const now = realNow(service)
  return inTransaction(service.pool, async (db) => {
    const webhook = await lockWebhook(db, range.accountId, range.webhookId)
    if (webhook === null) throw notFound('webhook')
    if (!webhook.isActive) throw inactiveWebhookError()
    const again = await requeueFailed(db, { ...range, now })
    const stopped = await listStopped(db, range)
    const missed = mode === 'all' ? await findNeverSentEvents(db, range, webhook) : []
    const first = [...stopped, ...missed].toSorted((a, b) => a.sequence - b.sequence)
    if (first.length > 0) await queueFirstDeliveries(db, range, { first, now })
    if (again + first.length > 0) {
      await recordChange(db, service, context, {
        action: 'webhook.recovered',
        target: { type: 'webhook', id: range.webhookId },
        diff: { queued: [0, again + first.length] },
      })
      wakeWorkers(db, 'deliveries')
    }
    return again + first.length
  })
}

/** Of events that a narrowed webhook does not get, all are skipped, in any number. */
async function findNeverSentEvents(db: Db, range: QueueRange, webhook: Webhook): Promise<readonly UnattemptedEvent[]> {
  const events = [...new Set(namesIn(webhook.events).map(feedNameOf))]
  for (let after = 0; ; ) {
    const missed = await listNeverSent(db, { ...range, events, after })
    const found = missed.map((each) => ({ ...each, event: sentName(webhook.events, each.event) ?? each.event }))
    if (webhook.format === null) return found
    const candidates = found.map((each) => ({ ...each, accountId: range.accountId }))
    const moves = await readReferencedMoves(db, candidates)
    const deliverable = candidates.filter(({ referenceId }) => isMoveWanted(webhook, moves.get(referenceId)))
    if (deliverable.length > 0 || found.length < range.limit) return deliverable
    after = found.at(-1)?.sequence ?? after
  }
}

/** First deliveries of a shipment go out one after the other, also after those that wait already. */
async function queueFirstDeliveries(
  db: Db,
  { accountId, webhookId }: QueueRange,
  { first, now }: { readonly first: readonly (UnattemptedEvent | StoppedNotification)[]; readonly now: string },
): Promise<void> {
  const lanes = [...new Set(first.map(({ laneId }) => laneId))].map((laneId) => ({
    accountId,
    webhookId,
    laneId,
  }))
  const busyLanes = new Set((await lockWaitingLanes(db, accountId, lanes)).map(({ laneId }) => laneId))
  const placed = first.map((each) => {
    const isDue = !busyLanes.has(each.laneId)
    busyLanes.add(each.laneId)
    return { ...each, isDue }
  })
  await requeueStopped(db, { accountId, now, stopped: placed.filter((each) => 'id' in each) })
  const missed = placed.filter((each) => !('id' in each))
  await insertNotifications(
    db,
    accountId,
    missed.map(({ isDue, ...each }) => ({
      ...each,
      webhookId,
      id: notificationId({ ...each, webhookId, createdAt: now }),
      nextAttemptAt: isDue ? now : null,
    })),
    now,
  )
}
