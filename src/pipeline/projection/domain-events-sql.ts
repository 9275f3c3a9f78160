/**
 * Domain events: what subscribers get. They are written without a number, in the transaction that changed the state; a
 * sequencer numbers them later (docs/decisions/0047).
 */

import type { Db } from '../../db/database.ts'
import { type EventName, eventTable } from '../../domain/changes/event-table.ts'

export interface DomainEvent {
  readonly id: string
  readonly name: EventName
  readonly referenceId: string
  readonly trackingRequestId: string | null
  readonly shipmentId: string | null
  readonly containerId: string | null
  /** Attributes of the reference object that are in no row of their own, in wire names. */
  readonly payload: Readonly<Record<string, unknown>>
}

/** Writes the events in the order given. */
export async function insertEvents(
  db: Db,
  write: { readonly accountId: string; readonly events: readonly DomainEvent[]; readonly at: string },
): Promise<void> {
  if (write.events.length === 0) return
  await db.query({
    name: 'events_insert',
    text: `insert into events
             (account_id, id, name, reference_type, reference_id, tracking_request_id, shipment_id, container_id,
              payload, created_at)
           select $1, e.id, e.name, e.reference_type, e.reference_id, e.tracking_request_id, e.shipment_id,
                  e.container_id, e.payload, $3
             from rows from (jsonb_to_recordset($2::jsonb) as (
                    id uuid, name text, reference_type text, reference_id uuid, tracking_request_id uuid,
                    shipment_id uuid, container_id uuid, payload jsonb)) with ordinality
                  as e(id, name, reference_type, reference_id, tracking_request_id, shipment_id, container_id,
                       payload, place)
            order by e.place`,
    values: [write.accountId, JSON.stringify(eventRecords(write.events)), write.at],
  })
}

/** The events as `jsonb_to_recordset` reads them. */
export function eventRecords(events: readonly DomainEvent[]): readonly Readonly<Record<string, unknown>>[] {
  return events.map((event) => ({
    id: event.id,
    name: event.name,
    reference_type: eventTable[event.name].referenceType,
    reference_id: event.referenceId,
    tracking_request_id: event.trackingRequestId,
    shipment_id: event.shipmentId,
    container_id: event.containerId,
    payload: event.payload,
  }))
}
