/**
 * The numbers about which channels are polled, and when next. A number has a row for as long as it is tracked or
 * searched for.
 */

import type { MentionedNumber } from '../../connectors/pushed-source.ts'
import type { NumberKind } from '../../connectors/source.ts'
import type { Db } from '../../db/database.ts'
import { type Urgency, urgencies } from '../../domain/polling/request-budget.ts'
import type { ContainerProjection } from '../../domain/view/projection.ts'
import type { ShipmentOrRequest } from '../ingestion/listeners-sql.ts'
import type { NumberLease } from './lease-numbers-sql.ts'

/**
 * SQL: true for the spelling of a bill or booking number without the code of its line, where the shipment also knows
 * the spelling with the code.
 */
const isBare = `exists (select from shipment_documents o
                                where o.account_id = d.account_id and o.shipment_id = d.shipment_id and o.kind = d.kind
                                  and o.number = s.scac || d.number)`
/** Requests that are still searched for: the answer of a channel may find their shipment. */
const searching = `r.shipment_id is null and r.status in ('pending', 'awaiting_manifest')`
const kindOfRequest = `case r.request_type when 'booking_number' then 'booking' else r.request_type end`

/**
 * Plans polls, due at `at`, about the numbers of these shipments and requests at each channel that reaches them. The
 * channel of a line is polled only about numbers of that line. Containers for terminals and railways are planned in
 * `polled-containers-sql.ts`. A row that exists is updated without a change, in order to wait for its lock: the
 * transaction that holds the lock may be about to delete the row.
 */
export async function planNumberPolls(
  db: Db,
  of: { readonly known: readonly ShipmentOrRequest[]; readonly at: string },
): Promise<number> {
  if (of.known.length === 0) return 0
  const { rowCount } = await db.query({
    name: 'asked_numbers_ensure',
    text: `with known as (
             select s.account_id, s.scac, n.kind, n.number, 3 as urgency
               from unnest($1::uuid[], $2::uuid[]) as w (account_id, id)
               join shipments s on s.account_id = w.account_id and s.id = w.id and s.tracking_stopped_at is null
              cross join lateral (
                select d.kind, d.number from shipment_documents d
                 where d.account_id = s.account_id and d.shipment_id = s.id and ${isBare}
                 union all
                select 'container', b.number from containers b where b.account_id = s.account_id and b.shipment_id = s.id) n
              union all
             select r.account_id, r.scac, ${kindOfRequest}, r.number, 0
               from unnest($1::uuid[], $2::uuid[]) as w (account_id, id)
               join tracking_requests r on r.account_id = w.account_id and r.id = w.id and ${searching}
           )
           insert into asked_numbers (channel_id, kind, number, next_ask_at, urgency, dealt_to)
           select distinct on (c.id, k.kind, k.number) c.id, k.kind, k.number, $3::timestamptz, k.urgency, k.account_id
             from known k
             join accounts a on a.id = k.account_id
             join channels c on c.asking is not null and c.is_fiction = a.is_fiction
                            and (c.account_id is null or c.account_id = k.account_id)
                            and (c.speaker_kind <> 'shipping_line' or c.scac = k.scac)
            where k.kind = any(c.asks_by) and (k.kind <> 'container' or c.speaker_kind not in ('terminal', 'rail'))
            order by c.id, k.kind, k.number, k.urgency
           on conflict (channel_id, kind, number) do update set next_ask_at = asked_numbers.next_ask_at`,
    values: [of.known.map(({ accountId }) => accountId), of.known.map(({ id }) => id), of.at],
  })
  return rowCount ?? 0
}

/**
 * One page of the shipments that are tracked and the requests that are searched for, of one account or of all, in order
 * of account and id.
 */
