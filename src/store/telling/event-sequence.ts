/**
 * Numbers committed events: for each account, without gaps, and an earlier number never appears after a later one
 * (docs/decisions/0005).
 */

import type { Db } from '../database.ts'

export interface NumberedEvent {
  readonly accountId: string
  readonly id: string
  readonly sequence: number
  readonly name: string
  readonly trackingRequestId: string | null
  readonly shipmentId: string | null
  readonly referenceId: string
}

/** Any number that no other advisory lock uses. */
const sequencerLock = 7_361_204

/**
 * Waits until this transaction is the only one that numbers. It must be a statement of its own before `numberBatch`, so
 * that the snapshot of `numberBatch` is taken after the last numbering has committed. Returns the ordinal from which on
 * events may be without a number.
 */
export async function takeSequencerLock(db: Db): Promise<number> {
  const { rows } = await db.query<{ from: number }>({
    name: 'sequencer_lock',
    text: `select pg_advisory_xact_lock($1), events_unnumbered_from() as from`,
    values: [sequencerLock],
  })
  return rows[0]?.from ?? 0
}

/**
 * Numbers up to `limit` events in the order of writing and returns them in the order of their numbers. Writers of one
 * shipment take turns, so its events keep their order; an event that commits later gets a later number.
 */
export async function numberBatch(
  db: Db,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<readonly NumberedEvent[]> {
  const { rows } = await db.query<NumberedEvent>({
    name: 'events_number',
    text: `with batch as materialized (
             select account_id, id, ordinal from events where sequence is null and ordinal >= $2 order by ordinal limit $1
           ), placed as (
             select account_id, id, ordinal, row_number() over (partition by account_id order by ordinal) as place from batch
           ), counted as (
             select account_id, count(*) as events from batch group by account_id
           ), counters as (
             insert into event_counters (account_id, last_sequence)
             select account_id, events from counted order by account_id
             on conflict (account_id)
             do update set last_sequence = event_counters.last_sequence + excluded.last_sequence
             returning account_id, last_sequence
           )
           update events e
              set sequence = counters.last_sequence - counted.events + placed.place
             from placed join counters using (account_id) join counted using (account_id)
            where e.account_id = placed.account_id and e.id = placed.id and e.ordinal = placed.ordinal and e.ordinal >= $2
           returning e.account_id as "accountId", e.id, e.sequence, e.name,
                     e.tracking_request_id as "trackingRequestId", e.shipment_id as "shipmentId", e.reference_id as "referenceId"`,
    values: [limit, from],
  })
  return rows.sort((a, b) => a.sequence - b.sequence)
}
