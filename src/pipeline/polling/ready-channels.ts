/**
 * Leases work from channels that are ready: locks them, takes what may be polled now, and queues each channel again for
 * the time when more may be taken from it.
 */

import type { PollLimits } from '../../connectors/source.ts'
import { afterCommit, type Db } from '../../db/database.ts'
import type { RequestLimits, RequestUsage, Urgency } from '../../domain/polling/request-budget.ts'
import { earlierOf } from '../../domain/values/time.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { lockedMax, nextReadyAt, type PollLane, queuePlannedChannels, type ReadyChannel } from './channel-queue-sql.ts'
import { noLimits, reportQuotaReached } from './count-requests.ts'
import {
  type PollTargetsLease,
  type RequeuedChannel,
  type RequeuedSubqueue,
  requeueChannels,
} from './requeue-channels-sql.ts'

/** A locked channel, with what its source allows now. */
export type OpenChannel<Channel extends ReadyChannel = ReadyChannel> = Channel & {
  readonly limits: RequestLimits
  /** Number of polls that may go out now. */
  readonly capacity: number
}

export interface LeasedPolls {
  readonly leasedCount: number
  readonly usage: RequestUsage
  readonly waits: ReadonlyMap<Urgency, number>
  readonly subqueues: readonly RequeuedSubqueue[]
  readonly closedUntil?: string
}

/**
 * Locks channels that are ready. `take` gets those that may be polled now; it takes no more than the capacity of each
 * and `limit` in total, and returns what it took by channel. Returns how many channels were locked, some of which may
 * have nothing due.
 */
export async function leaseFromReady<Channel extends ReadyChannel>(
  service: Pick<Service, 'metrics' | 'clock'>,
  db: Db,
  of: {
    readonly now: string
    /** When the leases of what is taken now end. */
    readonly until: string
    readonly limit: number
    /** Locks up to `limit` channels until the transaction ends, those that have been ready longest first. */
    readonly hold: (db: Db, of: { readonly now: string; readonly limit: number }) => Promise<readonly Channel[]>
    readonly limitsOf: (channel: Channel) => PollLimits | null
    readonly take: (channels: readonly OpenChannel<Channel>[]) => Promise<ReadonlyMap<string, LeasedPolls>>
    /** The lease of what was taken. Null when `take` has leased it already. */
    readonly lease: () => PollTargetsLease | null
  },
): Promise<number> {
  const { now, until, limit } = of
  // Sent together, and run in this order.
  const [, held] = await Promise.all([queuePlannedChannels(db, now), of.hold(db, { now, limit })])
  if (held.length === 0) return 0
  const open = held.map((channel): OpenChannel<Channel> & { readonly questionsMax: number } => {
    const limits = of.limitsOf(channel)
    // A channel that has failed or requested a cooldown gets a single poll, which shows whether it answers again.
    const questionsMax = channel.refusals > 0 ? 1 : (limits?.concurrency ?? Number.POSITIVE_INFINITY)
    const capacity = channel.closedUntil === null ? Math.min(limit, questionsMax - channel.running) : 0
    return { ...channel, limits: limits ?? noLimits, capacity, questionsMax }
  })
  const leasedByChannel = await of.take(open.filter(({ capacity }) => capacity > 0))
  const subqueues = [...leasedByChannel.values()].flatMap((each) => each.subqueues)
  const channels = open.map((channel): RequeuedChannel => {
    const leasedHere = leasedByChannel.get(channel.id)
    const count = leasedHere?.leasedCount ?? 0
    const isFull = channel.running + count >= channel.questionsMax
    const ends = channel.leaseEndsAt === null ? until : earlierOf(channel.leaseEndsAt, until)
    return {
      id: channel.id,
      spending: leasedHere?.usage ?? channel.spending,
      leasedCount: count,
      fullUntil: isFull ? ends : null,
      closedUntil: leasedHere?.closedUntil ?? channel.closedUntil,
      waits: leasedHere?.waits ?? new Map(),
    }
  })
  for (const { id: channelId, code, limits, spending: before } of open) {
    const after = leasedByChannel.get(channelId)?.usage
    if (after !== undefined)
      afterCommit(db, () => reportQuotaReached(service, { channelId, code, limits, before, after }))
  }
  await requeueChannels(db, { now, until, subqueues, channels, lease: of.lease() })
  return held.length
}

/** Calls `take` until `limit` is reached or no more channels are ready. Each call is a transaction of its own. */
export async function leaseUpTo(
  limit: number,
  leaseSome: (free: number) => Promise<{ readonly leasedCount: number; readonly held: number }>,
): Promise<void> {
  let free = limit
  for (let rounds = 0; rounds < roundsMax && free > 0; rounds += 1) {
    const wanted = Math.min(free, lockedMax)
    const { leasedCount, held } = await leaseSome(wanted)
    if (held < wanted) return
    free -= leasedCount
  }
}
const roundsMax = 20

/** Milliseconds until the next channel becomes ready that is not ready now. Null when nothing is planned. */
export async function msUntilReady(service: Service, lane: PollLane): Promise<number | null> {
  const at = await nextReadyAt(service.pool, { lane, now: realNow(service) })
  return at === null ? null : Math.max(1, Date.parse(at) - service.clock.now())
}
