/**
 * Leases the numbers that are due at channels that push by themselves and can also be polled. Accounts are served in
 * rotation, and the limits of each channel are respected.
 */

import type { SourcePolling } from '../../connectors/pushed-source.ts'
import { findPushedSource } from '../../connectors/pushed-source-registry.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import { dealRoundRobin } from '../../domain/polling/deal-round-robin.ts'
import type { RequestLimits } from '../../domain/polling/request-budget.ts'
import { addMs } from '../../domain/values/time.ts'
import { facilitySitesOf, isDue } from '../../modules/channels/facility-polls.ts'
import { getPolledChannels, type PolledChannel, recordPollResult } from '../../modules/channels/polled-channels-sql.ts'
import { journeyNow, realNow, type Service } from '../../modules/service.ts'
import { leaseToken } from '../jobs/holder.ts'
import { findDueSubqueues, lockReadyBatchPolls, type SubqueueKey } from '../polling/channel-queue-sql.ts'
import { startCooldown } from '../polling/cooldowns-sql.ts'
import {
  type LeasedPolls,
  leaseFromReady,
  leaseUpTo,
  msUntilReady,
  type OpenChannel,
} from '../polling/ready-channels.ts'
import type { RequeuedSubqueue } from '../polling/requeue-channels-sql.ts'
import { type DueNumber, leaseNumbers } from './lease-numbers-sql.ts'
import { findVisitAtChannel, planChannelPolls, toNumberKey } from './plan-channel-polls.ts'
import { postponePolls } from './polled-containers-sql.ts'
import { deletePolledNumbers, findInterestedParties } from './polled-numbers-sql.ts'

/** Longer than any poll may take (time-outs, pages and waits included), so that a lease outlives it. */
const leaseMs = 180_000
/** A channel whose poll settings cannot be read is tried again after this time. */
const unusableMs = 3_600_000
/**
 * Maximum subqueues (an account and an urgency) of a channel that one round tries until one of them has a number to
 * poll.
 */
const subqueuesMax = 16

/** Numbers of one kind that go out in one poll, under our lease. */
export interface ChannelPollJob {
  readonly channel: PolledChannel
  readonly pollProtocol: SourcePolling<unknown>
  readonly numbers: readonly DueNumber[]
  readonly token: string
  /** Requests that were counted against the limits beforehand. */
  readonly requests: number
  readonly limits: RequestLimits
}

/** Leases up to `limit` polls, in each round at most one of each channel. */
export async function takeDueChannelPolls(service: Service, limit: number): Promise<readonly ChannelPollJob[]> {
  const now = realNow(service)
  const jobs: ChannelPollJob[] = []
  await leaseUpTo(limit, async (free) => {
    const before = jobs.length
    const held = await inTransaction(service.pool, (db) =>
      leaseFromReady(service, db, {
        now,
        until: addMs(now, leaseMs),
        limit: free,
        hold: lockReadyBatchPolls,
        lease: () => null,
        limitsOf: ({ source, profile }) => {
          const pollProtocol = findPushedSource(source)?.polling
          return pollProtocol?.parseProfile(profile).ok === true ? pollProtocol.limitsOf(profile) : null
        },
        take: async (open) => {
          const channels = await getPolledChannels(
            db,
            open.map(({ id }) => id),
          )
          const subqueues = await findDueSubqueues(db, { now, channels: open, limit: subqueuesMax })
          const leasedByChannel = new Map<string, LeasedPolls>()
          for (const each of open) {
            const channel = channels.get(each.id)
            if (channel === undefined) continue
            const due = subqueues.filter(({ channelId }) => channelId === each.id)
            const { job, ...of } = await leaseFromChannel(service, db, { open: each, channel, due, now })
            if (job !== null) jobs.push(job)
            leasedByChannel.set(each.id, of)
          }
          return leasedByChannel
        },
      }),
    )
    return { leasedCount: jobs.length - before, held }
  })
  return jobs
}

/** Milliseconds until the next channel becomes ready that is not ready now. Null when nothing is planned. */
export function msUntilChannelPoll(service: Service): Promise<number | null> {
  return msUntilReady(service, 'askings')
}

/**
 * Tries account after account, until one has a number that is wanted now. A subqueue without such a number uses up
 * nothing of the limits.
 */
