/** Leases the numbers that go out together in one poll. */

import type { MentionedNumber, NumberToPoll } from '../../connectors/pushed-source.ts'
import type { Db } from '../../db/database.ts'
import type { SubqueueKey } from '../polling/channel-queue-sql.ts'

export interface DueNumber extends NumberToPoll {
  readonly facility: string | null
  readonly publishedAt: string | null
  readonly failures: number
  readonly polledAt: string | null
  readonly answerHash: Buffer | null
}

/**
 * Leases the numbers of one poll: first the number of the subqueue that has been due the longest, then others of any
 * subqueue, most urgent first, that have the same kind and facility, up to `batchMax`. A number whose last poll failed
 * is polled alone, because it may be the number that was refused.
 */
export async function leaseNumbers(
  db: Db,
  lease: {
    readonly channelId: string
    readonly token: string
    readonly now: string
    readonly until: string
    readonly batchMax: number
    readonly subqueue: Pick<SubqueueKey, 'urgency' | 'accountId'>
  },
): Promise<readonly DueNumber[]> {
  const { rows } = await db.query<DueNumber>({
    name: 'asked_numbers_lease',
    text: `with open as (
             select kind, number, failures, next_ask_at, facility from asked_numbers
              where channel_id = $1 and next_ask_at <= $3 and (leased_until is null or leased_until < $3)
                and urgency = $6 and dealt_to = $7
           ), first as (
             select kind, number, facility, failures > 0 as is_alone from open order by next_ask_at, number limit 1
           ), due as (
             select n.kind, n.number from asked_numbers n
              where n.channel_id = $1 and n.next_ask_at <= $3 and (n.leased_until is null or n.leased_until < $3)
                and n.kind = (select kind from first) and n.facility is not distinct from (select facility from first)
                and (n.failures = 0 or (select is_alone from first))
              order by n.number = (select number from first) desc, n.urgency, n.next_ask_at, n.number
              limit (select case when is_alone then 1 else $5::integer end from first)
              for update skip locked
           )
           update asked_numbers n set lease_token = $2, leased_until = $4
             from due where n.channel_id = $1 and n.kind = due.kind and n.number = due.number
           returning n.kind, n.number, n.facility, n.published_at as "publishedAt", n.failures, n.asked_at as "polledAt", n.answer_hash as "answerHash"`,
    values: [
      lease.channelId,
      lease.token,
      lease.now,
      lease.until,
      lease.batchMax,
      lease.subqueue.urgency,
      lease.subqueue.accountId,
    ],
  })
  return rows.toSorted((a, b) => (a.number < b.number ? -1 : 1))
}

export interface NumberLease {
  readonly channelId: string
  readonly token: string
}

/** Locks the numbers that are still under this lease. The caller reads only afterwards who wants them. */
export async function lockLeasedNumbers(
  db: Db,
  { channelId, token }: NumberLease,
): Promise<readonly MentionedNumber[]> {
  const { rows } = await db.query<MentionedNumber>({
    name: 'asked_numbers_hold',
    text: `select kind, number from asked_numbers where channel_id = $1 and lease_token = $2
            order by kind, number for update`,
    values: [channelId, token],
  })
  return rows
}
