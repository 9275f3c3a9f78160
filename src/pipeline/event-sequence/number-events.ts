/** The sequencer: gives committed events their numbers and, in the same transaction, makes the notifications that follow. */

import { type Db, inTransaction, type Pool } from '../../db/database.ts'
import { inOrderOfAccounts } from '../../db/distributed/acquire-per-account.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import type { Service } from '../../modules/service.ts'
import type { Move } from '../../modules/transport-events/moves-sql.ts'
import { isMoveWanted, readReferencedMoves } from '../../modules/transport-events/wanted-moves.ts'
import { entriesFor, sentName } from '../../modules/webhooks/event-patterns.ts'
import { notificationId } from '../../modules/webhooks/notification-id.ts'
import { lockSubscriptions, type Subscription } from '../../modules/webhooks/webhooks-sql.ts'
import {
  insertNotifications,
  type Lane,
  lockWaitingLanes,
  type NewNotification,
} from '../delivery/webhook-notifications-sql.ts'
import {
  findUnnumbered,
  lockNumbering,
  lockOutOldSequencers,
  type NumberedEvent,
  numberAccountEvents,
  waitForNumberingLock,
} from './event-sequence-sql.ts'
import { notifySequences } from './notify-sequences-sql.ts'

type Needs = Pick<Service, 'pool' | 'clock'>

/** Maximum of one account in one step, so that the other accounts do not wait long. */
const eventsMax = 2_000
/** They share a commit, because it waits for the disk. */
const accountsMax = 100

/**
 * Numbers every event that had committed when it was called, and returns how many it numbered itself. The accounts are
 * served one after the other: none waits until another that has many events has no more. Any number of processes may
 * call it: for each account, they work one after the other.
 */
export async function numberEvents(service: Needs): Promise<number> {
  for (let numbered = 0; ; ) {
    const ofRound = await numberRound(service)
    if (ofRound === 0) return numbered
    numbered += ofRound
  }
}

/** Each account is served once. Those that others are numbering come last, because they are waited for. */
async function numberRound({ pool, clock }: Needs): Promise<number> {
  let numbered = 0
  const busy: string[] = []
  for (let after: string | null = null; ; ) {
    const accounts = await findUnnumbered(pool, { after, accountsMax, eventsMax })
    if (accounts.length === 0) break
    const events = await inTransaction(pool, (db) => numberAccounts(db, accounts, { clock, busy }), 'once')
    numbered += announceNumbers(pool, events)
    after = accounts.at(-1) ?? null
  }
  for (const accountId of busy) {
    const events = await inTransaction(pool, async (db) => {
      await lockOutOldSequencers(db)
      await waitForNumberingLock(db, accountId)
      return publishNumbered(db, await numberAccountEvents(db, accountId, eventsMax), clock)
    })
    numbered += announceNumbers(pool, events)
  }
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
): Promise<readonly NumberedEvent[]> {
  await lockOutOldSequencers(db)
  const events: NumberedEvent[] = []
  const free = new Set(await lockNumbering(db, accounts))
  for (const accountId of accounts) {
    if (free.has(accountId)) events.push(...(await numberAccountEvents(db, accountId, eventsMax)))
    else busy.push(accountId)
  }
  return publishNumbered(db, events, clock)
}

async function publishNumbered(
  db: Db,
  events: readonly NumberedEvent[],
  clock: Service['clock'],
): Promise<readonly NumberedEvent[]> {
  if (events.length === 0) return events
  const now = new Date(clock.now()).toISOString()
  if ((await queueNotifications(db, events, now)) > 0) wakeWorkers(db, 'deliveries')
  return events
}

/** After the commit, for the reason of `wakeWorkers`; who misses it polls. Returns how many they are. */
function announceNumbers(pool: Pool, events: readonly NumberedEvent[]): number {
  // The events are in the order of their numbers, so the last one of an account is its newest.
  const newest = new Map(events.map(({ accountId, sequence }) => [accountId, sequence]))
  if (newest.size > 0) notifySequences(pool, newest).catch(() => {})
  return events.length
}

/**
 * Makes one notification for each event and each active webhook that subscribes to its name. The first one of a lane is
 * due at once.
 */
async function queueNotifications(db: Db, events: readonly NumberedEvent[], now: string): Promise<number> {
  const subscriptions = await lockSubscriptions(db, {
    accountIds: [...new Set(events.map(({ accountId }) => accountId))],
    events: [...new Set(events.flatMap(({ name }) => entriesFor(name)))],
  })
  if (subscriptions.length === 0) return 0
  const notifications = fanOut(events, subscriptions, await movesFor(db, events, subscriptions), now)
  if (notifications.length === 0) return 0
  for (const [accountId, ofAccount] of inOrderOfAccounts(notifications)) {
    const lanes = new Map(ofAccount.map((each) => [laneKey(each), each]))
    const busyLanes = new Set((await lockWaitingLanes(db, accountId, [...lanes.values()])).map(laneKey))
    const queued = ofAccount.map((each) => {
      const isFirst = !busyLanes.has(laneKey(each))
      busyLanes.add(laneKey(each))
      return { ...each, nextAttemptAt: isFirst ? now : null }
    })
    await insertNotifications(db, accountId, queued, now)
  }
  return notifications.length
}

/** Read only for receivers of moves: everybody else waits for the numbering meanwhile. */
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
    byAccount.get(accountId)?.some((receiver) => sentName(receiver.events, name) !== null),
  )
  return readReferencedMoves(db, wanted)
}

function fanOut(
  events: readonly NumberedEvent[],
  subscriptions: readonly Subscription[],
  moves: ReadonlyMap<string, Move>,
  createdAt: string,
): readonly Omit<NewNotification, 'nextAttemptAt'>[] {
  const byAccount = Map.groupBy(subscriptions, ({ accountId }) => accountId)
  return events.flatMap((event) =>
    (byAccount.get(event.accountId) ?? []).flatMap((subscription) => {
      const name = sentName(subscription.events, event.name)
      if (name === null || !isMoveWanted(subscription, moves.get(event.referenceId))) return []
      const { webhookId } = subscription
      return [
        {
          accountId: event.accountId,
          id: notificationId({ eventId: event.id, webhookId, createdAt }),
          webhookId,
          laneId: event.shipmentId ?? event.trackingRequestId ?? event.id,
          eventId: event.id,
          event: name,
          sequence: event.sequence,
        },
      ]
    }),
  )
}

function laneKey(lane: Pick<Lane, 'webhookId' | 'laneId'>): string {
  return `${lane.webhookId} ${lane.laneId}`
}
