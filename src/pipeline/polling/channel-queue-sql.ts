/**
 * The queue of channels: which channel may be polled next, and, within each channel, the subqueues of the accounts. A
 * worker locks the row of a channel until it has leased its polls. So it counts the limits of this channel alone, and
 * no two workers take the same poll (docs/decisions/0027).
 */

import type { Db } from '../../db/database.ts'
import { noUsage, type RequestUsage, urgencies } from '../../domain/polling/request-budget.ts'

/** `looks`: channels that are polled number by number. `askings`: channels that get messages and are also polled. */
export type PollLane = 'looks' | 'askings'

export type LaneColumns = Readonly<Record<'table' | 'channel' | 'dueAt' | 'profile' | 'running', string>>

/** SQL names for what waits in each lane. */
export const lanes = {
  looks: {
    table: 'subjects',
    channel: 'credential_id',
    dueAt: 'next_look_at',
    profile: 'profile',
    running: 'count(*)',
  },
  askings: {
    table: 'asked_numbers',
    channel: 'channel_id',
    dueAt: 'next_ask_at',
    profile: 'asking',
    running: 'count(distinct lease_token)',
  },
} as const satisfies Record<PollLane, LaneColumns>

export interface ReadyChannel {
  readonly id: string
  /** The code of the speaker. */
  readonly code: string
  readonly source: string
  /** How it is polled. */
  readonly profile: Readonly<Record<string, unknown>>
  /** Null when it may be polled now. */
  readonly closedUntil: string | null
  readonly encryptedSecret: Buffer | null
  readonly isSandbox: boolean
  /** How many times in a row it requested a cooldown, or a cooldown was necessary. */
  readonly refusals: number
  readonly spending: RequestUsage
  readonly dealt: number
  /** How many requests its last poll needed, for a channel that is polled about many numbers at once. */
  readonly requests: number
  /** Polls under way, and when the first of their leases ends. */
  readonly running: number
  readonly leaseEndsAt: string | null
}

/** A channel that is not enabled is checked again after this time. */
const disabledFor = `interval '1 hour'`

/**
 * Moves what was planned meanwhile from `channel_bells` into the queue. Whoever plans writes there and locks no channel
 * (docs/decisions/0027). Channels are locked in order of id, each before its subqueues, as in all statements that lock
 * them.
 */
export async function queuePlannedChannels(db: Db, now: string): Promise<void> {
  await db.query({
    name: 'channel_bells_hear',
    text: `with rung as (
             delete from channel_bells where id in (
               select id from channel_bells order by id limit 1000 for update skip locked)
             returning *
           ), queued as (
             insert into channel_queue (channel_id, lane, ready_at, is_full)
             select r.channel_id, r.lane, case when bool_or(isfinite(r.at) or r.at < $1) then greatest(min(r.at), $1) end,
                    bool_or(r.at = 'infinity')
               from rung r join channels c on c.id = r.channel_id
              group by r.channel_id, r.lane order by r.channel_id
             on conflict (channel_id) do update
                set lane = excluded.lane,
                    ready_at = least(channel_queue.ready_at, excluded.ready_at,
                                     case when channel_queue.is_full and excluded.is_full then $1 end)
             returning channel_id
           )
           insert into channel_turns (channel_id, urgency, account_id, ready_at)
           select r.channel_id, r.urgency, r.account_id, min(r.at) from rung r join queued q on q.channel_id = r.channel_id
            where r.urgency is not null
            group by r.channel_id, r.urgency, r.account_id order by r.channel_id, r.urgency, r.account_id
           on conflict (channel_id, urgency, account_id) do update
              set ready_at = least(channel_turns.ready_at, excluded.ready_at)`,
    values: [now],
  })
}

/** Maximum number of channels that are locked at a time. */
export const lockedMax = 64

/** SQL: the columns that are read of each channel, from `readyChannelsSql`. */
export const readyColumns = ({ profile }: LaneColumns): string => `
  c.id, c.scac as code, c.source, c.${profile} as profile, c.refusals, c.secret_sealed as "encryptedSecret", c.is_fiction as "isSandbox",
  q.spending, q.dealt, q.requests, k.closed_until as "closedUntil", l.running, l.ends as "leaseEndsAt"`

