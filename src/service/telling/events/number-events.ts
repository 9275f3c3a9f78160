/** The sequencer: gives committed events their numbers and, in the same transaction, makes the notifications that follow. */

import { type Db, inTransaction } from '../../../store/database.ts'
import { inOrderOfAccounts } from '../../../store/ground/by-account.ts'
import { wake } from '../../../store/ground/wake.ts'
import { tellNumbered } from '../../../store/telling/event-news.ts'
import {
  awaitNumbering,
  findUnnumbered,
  keepOutOlderSequencers,
  lockNumbering,
  type NumberedEvent,
  numberOf,
} from '../../../store/telling/event-sequence.ts'
import type { Move } from '../../../store/telling/moves.ts'
import {
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

/** Of one account in its turn, so that those of the others do not wait long. */
const eventsMax = 2_000
/** They share a commit, because it waits for the disk. */
const accountsMax = 100

/**
 * Numbers every event that had committed when it was called, and returns how many it numbered itself. The accounts have
 * their turns one after the other: none waits until another that has many events has no more. Any number of processes may
 * call it: for each account they take turns.
 */
export async function numberEvents(service: Needs): Promise<number> {
  for (let numbered = 0; ; ) {
    const ofTurn = await numberTurn(service)
    if (ofTurn === 0) return numbered
    numbered += ofTurn
  }
}

/** Each account has its turn. Those that others are numbering come last, because they are waited for. */
async function numberTurn({ pool, clock }: Needs): Promise<number> {
  let numbered = 0
  const busy: string[] = []
  for (let after: string | null = null; ; ) {
    const accounts = await findUnnumbered(pool, { after, accountsMax, eventsMax })
    if (accounts.length === 0) break
    numbered += await inTransaction(pool, (db) => numberAccounts(db, accounts, { clock, busy }), 'once')
    after = accounts.at(-1) ?? null
  }
  for (const accountId of busy)
    numbered += await inTransaction(pool, async (db) => {
      await keepOutOlderSequencers(db)
      await awaitNumbering(db, accountId)
      return tell(db, await numberOf(db, accountId, eventsMax), clock)
    })
  return numbered
}

interface Numbering {
  readonly clock: Service['clock']
  /** Accounts that others are numbering are added to it. */
  readonly busy: string[]
}

/** `accounts` in the order of their ids: all who lock rows of several accounts lock them in this order. */
async function numberAccounts(
  db: Db,
  accounts: readonly string[],
  { clock, busy }: Numbering,
): Promise<number> {
  await keepOutOlderSequencers(db)
  const events: NumberedEvent[] = []
  const free = new Set(await lockNumbering(db, accounts))
  for (const accountId of accounts) {
    if (free.has(accountId)) events.push(...(await numberOf(db, accountId, eventsMax)))
    else busy.push(accountId)
  }
  return tell(db, events, clock)
}

/** Returns how many they are. */
async function tell(db: Db, events: readonly NumberedEvent[], clock: Service['clock']): Promise<number> {
  if (events.length === 0) return 0
  const now = new Date(clock.now()).toISOString()
  if ((await notify(db, events, now)) > 0) await wake(db, 'deliveries')
  // The events are in the order of their numbers, so the last one of an account is its newest.
  await tellNumbered(db, new Map(events.map(({ accountId, sequence }) => [accountId, sequence])))
  return events.length
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
  for (const [accountId, own] of inOrderOfAccounts(notifications)) {
    const lanes = new Map(own.map((each) => [laneKey(each), each]))
    const taken = new Set((await lockWaitingLanes(db, accountId, [...lanes.values()])).map(laneKey))
    const queued = own.map((each) => {
      const isFirst = !taken.has(laneKey(each))
      taken.add(laneKey(each))
      return { ...each, nextAttemptAt: isFirst ? now : null }
    })
    await insertNotifications(db, accountId, queued, now)
  }
  return notifications.length
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

function laneKey(lane: Pick<Lane, 'webhookId' | 'laneId'>): string {
  return `${lane.webhookId} ${lane.laneId}`
}
