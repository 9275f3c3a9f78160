/**
 * What a list of changes needs besides the events themselves: the position of a time in the feed, and the values
 * before.
 */

import type { Db } from '../../db/database.ts'

/**
 * The number before the first event that was made at this time or later; the newest number when there is none. Numbers
 * follow times except for transactions at the same moment, so the search goes back from the newest event to a day
 * before the time, and from there on: both ways along the index of numbers, never through the whole account.
 */
export async function readSequenceAt(
  db: Db,
  of: { readonly accountId: string; readonly since: string },
): Promise<number> {
  const { rows } = await db.query<{ before: number }>({
    name: 'read_sequence_at',
    text: `with start as materialized (
             select coalesce(max(e.sequence), 0) as sequence from events e
              where e.account_id = $1 and e.sequence is not null
                and e.created_at < $2::timestamptz - interval '1 day')
           select coalesce(
             (select min(e.sequence) - 1 from events e
               where e.account_id = $1 and e.sequence > (select sequence from start)
                 and e.created_at >= $2::timestamptz),
             (select last_sequence from event_counters where account_id = $1), 0) as before`,
    values: [of.accountId, of.since],
  })
  return rows[0]?.before ?? 0
}

/** Of events by their numbers: the payload of the last one before it with the same name and shipment. */
export async function readPayloadsBefore(
  db: Db,
  of: {
    readonly accountId: string
    readonly events: readonly {
      readonly sequence: number
      readonly shipmentId: string
      readonly name: string
    }[]
  },
): Promise<ReadonlyMap<number, Readonly<Record<string, unknown>>>> {
  if (of.events.length === 0) return new Map()
  const { rows } = await db.query<{ sequence: number; payload: Readonly<Record<string, unknown>> }>({
    name: 'read_payloads_before',
    text: `select k.sequence, b.payload
             from unnest($2::bigint[], $3::uuid[], $4::text[]) as k(sequence, shipment_id, name)
             cross join lateral (
               select e.payload from events e
                where e.account_id = $1 and e.shipment_id = k.shipment_id and e.name = k.name
                  and e.sequence < k.sequence
                order by e.sequence desc limit 1) b`,
    values: [
      of.accountId,
      of.events.map(({ sequence }) => sequence),
      of.events.map(({ shipmentId }) => shipmentId),
      of.events.map(({ name }) => name),
    ],
  })
  return new Map(rows.map(({ sequence, payload }) => [sequence, payload]))
}