async function leaseFromChannel(
  service: Service,
  db: Db,
  of: {
    readonly open: OpenChannel
    readonly channel: PolledChannel
    readonly due: readonly SubqueueKey[]
    readonly now: string
  },
): Promise<LeasedPolls & { readonly job: ChannelPollJob | null }> {
  const { open, channel, now } = of
  const pollProtocol = findPushedSource(channel.source)?.polling
  const profile = pollProtocol?.parseProfile(channel.asking)
  const nothing = { leasedCount: 0, usage: open.spending, waits: new Map(), subqueues: [], job: null }
  if (pollProtocol === undefined || profile?.ok !== true) {
    const problem = `the polling profile cannot be read: ${profile?.ok === false ? profile.reason : channel.source}`
    await recordPollResult(db, { channelId: channel.id, answeredAt: null, trouble: problem })
    const closedUntil = addMs(now, unusableMs)
    await startCooldown(db, { credentialId: channel.id, now, until: closedUntil })
    return { ...nothing, closedUntil }
  }
  let remainder = of.due
  const visited: RequeuedSubqueue[] = []
  for (;;) {
    const queues = remainder.map((subqueue) => ({ ...subqueue, items: [subqueue] }))
    const dealt = dealRoundRobin({
      ...open,
      queues,
      capacity: 1,
      nowMs: Date.parse(now),
      requestsOf: () => open.requests,
    })
    const [pick] = dealt.picks
    if (pick === undefined) return { ...nothing, waits: dealt.waits, subqueues: visited }
    const { queue: subqueue } = pick
    const token = leaseToken(service)
    const numbers = await leaseWantedNumbers(service, db, { channel, pollProtocol, token, now, subqueue })
    visited.push({ ...subqueue, place: numbers.length > 0 ? 1 : 0 })
    remainder = remainder.filter((each) => each.accountId !== subqueue.accountId || each.urgency !== subqueue.urgency)
    if (numbers.length === 0) continue
    const job = { channel, pollProtocol, numbers, token, requests: pick.requests, limits: open.limits }
    return { leasedCount: 1, usage: dealt.spending, waits: dealt.waits, subqueues: visited, job }
  }
}

/**
 * Leases the due numbers of a subqueue that somebody wants now. Numbers that nobody wants are no longer polled; numbers
 * that are too early are planned again.
 */
async function leaseWantedNumbers(
  service: Service,
  db: Db,
  of: {
    readonly channel: PolledChannel
    readonly pollProtocol: SourcePolling<unknown>
    readonly token: string
    readonly now: string
    readonly subqueue: SubqueueKey
  },
): Promise<readonly DueNumber[]> {
  const { channel, pollProtocol, token, now, subqueue } = of
  const channelId = channel.id
  const batchMax = pollProtocol.batchMax(channel.asking)
  const lease = { channelId, token, now, until: addMs(now, leaseMs), batchMax, subqueue }
  const { numbers, unwanted, early } = await classifyNumbers(service, db, channel, await leaseNumbers(db, lease))
  await deletePolledNumbers(db, { channelId, token, numbers: unwanted })
  const rules = pollProtocol.rulesOf?.(channel.asking) ?? pollProtocol.rules
  const later = { channel, rules, numbers: early, failures: null }
  await postponePolls(db, { channelId, token, next: await planChannelPolls(db, service, later) })
  return numbers
}

interface ClassifiedNumbers {
  readonly numbers: readonly DueNumber[]
  /** Nobody wants these, or their containers do not come to the facility, or have left it. */
  readonly unwanted: readonly DueNumber[]
  /** The ship with these containers is still far from the facility. */
  readonly early: readonly DueNumber[]
}

async function classifyNumbers(
  service: Service,
  db: Db,
  channel: PolledChannel,
  due: readonly DueNumber[],
): Promise<ClassifiedNumbers> {
  const facilitySites = facilitySitesOf(channel)
  const wanted = Map.groupBy(await findInterestedParties(db, { channelId: channel.id, numbers: due }), toNumberKey)
  const at = journeyNow(service, channel.isSandbox)
  const groups = Map.groupBy(due, (each) => {
    const wanting = wanted.get(toNumberKey(each)) ?? []
    if (wanting.length === 0) return 'unwanted'
    const concern = facilitySites === null ? null : findVisitAtChannel(channel, facilitySites, wanting)
    if (facilitySites !== null && concern === null) return 'unwanted'
    return concern === null || isDue(concern, at) ? 'numbers' : 'early'
  })
  const of = (group: keyof ClassifiedNumbers) => groups.get(group) ?? []
  return { numbers: of('numbers'), unwanted: of('unwanted'), early: of('early') }
}
