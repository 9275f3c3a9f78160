/** The sequencer: gives committed events their numbers and, in the same transaction, makes the notifications that follow. */

import { type Db, inTransaction } from '../../../store/database.ts'
import { inOrderOfAccounts } from '../../../store/ground/by-account.ts'
import { wake } from '../../../store/ground/wake.ts'
import { tellNumbered } from '../../../store/telling/event-news.ts'
import { type NumberedEvent, numberBatch, takeSequencerLock } from '../../../store/telling/event-sequence.ts'
import type { Move } from '../../../store/telling/moves.ts'
import {
  findWaitingLanes,
  insertNotifications,
  type Lane,
  lockWaitingLanes,
  type NewNotification,
} from '../../../store/telling/webhook-notifications.ts'
import { lockSubscriptions, type Subscription } from '../../../store/telling/webhooks.ts'
import type { Service } from '../../service.ts'
import { isTold, movesTold } from '../moves/narrowed.ts'
import { isSubscribed, patternsOf } from '../webhooks/event-patterns.ts'
import { notificationId } from '../webhooks/notification-id.ts'

type Needs = Pick<Service, 'pool' | 'clock'>

const batchMax = 2_000

/**
 * Numbers every event that had committed when it was called, and returns how many it numbered itself. Any number of
 * processes may call it: they take turns.
 */
export async function numberEvents(service: Needs): Promise<number> {
  for (let numbered = 0; ; ) {
    const batch = await numberOneBatch(service)
    numbered += batch
    if (batch < batchMax) return numbered
  }
}

async function numberOneBatch(service: Needs): Promise<number> {
  return inTransaction(service.pool, async (db) => {
    await takeSequencerLock(db)
    const events = await numberBatch(db, batchMax)
    if (events.length > 0) {
      const now = new Date(service.clock.now()).toISOString()
      if ((await notify(db, events, now)) > 0) await wake(db, 'deliveries')
      // The events are in the order of their numbers, so the last one of an account is its newest.
      await tellNumbered(db, new Map(events.map(({ accountId, sequence }) => [accountId, sequence])))
    }
    return events.length
  })
}

/**
 * Makes one notification for each event and each active webhook that subscribes to its name. The first one of a lane is
 * due at once.
 */
async function notify(db: Db, events: readonly NumberedEvent[], now: string): Promise<number> {
  const subscriptions = await lockSubscriptions(db, {
    accountIds: [...new Set(events.map(({ accountId }) => accountId))],
    events: [...new Set(events.flatMap(({ name }) => [name, ...patternsOf(name)]))],
  })
  if (subscriptions.length === 0) return 0
  const notifications = fanOut(events, subscriptions, await movesFor(db, events, subscriptions), now)
  if (notifications.length === 0) return 0
  const lanes = new Map(notifications.map((each) => [laneKey(each), each]))
  const taken = new Set((await lockWaiting(db, [...lanes.values()])).map(laneKey))
  const queued = notifications.map((each): NewNotification => {
    const isFirst = !taken.has(laneKey(each))
    taken.add(laneKey(each))
    return { ...each, nextAttemptAt: isFirst ? now : null }
  })
  await insertNotifications(db, queued, now)
  return queued.length
}

/** Lanes are mostly empty, and those of many accounts are asked together. Those in which something waits are locked. */
async function lockWaiting(db: Db, lanes: readonly Lane[]): Promise<readonly Lane[]> {
  const locked: Lane[] = []
  for (const [accountId, waiting] of inOrderOfAccounts(await findWaitingLanes(db, lanes)))
    locked.push(...(await lockWaitingLanes(db, accountId, waiting)))
  return locked
}

/** Read for those receivers alone that are told of moves: everybody else waits for the numbering meanwhile. */
async function movesFor(
  db: Db,
  events: readonly NumberedEvent[],
  subscriptions: readonly Subscription[],
): Promise<ReadonlyMap<string, Move>> {
  const byAccount = Map.groupBy(
    subscriptions.filter(({ format }) => format !== null),
    ({ accountId }) => accountId,
  )
  const wanted = events.filter(({ accountId, name }) =>
    byAccount.get(accountId)?.some((receiver) => isSubscribed(receiver.events, name)),
  )
  return movesTold(db, wanted)
}

function fanOut(
  events: readonly NumberedEvent[],
  subscriptions: readonly Subscription[],
  moves: ReadonlyMap<string, Move>,
  createdAt: string,
): readonly Omit<NewNotification, 'nextAttemptAt'>[] {
  const byAccount = Map.groupBy(subscriptions, ({ accountId }) => accountId)
  return events.flatMap((event) =>
    (byAccount.get(event.accountId) ?? [])
      .filter(
        (subscription) =>
          isSubscribed(subscription.events, event.name) && isTold(subscription, moves.get(event.referenceId)),
      )
      .map(({ webhookId }) => ({
        accountId: event.accountId,
        id: notificationId({ eventId: event.id, webhookId, createdAt }),
        webhookId,
        laneId: event.shipmentId ?? event.trackingRequestId ?? event.id,
        eventId: event.id,
        event: event.name,
        sequence: event.sequence,
      })),
  )
}

function laneKey(lane: Lane): string {
  return `${lane.webhookId} ${lane.laneId}`
}