export async function listTrackedPage(
  db: Db,
  of: {
    readonly accountId: string | null
    readonly after: Pick<ShipmentOrRequest, 'accountId' | 'id'> | null
    readonly limit: number
  },
): Promise<readonly ShipmentOrRequest[]> {
  const { rows } = await db.query<ShipmentOrRequest>({
    name: 'tracked_page',
    text: `select account_id as "accountId", id, kind from (
             (select account_id, id, 'shipment' as kind from shipments
               where ($1::uuid is null or account_id = $1) and tracking_stopped_at is null
                 and ($2::uuid is null or (account_id, id) > ($2, $3::uuid))
               order by account_id, id limit $4)
             union all
             (select r.account_id, r.id, 'request' from tracking_requests r
               where ($1::uuid is null or r.account_id = $1) and ${searching}
                 and ($2::uuid is null or (r.account_id, r.id) > ($2, $3::uuid))
               order by r.account_id, r.id limit $4)) t
            order by account_id, id limit $4`,
    values: [of.accountId, of.after?.accountId ?? null, of.after?.id ?? null, of.limit],
  })
  return rows
}

export interface WantedNumber extends MentionedNumber {
  readonly accountId: string
  /** True when a request searches for it. */
  readonly isSearchedFor: boolean
  readonly changedAt: string
  /**
   * Containers of one shipment, without their milestones, which are most of the bytes. Empty for a request that is
   * searched for.
   */
  readonly containers: readonly Omit<ContainerProjection, 'milestones'>[]
}

/**
 * Finds who wants these numbers, within what the channel reaches: tracked shipments that are known by them, and
 * requests that search for them.
 */
export async function findInterestedParties(
  db: Db,
  of: { readonly channelId: string; readonly numbers: readonly MentionedNumber[] },
): Promise<readonly WantedNumber[]> {
  const { rows } = await db.query<WantedNumber>({
    name: 'asked_numbers_wanted',
    text: `select k.kind, k.number, s.account_id as "accountId", false as "isSearchedFor", s.updated_at as "changedAt",
                  coalesce((select jsonb_agg(b.projection - 'milestones') from containers b
                             where b.account_id = s.account_id and b.shipment_id = s.id
                               and (k.kind <> 'container' or b.number = k.number)), '[]') as containers
             from channels c
            cross join unnest($2::text[], $3::text[]) as k (kind, number)
            cross join lateral (
              select d.account_id, d.shipment_id from shipment_documents d
                join shipments s on s.account_id = d.account_id and s.id = d.shipment_id
               where d.number = k.number and d.kind = k.kind and (c.account_id is null or d.account_id = c.account_id)
                 and ${isBare}
               union
              select b.account_id, b.shipment_id from containers b
               where k.kind = 'container' and b.account_id = c.account_id and b.number = k.number) w
             join shipments s on s.account_id = w.account_id and s.id = w.shipment_id and s.tracking_stopped_at is null
                             and (c.speaker_kind <> 'shipping_line' or c.scac = s.scac)
             join accounts a on a.id = s.account_id and a.is_fiction = c.is_fiction
            where c.id = $1
            union all
           select k.kind, k.number, r.account_id, true, r.updated_at, '[]'
             from channels c
            cross join unnest($2::text[], $3::text[]) as k (kind, number)
             join tracking_requests r on r.number = k.number and ${searching} and ${kindOfRequest} = k.kind
                                     and (c.account_id is null or r.account_id = c.account_id)
                                     and (c.speaker_kind <> 'shipping_line' or c.scac = r.scac)
             join accounts a on a.id = r.account_id and a.is_fiction = c.is_fiction
            where c.id = $1`,
    values: [of.channelId, of.numbers.map(({ kind }) => kind), of.numbers.map(({ number }) => number)],
  })
  return rows
}

