/** Inputs of a container's route: its shipment, how it was requested, and what is shown of the container so far. */

import type { Db } from '../../db/database.ts'
import type { ContainerProjection } from '../../domain/view/projection.ts'

export interface ContainerJourneyRow {
  readonly id: string
  readonly number: string
  readonly trip: number
  readonly shipmentId: string
  readonly scac: string
  readonly createdAt: string
  readonly updatedAt: string
  /** Every trip of the same container under the shipment. */
  readonly rows: readonly ContainerProjection[]
  /** Numbers of all containers of the shipment. */
  readonly numbers: readonly string[]
  /** The requests for the shipment, oldest first. */
  readonly requests: readonly {
    readonly requestType: 'bill_of_lading' | 'booking_number' | 'container'
    readonly number: string
    /** As PostgreSQL writes it into JSON. */
    readonly createdAt: string
    readonly subjectId: string
  }[]
}

const columns = `c.id, c.number, c.trip, c.shipment_id as "shipmentId", s.scac, c.created_at as "createdAt",
  c.updated_at as "updatedAt",
  (select jsonb_agg(o.projection order by o.trip) from containers o
    where o.account_id = $1 and o.shipment_id = c.shipment_id and o.number = c.number) as rows,
  (select array_agg(distinct o.number) from containers o
    where o.account_id = $1 and o.shipment_id = c.shipment_id) as numbers,
  (select coalesce(jsonb_agg(jsonb_build_object('requestType', t.request_type, 'number', t.number,
            'createdAt', t.created_at, 'subjectId', t.subject_id) order by t.created_at, t.id), '[]')
     from tracking_requests t
    where t.account_id = $1 and t.shipment_id = c.shipment_id and t.subject_id is not null) as requests`

export async function readContainerJourney(
  db: Db,
  key: { readonly accountId: string; readonly id: string },
): Promise<ContainerJourneyRow | null> {
  const { rows } = await db.query<ContainerJourneyRow>({
    name: 'read_container_journey',
    text: `select ${columns}
             from containers c join shipments s on s.account_id = c.account_id and s.id = c.shipment_id
            where c.account_id = $1 and c.id = $2`,
    values: [key.accountId, key.id],
  })
  return rows[0] ?? null
}

/**
 * The containers of the account that this ship loaded last and that are still on it, last changed first. The index
 * containers_aboard finds them, so its expression is repeated here exactly.
 */
export async function readJourneysAboard(
  db: Db,
  of: { readonly accountId: string; readonly imo: string; readonly limit: number },
): Promise<readonly ContainerJourneyRow[]> {
  const { rows } = await db.query<ContainerJourneyRow>({
    name: 'read_journeys_aboard',
    text: `select ${columns}
             from containers c join shipments s on s.account_id = c.account_id and s.id = c.shipment_id
            where c.account_id = $1 and c.status = 'on_ship'
              and (jsonb_path_query_array(c.projection, '$.milestones[*] ? (@.kind == "actual").vessel.imo ? (@ != null)') ->> -1) = $2
            order by c.updated_at desc, c.id limit $3`,
    values: [of.accountId, of.imo, of.limit],
  })
  return rows
}
