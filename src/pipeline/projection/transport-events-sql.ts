/** Transport events: the milestones as they were published. A replaced or withdrawn one keeps its row. */

import type { Db } from '../../db/database.ts'
import type { Milestone } from '../../domain/view/projection.ts'

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

export interface PublishedTransportEvent extends TransportEventRow {
  readonly createdAt: string
  readonly invalidatedAt: string | null
}

/**
 * The rows of these ids, with the times when they became active and when that ended. They are read from the served
 * table, whatever tables the session sees.
 */
export async function findPublishedTransportEvents(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly PublishedTransportEvent[]> {
  const { rows } = await db.query<PublishedTransportEvent>({
    name: 'transport_events_announced',
    text: `select id, shipment_id as "shipmentId", container_id as "containerId", event, call_key as "callKey",
                  occurs_at as "occursAt", time_zone as "timeZone", unlocode, terminal_id as "terminalId",
                  vessel_imo as "vesselImo", vessel_name as "vesselName", voyage_number as "voyageNumber",
                  data_source as "dataSource", value, source_claim_id as "sourceClaimId",
                  previous_version_id as "previousVersionId", milestone, created_at as "createdAt",
                  invalidated_at as "invalidatedAt"
             from public.transport_events where account_id = $1 and id = any($2::uuid[]) order by id`,
    values: [of.accountId, of.ids],
  })
  return rows
}

export type TransportEventRecord = Readonly<Record<string, unknown>> & { readonly id: string }

/** The rows as records with the names of the columns. */
export function transportEventRecords(rows: readonly TransportEventRow[]): readonly TransportEventRecord[] {
  return rows.map((row) => ({
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
}