/**
 * SQL: up to $2 channels of the lane, `lockedMax` at most, that are ready at $1, longest first. Their rows stay locked
 * until the transaction ends, and rows that another worker has locked are skipped. `q` is the channel's row of the
 * queue, `c` the channel. A channel that another worker has returned to the queue since the statement began is closed
 * until now, because this statement may read its old state.
 */
export function readyChannelsSql(lane: PollLane): string {
  const { table, channel, profile, running } = lanes[lane]
  // The inner limit tells the planner that the rows are few. No more rows are locked than the outer limit lets through.
  return `(select * from (
             select * from channel_queue where lane = '${lane}' and ready_at <= $1
              order by ready_at, channel_id limit ${lockedMax} for no key update skip locked) r limit $2) q
          join channel_queue b on b.channel_id = q.channel_id
          join channels c on c.id = q.channel_id and c.${profile} is not null
         cross join lateral (
           select case when not c.is_enabled then $1::timestamptz + ${disabledFor}
                       when c.next_slot_at > $1 then c.next_slot_at
                       when b.turned_at <> q.turned_at then $1 end as closed_until) k
         cross join lateral (
           select ${running}::integer as running, min(leased_until) as ends from ${table} s
            where s.${channel} = c.id and s.lease_token is not null and s.leased_until >= $1) l`
}

const readyAskings = `select ${readyColumns(lanes.askings)} from ${readyChannelsSql('askings')} order by q.ready_at, q.channel_id`

/** Locks channels that are ready to be polled about many numbers at once. */
export async function lockReadyBatchPolls(
  db: Db,
  of: { readonly now: string; readonly limit: number },
): Promise<readonly ReadyChannel[]> {
  const { rows } = await db.query<ReadyChannel>({
    name: 'channels_ready_askings',
    text: readyAskings,
    values: [of.now, of.limit],
  })
  return rows.map((row) => ({ ...row, spending: { ...noUsage, ...row.spending } }))
}

/** A subqueue of a channel: its urgency class and its account. */
export interface SubqueueKey {
  readonly channelId: string
  readonly urgency: number
  readonly accountId: string
}

/** SQL: the subqueues of the channel `q` that are due at $1, at most `capacity` of each class, longest due first. */
export const dueSubqueuesSql = (capacity: string): string => `
  (select u.urgency, r.account_id, r.ready_at
     from generate_series(0, ${urgencies.length - 1}) as u (urgency)
    cross join lateral (
      select account_id, ready_at from channel_turns
       where channel_id = q.channel_id and urgency = u.urgency and ready_at <= greatest($1::timestamptz, q.turned_at)
       order by ready_at, account_id limit ${capacity}) r)`

/** The subqueues that are due at these channels. */
export async function findDueSubqueues(
  db: Db,
  of: {
    readonly now: string
    readonly channels: readonly { readonly id: string }[]
    /** Maximum for each class of a channel. */
    readonly limit: number
  },
): Promise<readonly SubqueueKey[]> {
  const { rows } = await db.query<SubqueueKey>({
    name: 'channel_turns_due',
    text: `select q.channel_id as "channelId", t.urgency, t.account_id as "accountId"
             from channel_queue q cross join lateral ${dueSubqueuesSql('$3')} t
            where q.channel_id = any($2::uuid[])
            order by q.channel_id, t.urgency, t.ready_at, t.account_id`,
    values: [of.now, of.channels.map(({ id }) => id), of.limit],
  })
  return rows
}

/** When the first channel of the lane becomes ready that is not ready now; null when nothing is planned. */
export async function nextReadyAt(
  db: Db,
  of: { readonly lane: PollLane; readonly now: string },
): Promise<string | null> {
  const { rows } = await db.query<{ at: string | null }>({
    name: 'channel_queue_next',
    text: `select min(ready_at) as at from channel_queue where lane = $1 and ready_at > $2`,
    values: [of.lane, of.now],
  })
  return rows[0]?.at ?? null
}
