/** Which ships have tracked containers on board, and which containers. Positions are of use for these ships only. */

import type { Db } from '../../db/database.ts'

/**
 * SQL: the ship of the last thing that happened with a container, with the same text as the index `containers_aboard`.
 */
export const aboard = `(jsonb_path_query_array(c.projection, '$.milestones[*] ? (@.kind == "actual").vessel.imo ? (@ != null)') ->> -1)`

/**
 * The IMO numbers, in order, of the ships that have containers of real accounts on board, or of the sandbox. Reads an
 * index with the ship of each container, and no container. Measured with PostgreSQL 15 and 600,000 containers of 300
 * accounts on 4,000 ships: 151 ms, and 738 ms after a tenth of the containers was written anew; 2 ms for the three
 * accounts of the sandbox. To go from ship to ship in `containers_aboard`, as a recursive query did, took 3.3 s and 0.4
 * s, because each ship was then searched for among the containers of the other environment; and where accounts are on
 * several nodes, a query cannot go along an index of all of them.
 */
export async function findVesselsWithContainers(db: Db, isSandbox: boolean): Promise<readonly string[]> {
  const { rows } = await db.query<{ imo: string }>({
    name: 'vessels_aboard',
    text: `select distinct c.whereabouts as imo
             from accounts a join containers c on c.account_id = a.id
            where a.is_fiction = $1 and c.status = 'on_ship' and c.whereabouts is not null
            order by 1`,
    values: [isSandbox],
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
  /** Where the ship loaded the containers, if that is known. */
  readonly loadedAt: string | null
  /** When we last estimated the arrival of this ship there for this shipment, ISO instant. */
  readonly estimatedAt: string | null
}

/**
 * Shipments with containers on board of these ships, where the ship brings the containers to their port of discharge
 * and is not known to have arrived there.
 */
export async function shipmentsAboard(
  db: Db,
  of: { readonly isSandbox: boolean; readonly imos: readonly string[] },
): Promise<readonly AwaitedShipment[]> {
  const { rows } = await db.query<AwaitedShipment>({
    name: 'shipments_aboard',
    text: `select distinct c.account_id as "accountId", c.shipment_id as "shipmentId", ${aboard} as imo,
                  c.projection #>> '{portOfDischarge,place,unlocode}' as unlocode,
                  jsonb_path_query_array(c.projection, '$.milestones[*] ? (@.kind == "actual").place') #>> '{-1,unlocode}' as "loadedAt",
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
    values: [of.isSandbox, of.imos],
  })
  return rows
}
