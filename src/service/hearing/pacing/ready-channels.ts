/**
 * Takes work from channels that are ready: locks them, takes what may be asked now, and queues each channel again for
 * the time when more may be taken from it.
 */

import type { RequestLimits, Spending, Urgency } from '../../../core/looking/request-budget.ts'
import { earlierOf } from '../../../core/values/time.ts'
import type { AskedLimits } from '../../../sources/source.ts'
import {
  type Lane,
  lockedMax,
  nextReadyAt,
  queuePlannedChannels,
  type ReadyChannel,
} from '../../../store/channels/channel-queue.ts'
import {
  type Lease,
  type SettledChannel,
  type SettledTurn,
  settleChannels,
} from '../../../store/channels/settle-channels.ts'
import { afterCommit, type Db } from '../../../store/database.ts'
import { realNow, type Service } from '../../service.ts'
import { noLimits, tellCeiling } from './count-requests.ts'

/** A locked channel, with what its source allows now. */
export type Open<Channel extends ReadyChannel = ReadyChannel> = Channel & {
  readonly limits: RequestLimits
  /** Number of questions that may go out now. */
  readonly room: number
}

export interface TakenOf {
  readonly taken: number
  readonly spending: Spending
  readonly waits: ReadonlyMap<Urgency, number>
  readonly turns: readonly SettledTurn[]
  readonly closedUntil?: string
}

/**
 * Locks channels that are ready. `take` gets those that may be asked now; it takes no more than the room of each and
 * `limit` in all, and returns what it took by channel. Returns how many channels were locked, some of which may have
 * nothing due.
 */
export async function takeOfReady<Channel extends ReadyChannel>(
  service: Pick<Service, 'metrics' | 'clock'>,
  db: Db,
  of: {
    readonly now: string
    /** When the leases of what is taken now end. */
    readonly until: string
    readonly limit: number
    /** Locks up to `limit` channels until the transaction ends, those that have been ready longest first. */
    readonly hold: (
      db: Db,
      of: { readonly now: string; readonly limit: number },
    ) => Promise<readonly Channel[]>
    readonly limitsOf: (channel: Channel) => AskedLimits | null
    readonly take: (channels: readonly Open<Channel>[]) => Promise<ReadonlyMap<string, TakenOf>>
    /** The lease of what was taken. Null when `take` has leased it already. */
    readonly lease: () => Lease | null
  },
): Promise<number> {
  const { now, until, limit } = of
  await queuePlannedChannels(db, now)
  const held = await of.hold(db, { now, limit })
  if (held.length === 0) return 0
  const open = held.map((channel): Open<Channel> & { readonly questionsMax: number } => {
    const limits = of.limitsOf(channel)
    // A channel that has failed or asked us to wait gets a single question, which shows whether it answers again.
    const questionsMax = channel.refusals > 0 ? 1 : (limits?.concurrency ?? Number.POSITIVE_INFINITY)
    const room = channel.closedUntil === null ? Math.min(limit, questionsMax - channel.running) : 0
    return { ...channel, limits: limits ?? noLimits, room, questionsMax }
  })
  const taken = await of.take(open.filter(({ room }) => room > 0))
  const turns = [...taken.values()].flatMap((each) => each.turns)
  const channels = open.map((channel): SettledChannel => {
    const own = taken.get(channel.id)
    const count = own?.taken ?? 0
    const isFull = channel.running + count >= channel.questionsMax
    const ends = channel.leaseEndsAt === null ? until : earlierOf(channel.leaseEndsAt, until)
    return {
      id: channel.id,
      spending: own?.spending ?? channel.spending,
      taken: count,
      fullUntil: isFull ? ends : null,
      closedUntil: own?.closedUntil ?? channel.closedUntil,
      waits: own?.waits ?? new Map(),
    }
  })
  for (const { id: channelId, code, limits, spending: before } of open) {
    const after = taken.get(channelId)?.spending
    if (after !== undefined)
      afterCommit(db, () => tellCeiling(service, { channelId, code, limits, before, after }))
  }
  await settleChannels(db, { now, until, turns, channels, lease: of.lease() })
  return held.length
}

/** Calls `take` until `limit` is reached or no more channels are ready. Each call is a transaction of its own. */
export async function takeEnough(
  limit: number,
  take: (free: number) => Promise<{ readonly taken: number; readonly held: number }>,
): Promise<void> {
  let free = limit
  for (let rounds = 0; rounds < roundsMax && free > 0; rounds += 1) {
    const wanted = Math.min(free, lockedMax)
    const { taken, held } = await take(wanted)
    if (held < wanted) return
    free -= taken
  }
}
const roundsMax = 20

/** Milliseconds until the next channel becomes ready that is not ready now. Null when nothing is planned. */
export async function msUntilReady(service: Service, lane: Lane): Promise<number | null> {
  const at = await nextReadyAt(service.pool, { lane, now: realNow(service) })
  return at === null ? null : Math.max(1, Date.parse(at) - service.clock.now())
}
