/**
 * Takes the numbers that are due at channels that send by themselves and can also be asked. Accounts take turns, and
 * the limits of each channel are respected.
 */

import { deal } from '../../../core/looking/dealing.ts'
import type { RequestLimits } from '../../../core/looking/request-budget.ts'
import { addMs } from '../../../core/values/time.ts'
import type { Asking } from '../../../sources/told.ts'
import { findToldSource } from '../../../sources/told-registry.ts'
import { postponeAskings } from '../../../store/channels/asked-boxes.ts'
import { type AskedChannel, getAskedChannels, noteAsked } from '../../../store/channels/asked-channels.ts'
import { type DueNumber, takeNumbers } from '../../../store/channels/asked-lease.ts'
import { deleteAskedNumbers, whoWants } from '../../../store/channels/asked-numbers.ts'
import { findTurns, lockReadyAskings, type TurnKey } from '../../../store/channels/channel-queue.ts'
import type { SettledTurn } from '../../../store/channels/settle-channels.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import { leaveLineAlone } from '../../../store/looks/line-slots.ts'
import { leaseToken } from '../../ground/holder.ts'
import { journeyNow, realNow, type Service } from '../../service.ts'
import { isDue, standsOf } from '../intake/at-facilities.ts'
import { msUntilReady, type Open, type TakenOf, takeEnough, takeOfReady } from '../pacing/ready-channels.ts'
import { concernIn, nameOf, planAskings } from './plan-asking.ts'

/** Longer than any question may take (time-outs, pages and waits included), so that a lease outlives it. */
const leaseMs = 180_000
/** A channel whose settings for asking cannot be read is tried again after this time. */
const unusableMs = 3_600_000
/**
 * Maximum turns (an account and an urgency) of a channel that one round tries until one of them has something to ask.
 */
const turnsMax = 16

/** Numbers of one kind that go out in one question, under our lease. */
export interface AskingJob {
  readonly channel: AskedChannel
  readonly asking: Asking<unknown>
  readonly numbers: readonly DueNumber[]
  readonly token: string
  /** Requests that were counted against the limits beforehand. */
  readonly requests: number
  readonly limits: RequestLimits
}

/** Takes up to `limit` questions, in each round at most one of each channel. */
export async function takeAskings(service: Service, limit: number): Promise<readonly AskingJob[]> {
  const now = realNow(service)
  const jobs: AskingJob[] = []
  await takeEnough(limit, async (free) => {
    const before = jobs.length
    const held = await inTransaction(service.pool, (db) =>
      takeOfReady(service, db, {
        now,
        until: addMs(now, leaseMs),
        limit: free,
        hold: lockReadyAskings,
        lease: () => null,
        limitsOf: ({ source, profile }) => {
          const asking = findToldSource(source)?.asking
          return asking?.parseProfile(profile).ok === true ? asking.limitsOf(profile) : null
        },
        take: async (open) => {
          const channels = await getAskedChannels(
            db,
            open.map(({ id }) => id),
          )
          const turns = await findTurns(db, { now, channels: open, limit: turnsMax })
          const taken = new Map<string, TakenOf>()
          for (const each of open) {
            const channel = channels.get(each.id)
            if (channel === undefined) continue
            const due = turns.filter(({ channelId }) => channelId === each.id)
            const { job, ...of } = await takeOf(service, db, { open: each, channel, due, now })
            if (job !== null) jobs.push(job)
            taken.set(each.id, of)
          }
          return taken
        },
      }),
    )
    return { taken: jobs.length - before, held }
  })
  return jobs
}

/** Milliseconds until the next channel becomes ready that is not ready now. Null when nothing is planned. */
export function msUntilAsking(service: Service): Promise<number | null> {
  return msUntilReady(service, 'askings')
}

/**
 * Tries account after account, until one has a number that is wanted now. A turn without such a number uses up nothing
 * of the limits.
 */
