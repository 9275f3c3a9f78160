/** Writes what one projection changed: shipment, containers, transport events and domain events, in one statement. */

import type { ShipmentProjection } from '../core/projection.ts'
import type { Db } from './database.ts'
import { type DomainEvent, eventRecords } from './domain-events.ts'
import type { ContainerWrite } from './shipments.ts'
import { type TransportEventRow, transportEventRecords } from './transport-events.ts'

export interface ProjectedWrite {
  readonly accountId: string
  readonly shipmentId: string
  /** Null when neither the shipment nor a container of it became different. */
  readonly shipment: { readonly projection: ShipmentProjection; readonly timerAt: string | null } | null
  /** Those whose projection changed, new ones included. */
  readonly containers: readonly ContainerWrite[]
  /** Transport events that no longer stand. */
  readonly invalidate: readonly string[]
  readonly transportEvents: readonly TransportEventRow[]
  /** In the order in which subscribers hear of them. */
  readonly events: readonly DomainEvent[]
  readonly at: string
}

/** One statement, because the way to the server and back costs more than any of its parts (bench/ingest.ts). */
export async function writeProjected(db: Db, write: ProjectedWrite): Promise<void> {
  const rows =
    write.containers.length + write.invalidate.length + write.transportEvents.length + write.events.length
  if (write.shipment === null && rows === 0) return
  await db.query({
    name: 'projected_write',
    // The shipment is written with its boxes as they will be: else the triggers would write it once more.
    text: `with changed as materialized (
             select id, number, trip, projection ->> 'status' as status, projection
               from jsonb_to_recordset($6::jsonb) as c(id uuid, number text, trip integer, projection jsonb)
           ), box as (
             select id, number, trip, status from changed
             union all
             select id, number, trip, status from containers
              where account_id = $1 and shipment_id = $2 and id not in (select id from changed)
           ), shipment as (
             update shipments set projection = $4, timer_at = $5, updated_at = $3, container_ids = k.ids, container_statuses = k.statuses
               from (select coalesce(array_agg(id order by number, trip), '{}') as ids,
                            coalesce(array_agg(status order by number, trip), '{}') as statuses from box) k
              where account_id = $1 and shipments.id = $2 and $4::jsonb is not null
           ), container as (
             insert into containers
               (account_id, id, shipment_id, number, trip, status, projection, created_at, updated_at, scac)
             select $1, id, $2, number, trip, status, projection, $3, $3,
                    (select scac from shipments where account_id = $1 and id = $2)
               from changed
             on conflict (account_id, id)
             do update set status = excluded.status, projection = excluded.projection, updated_at = excluded.updated_at
           ), ended as (
             update transport_events set invalidated_at = $3 where account_id = $1 and id = any($7::uuid[])
           ), transport_event as (
             insert into transport_events
               (account_id, id, shipment_id, container_id, event, call_key, occurs_at, time_zone, unlocode, terminal_id,
                vessel_imo, vessel_name, voyage_number, data_source, value, source_claim_id, previous_version_id,
                milestone, created_at)
             select $1, t.id, t.shipment_id, t.container_id, t.event, t.call_key, t.occurs_at, t.time_zone, t.unlocode,
                    t.terminal_id, t.vessel_imo, t.vessel_name, t.voyage_number, t.data_source, t.value,
                    t.source_claim_id, t.previous_version_id, t.milestone, $3
               from jsonb_to_recordset($8::jsonb) as t(
                      id uuid, shipment_id uuid, container_id uuid, event text, call_key text, occurs_at timestamptz,
                      time_zone text, unlocode text, terminal_id uuid, vessel_imo text, vessel_name text,
                      voyage_number text, data_source text, value text, source_claim_id uuid,
                      previous_version_id uuid, milestone jsonb)
           )
           insert into events
             (account_id, id, name, reference_type, reference_id, tracking_request_id, shipment_id, container_id,
              payload, created_at)
           select $1, e.id, e.name, e.reference_type, e.reference_id, e.tracking_request_id, e.shipment_id,
                  e.container_id, e.payload, $3
             from rows from (jsonb_to_recordset($9::jsonb) as (
                    id uuid, name text, reference_type text, reference_id uuid, tracking_request_id uuid,
                    shipment_id uuid, container_id uuid, payload jsonb)) with ordinality
                  as e(id, name, reference_type, reference_id, tracking_request_id, shipment_id, container_id,
                       payload, place)
            order by e.place`,
    values: [
      write.accountId,
      write.shipmentId,
      write.at,
      write.shipment === null ? null : JSON.stringify(write.shipment.projection),
      write.shipment?.timerAt ?? null,
      JSON.stringify(write.containers),
      write.invalidate,
      JSON.stringify(transportEventRecords(write.transportEvents)),
      JSON.stringify(eventRecords(write.events)),
    ],
  })
}
