/**
 * The queue of channels: which may be asked next, and within each the accounts in turn. A worker that takes a channel holds
 * its row until it has taken what it asks, so that it counts for this channel alone and no two take the same.
 */

import { nothingSpent, type Spending, type Urgency, urgencies } from '../core/request-budget.ts'
import type { Db } from './database.ts'

/** What is asked by looks, number by number, and what is told and asked as well. */
export type Lane = 'looks' | 'askings'

type LaneWords = Readonly<Record<'table' | 'channel' | 'dueAt' | 'profile' | 'running', string>>

/** What waits in each lane, in words of SQL. */
const lanes = {
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
} as const satisfies Record<Lane, LaneWords>

export interface ReadyChannel {
  readonly id: string
  readonly source: string
  /** How it is asked. */
  readonly profile: Readonly<Record<string, unknown>>
  /** Null when it may be asked now. */
  readonly closedUntil: string | null
  readonly secretSealed: Buffer | null
  readonly isFiction: boolean
  /** How often in a row it has asked to be left alone, or had to be. */
  readonly refusals: number
  readonly spending: Spending
  readonly dealt: number
  /** How many requests its last question took, where it is asked about many numbers at once. */
  readonly requests: number
  /** Questions under way, and when the first of their leases ends. */
  readonly running: number
  readonly leaseEndsAt: string | null
}

/** A channel that nobody has enabled is looked at again then. */
const disabledFor = `interval '1 hour'`

