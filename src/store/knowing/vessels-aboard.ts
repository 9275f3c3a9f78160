/** Which ships have tracked boxes on board, and which boxes. Positions are of use for these ships only. */

import type { Db } from '../database.ts'

/** SQL: the ship of the last thing that happened with a box, in the same words as the index `containers_aboard`. */
export const aboard = `(jsonb_path_query_array(c.projection, '$.milestones[*] ? (@.kind == "actual").vessel.imo ? (@ != null)') ->> -1)`

/**
 * The IMO numbers, in order, of the ships that have boxes of real accounts on board, or of fiction. Reads an index with
 * the ship of each box, and no box. Measured with PostgreSQL 15 and 600,000 boxes of 300 accounts on 4,000 ships: 151 ms,
 * and 738 ms after a tenth of the boxes was written anew; 2 ms for the three accounts of fiction. To go from ship to ship
 * in `containers_aboard`, as a recursive query did, took 3.3 s and 0.4 s, because each ship was then looked for among the
 * boxes of the other world; and where accounts lie on several nodes, a query cannot go along an index of all of them.
 */
export async function vesselsWithBoxes(db: Db, isFiction: boolean): Promise<readonly string[]> {
  const { rows } = await db.query<{ imo: string }>({
    name: 'vessels_aboard',
    text: `select distinct c.whereabouts as imo
             from accounts a join containers c on c.account_id = a.id
            where a.is_fiction = $1 and c.status = 'on_ship' and c.whereabouts is not null
            order by 1`,
    values: [isFiction],
  })
  return rows.map(({ imo }) => imo)
}

/** A shipment that waits for a ship at a port. */
export interface AwaitedShipment {
  readonly accountId: string
  readonly shipmentId: string
  readonly imo: string
  /** Its port of discharge. */
  readonly unlocode: string
  /** Where the ship took the boxes on board, if that is known. */
  readonly takenAt: string | null
  /** When we last estimated the arrival of this ship there for this shipment, ISO instant. */
  readonly estimatedAt: string | null
}

/**
 * Shipments with boxes on board of these ships, where the ship brings the boxes to their port of discharge and is not
 * known to have arrived there.
 */
export async function shipmentsAboard(
  db: Db,
  of: { readonly isFiction: boolean; readonly imos: readonly string[] },
): Promise<readonly AwaitedShipment[]> {
  const { rows } = await db.query<AwaitedShipment>({
    name: 'shipments_aboard',
    text: `select distinct c.account_id as "accountId", c.shipment_id as "shipmentId", ${aboard} as imo,
                  c.projection #>> '{portOfDischarge,place,unlocode}' as unlocode,
                  jsonb_path_query_array(c.projection, '$.milestones[*] ? (@.kind == "actual").place') #>> '{-1,unlocode}' as "takenAt",
                  case when s.own_eta ->> 'vesselImo' = ${aboard}
                        and s.own_eta ->> 'unlocode' = c.projection #>> '{portOfDischarge,place,unlocode}'
                       then s.own_eta ->> 'madeAt' end as "estimatedAt"
             from containers c
             join accounts a on a.id = c.account_id
             join shipments s on s.account_id = c.account_id and s.id = c.shipment_id
            where c.status = 'on_ship' and ${aboard} = any($2) and a.is_fiction = $1
              and c.projection #>> '{podVessel,imo}' = ${aboard}
              and c.projection #> '{portOfDischarge,ata}' = 'null'::jsonb
              and c.projection #>> '{portOfDischarge,place,unlocode}' is not null
              and s.tracking_stopped_at is null
            order by 1, 2`,
    values: [of.isFiction, of.imos],
  })
  return rows
}
