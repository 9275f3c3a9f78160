/**
 * Between which ordinals events lie that are known by their numbers, so that few of their parts are looked into (migration
 * 0124). Bounds stay right: a part that is opened later has only later events.
 */

import type { Db } from '../database.ts'

export interface EventBounds {
  readonly from: number
  readonly before: number
}

/** A number of an event, in its account. */
export interface NumberedKey {
  readonly accountId: string
  readonly sequence: number
}

/** The bounds of all of them together. */
export async function readEventBounds(db: Db, keys: readonly NumberedKey[]): Promise<EventBounds> {
  const { rows } = await db.query<EventBounds>({
    name: 'event_bounds_read',
    text: `select coalesce(min(events_from(account_id, low - 1)), 0) as from,
                  coalesce(max(events_until(account_id, high)), 0) as before
             from (select account_id, min(sequence) as low, max(sequence) as high
                     from unnest($1::uuid[], $2::bigint[]) as key (account_id, sequence) group by account_id) k`,
    values: [keys.map(({ accountId }) => accountId), keys.map(({ sequence }) => sequence)],
  })
  return rows[0] ?? { from: 0, before: 0 }
}

export interface EventWalk extends EventBounds {
  /** No number within these bounds is left out up to this one; null: none at all. */
  readonly until: number | null
}

/** For whoever reads all events of an account after a number: as far as the next part. */
export async function readEventWalk(
  db: Db,
  of: { readonly accountId: string; readonly after: number },
): Promise<EventWalk> {
  const { rows } = await db.query<EventWalk>({
    name: 'event_walk_read',
    text: `select events_from($1, $2) as from, events_until($1, $2::bigint + 1) as before,
                  (select sequence from event_part_marks where account_id = $1 and sequence > $2
                    order by starts limit 1) as until`,
    values: [of.accountId, of.after],
  })
  const [row] = rows
  if (row === undefined) throw new Error('nothing was read')
  return row
}

/** Where the events of a shipment after a number begin, or of a request. */
export async function readEventsBegin(
  db: Db,
  of: {
    readonly accountId: string
    readonly after: number
    readonly shipmentId: string | null
    readonly containerId: string | null
    readonly trackingRequestId: string | null
  },
): Promise<number> {
  const { rows } = await db.query<{ from: number }>({
    name: 'events_begin_read',
    text: `select greatest(
                    events_from($1, $2),
                    case when $5::uuid is null
                      then events_of_shipment_from($1, coalesce(
                             $3::uuid, (select shipment_id from containers where account_id = $1 and id = $4::uuid)))
                      else events_since($1, coalesce(
                             (select created_at from tracking_requests where account_id = $1 and id = $5), '-infinity'))
                    end) as from`,
    values: [of.accountId, of.after, of.shipmentId, of.containerId, of.trackingRequestId],
  })
  return rows[0]?.from ?? 0
}