/** Deletes these numbers: nobody wants them polled any more. */
export async function deletePolledNumbers(
  db: Db,
  of: NumberLease & { readonly numbers: readonly MentionedNumber[] },
): Promise<void> {
  if (of.numbers.length === 0) return
  await db.query({
    name: 'asked_numbers_let_go',
    text: `delete from asked_numbers n using unnest($3::text[], $4::text[]) as k (kind, number)
            where n.channel_id = $1 and n.lease_token = $2 and n.kind = k.kind and n.number = k.number`,
    values: [of.channelId, of.token, of.numbers.map(({ kind }) => kind), of.numbers.map(({ number }) => number)],
  })
}

export interface NextPoll extends MentionedNumber {
  readonly at: string
  readonly urgency: Urgency
  /** The account in whose subqueue it is polled. */
  readonly accountId: string
}

/** Records that a poll ended. With a null `answerHash` the earlier hash stays. */
export async function finishBatchPoll(
  db: Db,
  of: NumberLease & {
    readonly polledAt: string
    readonly succeeded: boolean
    readonly answerHash: Buffer | null
    readonly next: readonly NextPoll[]
  },
): Promise<void> {
  const { channelId, token, next } = of
  await db.query({
    name: 'asked_numbers_finish',
    text: `update asked_numbers n
              set lease_token = null, leased_until = null, next_ask_at = k.at, asked_at = $3,
                  succeeded_at = case when $4 then $3 else n.succeeded_at end,
                  failures = case when $4 then 0 else n.failures + 1 end,
                  answer_hash = coalesce($5, n.answer_hash), urgency = k.urgency, dealt_to = k.account_id
             from unnest($6::text[], $7::text[], $8::timestamptz[], $9::smallint[], $10::uuid[])
                  as k (kind, number, at, urgency, account_id)
            where n.channel_id = $1 and n.lease_token = $2 and n.kind = k.kind and n.number = k.number`,
    values: [
      channelId,
      token,
      of.polledAt,
      of.succeeded,
      of.answerHash,
      next.map(({ kind }) => kind),
      next.map(({ number }) => number),
      next.map(({ at }) => at),
      next.map(({ urgency }) => urgencies.indexOf(urgency)),
      next.map(({ accountId }) => accountId),
    ],
  })
}

/**
 * Polls these numbers at once, because the channel states that there is news of them. Their leases end: a poll that is
 * under way was sent before the news.
 */
export async function pollNumbersNow(
  db: Db,
  of: { readonly channelId: string; readonly numbers: readonly MentionedNumber[]; readonly at: string },
): Promise<void> {
  await db.query({
    name: 'asked_numbers_now',
    text: `update asked_numbers n
              set next_ask_at = least(n.next_ask_at, $2), lease_token = null, leased_until = null, failures = 0, urgency = 1
             from (select o.kind, o.number
                     from asked_numbers o join unnest($3::text[], $4::text[]) as k (kind, number)
                       on o.kind = k.kind and o.number = k.number
                    where o.channel_id = $1 order by o.kind, o.number for update of o) k
            where n.channel_id = $1 and n.kind = k.kind and n.number = k.number`,
    values: [of.channelId, of.at, of.numbers.map(({ kind }) => kind), of.numbers.map(({ number }) => number)],
  })
}

/**
 * Polls again at once the numbers whose last poll failed, because the way in which the channel is polled has changed.
 */
export async function retryFailedNumbers(
  db: Db,
  of: { readonly channelId: string; readonly at: string },
): Promise<void> {
  await db.query({
    name: 'asked_numbers_again',
    text: `update asked_numbers set failures = 0, next_ask_at = $2 where channel_id = $1 and failures > 0`,
    values: [of.channelId, of.at],
  })
}

/** Deletes the numbers of all other kinds: from now on the channel is polled by these kinds only. */
export async function deleteOtherKinds(
  db: Db,
  of: { readonly channelId: string; readonly pollNumberKinds: readonly NumberKind[] },
): Promise<void> {
  await db.query({
    name: 'asked_numbers_keep_kinds',
    text: `delete from asked_numbers where channel_id = $1 and not kind = any($2::text[])`,
    values: [of.channelId, of.pollNumberKinds],
  })
}