async function takeOf(
  service: Service,
  db: Db,
  of: {
    readonly open: Open
    readonly channel: AskedChannel
    readonly due: readonly TurnKey[]
    readonly now: string
  },
): Promise<TakenOf & { readonly job: AskingJob | null }> {
  const { open, channel, now } = of
  const asking = findToldSource(channel.source)?.asking
  const profile = asking?.parseProfile(channel.asking)
  const nothing = { taken: 0, spending: open.spending, waits: new Map(), turns: [], job: null }
  if (asking === undefined || profile?.ok !== true) {
    const trouble = `the profile for asking cannot be read: ${profile?.ok === false ? profile.reason : channel.source}`
    await noteAsked(db, { channelId: channel.id, answeredAt: null, trouble })
    const closedUntil = addMs(now, unusableMs)
    await leaveLineAlone(db, { credentialId: channel.id, now, until: closedUntil })
    return { ...nothing, closedUntil }
  }
  let rest = of.due
  const visited: SettledTurn[] = []
  for (;;) {
    const turns = rest.map((turn) => ({ ...turn, items: [turn] }))
    const dealt = deal({ ...open, turns, room: 1, nowMs: Date.parse(now), requestsOf: () => open.requests })
    const [pick] = dealt.picks
    if (pick === undefined) return { ...nothing, waits: dealt.waits, turns: visited }
    const { turn } = pick
    const token = leaseToken(service)
    const numbers = await takeWanted(service, db, { channel, asking, token, now, turn })
    visited.push({ ...turn, place: numbers.length > 0 ? 1 : 0 })
    rest = rest.filter((each) => each.accountId !== turn.accountId || each.urgency !== turn.urgency)
    if (numbers.length === 0) continue
    const job = { channel, asking, numbers, token, requests: pick.requests, limits: open.limits }
    return { taken: 1, spending: dealt.spending, waits: dealt.waits, turns: visited, job }
  }
}

/**
 * Takes the due numbers of a turn that somebody wants now. Numbers that nobody wants are no longer asked about; numbers
 * that are too early are planned again.
 */
async function takeWanted(
  service: Service,
  db: Db,
  of: {
    readonly channel: AskedChannel
    readonly asking: Asking<unknown>
    readonly token: string
    readonly now: string
    readonly turn: TurnKey
  },
): Promise<readonly DueNumber[]> {
  const { channel, asking, token, now, turn } = of
  const channelId = channel.id
  const batchMax = asking.batchMax(channel.asking)
  const lease = { channelId, token, now, until: addMs(now, leaseMs), batchMax, turn }
  const { numbers, unwanted, early } = await sorted(service, db, channel, await takeNumbers(db, lease))
  await deleteAskedNumbers(db, { channelId, token, numbers: unwanted })
  const rules = asking.rulesOf?.(channel.asking) ?? asking.rules
  const later = { channel, rules, numbers: early, failures: null }
  await postponeAskings(db, { channelId, token, next: await planAskings(db, service, later) })
  return numbers
}

interface Sorted {
  readonly numbers: readonly DueNumber[]
  /** Nobody wants these, or their boxes do not come to the facility, or have left it. */
  readonly unwanted: readonly DueNumber[]
  /** The ship with these boxes is still far from the facility. */
  readonly early: readonly DueNumber[]
}

async function sorted(
  service: Service,
  db: Db,
  channel: AskedChannel,
  due: readonly DueNumber[],
): Promise<Sorted> {
  const stands = standsOf(channel)
  const wanted = Map.groupBy(await whoWants(db, { channelId: channel.id, numbers: due }), nameOf)
  const at = journeyNow(service, channel.isFiction)
  const groups = Map.groupBy(due, (each) => {
    const wanting = wanted.get(nameOf(each)) ?? []
    if (wanting.length === 0) return 'unwanted'
    const concern = stands === null ? null : concernIn(channel, stands, wanting)
    if (stands !== null && concern === null) return 'unwanted'
    return concern === null || isDue(concern, at) ? 'numbers' : 'early'
  })
  const of = (group: keyof Sorted) => groups.get(group) ?? []
  return { numbers: of('numbers'), unwanted: of('unwanted'), early: of('early') }
}
