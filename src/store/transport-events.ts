/** Transport events: the milestones as they were announced. A replaced or withdrawn one keeps its row. */

import type { Milestone } from '../core/projection.ts'
import type { Db } from './database.ts'

export interface TransportEventRow {
  readonly id: string
  readonly shipmentId: string
  readonly containerId: string
  /** Full wire name, e.g. `container.transport.vessel_arrived`. */
  readonly event: string
  readonly callKey: string | null
  readonly occursAt: string | null
  readonly timeZone: string | null
  readonly unlocode: string | null
  readonly terminalId: string | null
  readonly vesselImo: string | null
  readonly vesselName: string | null
  readonly voyageNumber: string | null
  readonly dataSource: string
  readonly value: string | null
  readonly sourceClaimId: string | null
  readonly previousVersionId: string | null
  readonly milestone: Milestone | null
}

/** The standing rows of a shipment, by container, event and transport call: what a correction replaces. */
export async function standingTransportEvents(
  db: Db,
  key: { readonly accountId: string; readonly shipmentId: string },
): Promise<readonly { readonly id: string; readonly containerId: string; readonly event: string; readonly callKey: string }[]> {
  const { rows } = await db.query<Record<string, never>>({
    name: 'transport_events_standing',
    text: `select id, container_id as "containerId", event, call_key as "callKey"
             from transport_events
            where account_id = $1 and shipment_id = $2 and invalidated_at is null and call_key is not null`,
    values: [key.accountId, key.shipmentId],
  })
  return rows as unknown as { id: string; containerId: string; event: string; callKey: string }[]
}

/** Invalidates and adds rows in one statement. */
export async function writeTransportEvents(
  db: Db,
  write: {
    readonly accountId: string
    readonly invalidate: readonly string[]
    readonly add: readonly TransportEventRow[]
    readonly at: string
  },
): Promise<void> {
  if (write.invalidate.length === 0 && write.add.length === 0) return
  const added = write.add.map((row) => ({
    id: row.id,
    shipment_id: row.shipmentId,
    container_id: row.containerId,
    event: row.event,
    call_key: row.callKey,
    occurs_at: row.occursAt,
    time_zone: row.timeZone,
    unlocode: row.unlocode,
    terminal_id: row.terminalId,
    vessel_imo: row.vesselImo,
    vessel_name: row.vesselName,
    voyage_number: row.voyageNumber,
    data_source: row.dataSource,
    value: row.value,
    source_claim_id: row.sourceClaimId,
    previous_version_id: row.previousVersionId,
    milestone: row.milestone,
  }))
  await db.query({
    name: 'transport_events_write',
    text: `with ended as (
             update transport_events set invalidated_at = $4 where account_id = $1 and id = any($2::uuid[])
           )
           insert into transport_events
             (account_id, id, shipment_id, container_id, event, call_key, occurs_at, time_zone, unlocode, terminal_id,
              vessel_imo, vessel_name, voyage_number, data_source, value, source_claim_id, previous_version_id,
              milestone, created_at)
           select $1, t.id, t.shipment_id, t.container_id, t.event, t.call_key, t.occurs_at, t.time_zone, t.unlocode,
                  t.terminal_id, t.vessel_imo, t.vessel_name, t.voyage_number, t.data_source, t.value,
                  t.source_claim_id, t.previous_version_id, t.milestone, $4
             from jsonb_to_recordset($3::jsonb) as t(
                    id uuid, shipment_id uuid, container_id uuid, event text, call_key text, occurs_at timestamptz,
                    time_zone text, unlocode text, terminal_id uuid, vessel_imo text, vessel_name text,
                    voyage_number text, data_source text, value text, source_claim_id uuid,
                    previous_version_id uuid, milestone jsonb)`,
    values: [write.accountId, write.invalidate, JSON.stringify(added), write.at],
  })
}
