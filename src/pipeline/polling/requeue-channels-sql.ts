/** Puts channels that were locked back into their queue, with their subqueues, and leases what was taken from them. */

import type { Db } from '../../db/database.ts'
import { type RequestUsage, type Urgency, urgencies } from '../../domain/polling/request-budget.ts'
import { lanes, type PollLane, type SubqueueKey } from './channel-queue-sql.ts'

export interface RequeuedSubqueue extends SubqueueKey {
  /**
   * The place, from 1, of the last item taken from this subqueue among all items taken from the channel in this round;
   * 0 when nothing was taken from it.
   */
  readonly place: number
}

export interface RequeuedChannel {
  readonly id: string
  readonly spending: RequestUsage
  /** How many were taken from it in this round. */
  readonly leasedCount: number
  /** Set when as many are under way as it allows: until the first of them ends, or until its lease ends. */
  readonly fullUntil: string | null
  /** Set when the channel must not be polled until then. */
  readonly closedUntil: string | null
  /** Until when each class waits for its limits, ms since 1970. */
  readonly waits: ReadonlyMap<Urgency, number>
}

/** The lease of the poll targets that were taken. The other lane leases its numbers before this statement. */
export interface PollTargetsLease {
  readonly ids: readonly string[]
  readonly token: string
}

/** SQL: the place in the queue, as a time, of the last subqueue of the channel `q` after this round. */
const stamp = `greatest($1::timestamptz, q.turned_at) + w.taken * interval '1 microsecond'`

/**
 * SQL: gives each subqueue that was read its next time: behind the subqueues that wait, or when something of it is due,
 * or null when it has nothing left. An empty subqueue must not come before others (docs/decisions/0027).
 */
function requeueSubqueuesSql(lane: PollLane, isLeasedNow: string): string {
  const { table, channel, dueAt } = lanes[lane]
  const ofSubqueue = `s.${channel} = w.channel_id and s.urgency = w.urgency and s.dealt_to = w.account_id`
  const isFree = `(s.lease_token is null or s.leased_until < $1)`
  return `
    turned as (
      update channel_turns t set ready_at = k.at
        from (select w.*, least(l.ends, case when w.place > 0 then $2::timestamptz end, case
                       when d.at is null or d.at > $1 then d.at
                       when w.place > 0 then greatest($1::timestamptz, q.turned_at) + w.place * interval '1 microsecond'
                       else o.ready_at end) as at
                from unnest($3::uuid[], $4::smallint[], $5::uuid[], $6::integer[]) as w (channel_id, urgency, account_id, place)
                join channel_queue q on q.channel_id = w.channel_id
                join channel_turns o on o.channel_id = w.channel_id and o.urgency = w.urgency and o.account_id = w.account_id
                left join lateral (select s.${dueAt} as at from ${table} s
                                    where ${ofSubqueue} and s.${dueAt} is not null and ${isFree} and not ${isLeasedNow}
                                    order by s.${dueAt} limit 1) d on true
                left join lateral (select min(s.leased_until) as ends from ${table} s
                                    where ${ofSubqueue} and s.lease_token is not null and not ${isFree}) l on true) k
       where t.channel_id = k.channel_id and t.urgency = k.urgency and t.account_id = k.account_id
      returning t.channel_id, t.urgency, t.account_id, t.ready_at
    )`
}

/**
 * SQL: sets when each channel may be polled next. Subqueues that changed are read from `turned`, because the statement
 * does not see its own updates.
 */
const queued = `
  update channel_queue q
     set spending = w.spending, dealt = (q.dealt + w.taken) % 1000000, turned_at = ${stamp},
         is_full = w.full_until is not null,
         ready_at = coalesce(w.closed_until, w.full_until, (
           select min(case when n.ready_at <= ${stamp} then greatest($1, (w.waits ->> n.urgency)::timestamptz)
                           else n.ready_at end)
             from (select k.urgency::integer, k.ready_at from turned k where k.channel_id = w.id
                   union all
                   select u.urgency, r.ready_at from generate_series(0, ${urgencies.length - 1}) as u (urgency)
                    cross join lateral (
                      (select t.ready_at from channel_turns t
                        where t.channel_id = w.id and t.urgency = u.urgency and t.ready_at <= ${stamp} and ${isSubqueueUnreadSql()}
                        limit 1)
                      union all
                      (select t.ready_at from channel_turns t
                        where t.channel_id = w.id and t.urgency = u.urgency and t.ready_at > ${stamp} and ${isSubqueueUnreadSql()}
                        order by t.ready_at limit 1)) r) n))
    from unnest($7::uuid[], $8::jsonb[], $9::integer[], $10::timestamptz[], $11::timestamptz[], $12::jsonb[])
         as w (id, spending, taken, full_until, closed_until, waits)
   where q.channel_id = w.id`

function isSubqueueUnreadSql(): string {
  return `not exists (select from turned k where k.channel_id = t.channel_id and k.urgency = t.urgency
                                             and k.account_id = t.account_id)`
}

const requeueTargetPolls = `
  with leased as (
    update subjects set lease_token = $13, leased_until = $2 where id = any($14::uuid[])
  ), ${requeueSubqueuesSql('looks', 's.id = any($14::uuid[])')}
  ${queued}`
const requeueBatchPolls = `with ${requeueSubqueuesSql('askings', 'false')} ${queued}`

/**
 * One statement. It sees poll targets, subqueues and channels as they were before it began, so it adds its own changes
 * itself.
 */
export async function requeueChannels(
  db: Db,
  of: {
    readonly now: string
    /** When the leases of what was taken end. */
    readonly until: string
    readonly subqueues: readonly RequeuedSubqueue[]
    readonly channels: readonly RequeuedChannel[]
    readonly lease: PollTargetsLease | null
  },
): Promise<void> {
  const { subqueues, channels, lease } = of
  const values = [
    of.now,
    of.until,
    subqueues.map(({ channelId }) => channelId),
    subqueues.map(({ urgency }) => urgency),
    subqueues.map(({ accountId }) => accountId),
    subqueues.map(({ place }) => place),
    channels.map(({ id }) => id),
    channels.map(({ spending }) => JSON.stringify(spending)),
    channels.map(({ leasedCount }) => leasedCount),
    channels.map(({ fullUntil }) => fullUntil),
    channels.map(({ closedUntil }) => closedUntil),
    channels.map(({ waits }) => JSON.stringify(urgencies.map((urgency) => instantOf(waits.get(urgency))))),
  ]
  if (lease === null) {
    await db.query({ name: 'channels_settle_askings', text: requeueBatchPolls, values })
    return
  }
  const leased = [...values, lease.token, lease.ids]
  await db.query({ name: 'channels_settle_looks', text: requeueTargetPolls, values: leased })
}

function instantOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}
