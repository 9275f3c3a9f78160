/** Which containers are polled at terminals and railways, and at which facility of each. */

import type { Db } from '../../db/database.ts'
import type { ContainerWithoutMilestones } from '../../domain/shipment/at-facility.ts'
import { type InboundChannel, inboundChannelColumns } from '../../modules/channels/inbound-channels-sql.ts'
import type { ShipmentOrRequest } from '../ingestion/listeners-sql.ts'
import type { NumberLease } from './lease-numbers-sql.ts'
import type { NextPoll } from './polled-numbers-sql.ts'

/** The channels of terminals and railways of these accounts that are polled by container number. */
export async function facilityChannels(db: Db, accountIds: readonly string[]): Promise<readonly InboundChannel[]> {
  const { rows } = await db.query<InboundChannel>({
    name: 'channels_of_facilities',
    text: `select ${inboundChannelColumns} from channels c
            where c.asking is not null and c.account_id = any($1::uuid[]) and c.speaker_kind in ('terminal', 'rail') and 'container' = any(c.asks_by)
            order by c.id`,
    values: [accountIds],
  })
  return rows
}

export interface TrackedContainer {
  readonly accountId: string
  readonly isSandbox: boolean
  readonly number: string
  readonly whereabouts: ContainerWithoutMilestones
}

/** The tracked containers of these shipments, without their milestones, which are most of the bytes. */
export async function findTrackedContainers(
  db: Db,
  shipments: readonly Pick<ShipmentOrRequest, 'accountId' | 'id'>[],
): Promise<readonly TrackedContainer[]> {
  const { rows } = await db.query<TrackedContainer>({
    name: 'tracked_boxes',
    text: `select b.account_id as "accountId", a.is_fiction as "isSandbox", b.number, b.projection - 'milestones' as whereabouts
             from unnest($1::uuid[], $2::uuid[]) as w (account_id, id)
             join shipments s on s.account_id = w.account_id and s.id = w.id and s.tracking_stopped_at is null
             join accounts a on a.id = s.account_id
             join containers b on b.account_id = s.account_id and b.shipment_id = s.id
            order by b.account_id, b.number`,
    values: [shipments.map(({ accountId }) => accountId), shipments.map(({ id }) => id)],
  })
  return rows
}

export interface ContainerToPoll {
  readonly channelId: string
  readonly number: string
  readonly facility: string | null
  readonly at: string
}

/**
 * Plans a poll about each of these containers. A container that is planned already keeps the earlier of the two times.
 * When its facility changes, it is planned as if it were new.
 */
export async function planContainerPolls(db: Db, containersToPoll: readonly ContainerToPoll[]): Promise<number> {
  if (containersToPoll.length === 0) return 0
  const { rowCount } = await db.query({
    name: 'asked_boxes_ensure',
    text: `insert into asked_numbers (channel_id, kind, number, facility, next_ask_at, urgency, dealt_to)
           select distinct on (w.channel_id, w.number) w.channel_id, 'container', w.number, w.facility, w.at, 2,
                  coalesce(c.account_id, '00000000-0000-0000-0000-000000000000')
             from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) as w (channel_id, number, facility, at)
             join channels c on c.id = w.channel_id
            order by w.channel_id, w.number, w.at
           on conflict (channel_id, kind, number) do update
              set facility = excluded.facility,
                  next_ask_at = case when asked_numbers.facility is distinct from excluded.facility then excluded.next_ask_at
                                     else least(asked_numbers.next_ask_at, excluded.next_ask_at) end,
                  published_at = case when asked_numbers.facility is distinct from excluded.facility then null
                                      else asked_numbers.published_at end,
                  answer_hash = case when asked_numbers.facility is distinct from excluded.facility then null
                                     else asked_numbers.answer_hash end`,
    values: [
      containersToPoll.map(({ channelId }) => channelId),
      containersToPoll.map(({ number }) => number),
      containersToPoll.map(({ facility }) => facility),
      containersToPoll.map(({ at }) => at),
    ],
  })
  return rowCount ?? 0
}

/** Releases these numbers without a poll and plans them for the given times, as if they had not been leased. */
export async function postponePolls(
  db: Db,
  of: NumberLease & { readonly next: readonly Pick<NextPoll, 'kind' | 'number' | 'at'>[] },
): Promise<void> {
  const { channelId, token, next } = of
  if (next.length === 0) return
  await db.query({
    name: 'asked_numbers_put_off',
    text: `update asked_numbers n set lease_token = null, leased_until = null, next_ask_at = k.at
             from unnest($3::text[], $4::text[], $5::timestamptz[]) as k (kind, number, at)
            where n.channel_id = $1 and n.lease_token = $2 and n.kind = k.kind and n.number = k.number`,
    values: [
      channelId,
      token,
      next.map(({ kind }) => kind),
      next.map(({ number }) => number),
      next.map(({ at }) => at),
    ],
  })
}

/** Records when these containers were published, so that they are not published again for a while. */
export async function notePublished(
  db: Db,
  of: NumberLease & { readonly numbers: readonly string[]; readonly at: string },
): Promise<void> {
  if (of.numbers.length === 0) return
  await db.query({
    name: 'asked_boxes_published',
    text: `update asked_numbers set published_at = $4
            where channel_id = $1 and lease_token = $2 and kind = 'container' and number = any($3::text[])`,
    values: [of.channelId, of.token, of.numbers, of.at],
  })
}