/** What was planned meanwhile is put in its place. In order of the channels, each before its turns, as all who lock them do. */
export async function hearBells(db: Db, now: string): Promise<void> {
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

const readyLooks = readyIn(lanes.looks)
const readyAskings = readyIn(lanes.askings)

function readyIn({ table, channel, profile, running }: LaneWords): string {
  return `select c.id, c.source, c.${profile} as profile, c.refusals, c.secret_sealed as "secretSealed", c.is_fiction as "isFiction", q.spending, q.dealt, q.requests,
                  case when not c.is_enabled then $2::timestamptz + ${disabledFor}
                       when c.next_slot_at > $2 then c.next_slot_at end as "closedUntil",
                  l.running, l.ends as "leaseEndsAt"
             from (select * from channel_queue where lane = $1 and ready_at <= $2
                    order by ready_at, channel_id limit $3 for no key update skip locked) q
             join channels c on c.id = q.channel_id and c.${profile} is not null
            cross join lateral (
              select ${running}::integer as running, min(leased_until) as ends from ${table} b
               where b.${channel} = c.id and b.lease_token is not null and b.leased_until >= $2) l
            order by q.ready_at, q.channel_id`
}

/** Those that are ready the longest, held until the transaction ends; none that another worker holds. */
export async function holdReadyChannels(
  db: Db,
  of: { readonly lane: Lane; readonly now: string; readonly limit: number },
): Promise<readonly ReadyChannel[]> {
  const values = [of.lane, of.now, of.limit]
  const { rows } =
    of.lane === 'looks'
      ? await db.query<ReadyChannel>({ name: 'channels_ready_looks', text: readyLooks, values })
      : await db.query<ReadyChannel>({ name: 'channels_ready_askings', text: readyAskings, values })
  return rows.map((row) => ({ ...row, spending: { ...nothingSpent, ...row.spending } }))
}

/** A turn that is due, by the channel's class and account. */
export interface TurnKey {
  readonly channelId: string
  readonly urgency: number
  readonly accountId: string
}

/** SQL: the turns that are due of channels in `w (channel_id, room)`, of each class `room` at most, the longest ago first. */
export const dueTurns = `
  (select u.urgency, r.account_id, r.ready_at
     from channel_queue q cross join generate_series(0, ${urgencies.length - 1}) as u (urgency)
    cross join lateral (
      select account_id, ready_at from channel_turns
       where channel_id = q.channel_id and urgency = u.urgency and ready_at <= greatest($1::timestamptz, q.turned_at)
       order by ready_at, account_id limit w.room) r
    where q.channel_id = w.channel_id)`

/** The turns that are due at these channels. */
export async function findTurns(
  db: Db,
  of: {
    readonly now: string
    readonly channels: readonly { readonly id: string }[]
    /** Of each class of a channel. */
    readonly limit: number
  },
): Promise<readonly TurnKey[]> {
  const { rows } = await db.query<TurnKey>({
    name: 'channel_turns_due',
    text: `select w.channel_id as "channelId", t.urgency, t.account_id as "accountId"
             from (select id as channel_id, $3::integer as room from unnest($2::uuid[]) as id) w
            cross join lateral ${dueTurns} t
            order by w.channel_id, t.urgency, t.ready_at, t.account_id`,
    values: [of.now, of.channels.map(({ id }) => id), of.limit],
  })
  return rows
}

export interface SettledTurn extends TurnKey {
  /** Of what was taken from it last in this round, from 1; 0 when nothing was. */
  readonly place: number
}

const settledLooks = settledIn(lanes.looks)
const settledAskings = settledIn(lanes.askings)

function settledIn({ table, channel, dueAt }: LaneWords): string {
  const ofTurn = `s.${channel} = w.channel_id and s.urgency = w.urgency and s.dealt_to = w.account_id`
  const isFree = `(s.lease_token is null or s.leased_until < $1)`
  return `update channel_turns t set ready_at = k.at
             from (select w.*, least(l.ends, case
                            when d.at is null or d.at > $1 then d.at
                            when w.place > 0 then greatest($1::timestamptz, q.turned_at) + w.place * interval '1 microsecond'
                            else o.ready_at end) as at
                     from unnest($2::uuid[], $3::smallint[], $4::uuid[], $5::integer[]) as w (channel_id, urgency, account_id, place)
                     join channel_queue q on q.channel_id = w.channel_id
                     join channel_turns o on o.channel_id = w.channel_id and o.urgency = w.urgency and o.account_id = w.account_id
                     left join lateral (select s.${dueAt} as at from ${table} s
                                         where ${ofTurn} and s.${dueAt} is not null and ${isFree}
                                         order by s.${dueAt} limit 1) d on true
                     left join lateral (select min(s.leased_until) as ends from ${table} s
                                         where ${ofTurn} and s.lease_token is not null and not ${isFree}) l on true
) k
            where t.channel_id = k.channel_id and t.urgency = k.urgency and t.account_id = k.account_id`
}

/** Each turn that was looked at is put where it belongs: behind those that wait, or to when something of it is due, or nowhere. */
export async function settleTurns(
  db: Db,
  of: { readonly lane: Lane; readonly now: string; readonly turns: readonly SettledTurn[] },
): Promise<void> {
  if (of.turns.length === 0) return
  const values = [
    of.now,
    of.turns.map(({ channelId }) => channelId),
    of.turns.map(({ urgency }) => urgency),
    of.turns.map(({ accountId }) => accountId),
    of.turns.map(({ place }) => place),
  ]
  if (of.lane === 'looks') await db.query({ name: 'channel_turns_settle_looks', text: settledLooks, values })
  else await db.query({ name: 'channel_turns_settle_askings', text: settledAskings, values })
}

export interface SettledChannel {
  readonly id: string
  readonly spending: Spending
  /** How many were taken of it. */
  readonly taken: number
  /** As many are under way as it allows: until the first of them ends, or its lease does. */
  readonly fullUntil: string | null
  /** It is left alone. */
  readonly closedUntil: string | null
  /** Until when each class waits for its limits, ms since 1970. */
  readonly waits: ReadonlyMap<Urgency, number>
}

const stamp = `greatest($1::timestamptz, q.turned_at) + w.taken * interval '1 microsecond'`

/** Each channel that was held is put to when something may be asked of it next. After its turns. */
export async function settleChannels(
  db: Db,
  { now, channels }: { readonly now: string; readonly channels: readonly SettledChannel[] },
): Promise<void> {
  if (channels.length === 0) return
  await db.query({
    name: 'channel_queue_settle',
    text: `update channel_queue q
              set spending = w.spending, dealt = (q.dealt + w.taken) % 1000000, turned_at = ${stamp},
                  is_full = w.full_until is not null,
                  ready_at = coalesce(w.closed_until, w.full_until, (
                    select min(n.at) from generate_series(0, ${urgencies.length - 1}) as u (urgency)
                     cross join lateral (
                       select greatest($1, (w.waits ->> u.urgency)::timestamptz) as at
                        where exists (select from channel_turns t where t.channel_id = w.id and t.urgency = u.urgency
                                                                    and t.ready_at <= ${stamp})
                       union all
                       (select t.ready_at from channel_turns t
                         where t.channel_id = w.id and t.urgency = u.urgency and t.ready_at > ${stamp}
                         order by t.ready_at limit 1)) n))
             from unnest($2::uuid[], $3::jsonb[], $4::integer[], $5::timestamptz[], $6::timestamptz[], $7::jsonb[])
                  as w (id, spending, taken, full_until, closed_until, waits)
            where q.channel_id = w.id`,
    values: [
      now,
      channels.map(({ id }) => id),
      channels.map(({ spending }) => JSON.stringify(spending)),
      channels.map(({ taken }) => taken),
      channels.map(({ fullUntil }) => fullUntil),
      channels.map(({ closedUntil }) => closedUntil),
      channels.map(({ waits }) => JSON.stringify(urgencies.map((urgency) => instantOf(waits.get(urgency))))),
    ],
  })
}

function instantOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}

/** When the first channel of the lane that is not ready now will be; null when nothing is planned. */
export async function nextReadyAt(
  db: Db,
  of: { readonly lane: Lane; readonly now: string },
): Promise<string | null> {
  const { rows } = await db.query<{ at: string | null }>({
    name: 'channel_queue_next',
    text: `select min(ready_at) as at from channel_queue where lane = $1 and ready_at > $2`,
    values: [of.lane, of.now],
  })
  return rows[0]?.at ?? null
}
