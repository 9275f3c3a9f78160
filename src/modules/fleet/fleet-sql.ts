/**
 * All ships and containers under way of an account, gathered in the database: one row for each ship and for each place.
 * Two statements for any number of containers; both read the index `containers_under_way` and not the containers.
 */

import type { Db } from '../../db/database.ts'
import type { ObservedVessel } from '../../domain/statements/observation.ts'
import type { Leg, Milestone } from '../../domain/view/projection.ts'
import { type ShipmentFilter, shipmentConditions } from '../shipments/list-shipments-sql.ts'

/** Written as in the index. Containers that were picked up or returned are no longer under way. */
export const statusesAshore = [
  'new',
  'loaded',
  'grounded',
  'available',
  'not_available',
  'awaiting_inland_transfer',
  'on_rail',
  'off_dock',
] as const

interface GroupTotals {
  readonly containers: number
  readonly shipments: number
  /** The first ones, in order of id. */
  readonly shipmentIds: readonly string[]
  /** Of `shipmentIds`, in the same order. */
  readonly shipmentNumbers: readonly string[]
  /** The earliest last free day that counts (YYYY-MM-DD) of these containers, and whose it is. */
  readonly freeUntil: FreeUntil | null
}

interface FreeUntil {
  readonly on: string
  /** Of the place of pick-up. Null when it is not known. */
  readonly timeZone: string | null
  readonly number: string
  readonly shipmentId: string
}

/** Of a group of rows of containers: their totals. */
const totals = (idsMax: string): string => `count(*) as containers, count(distinct shipment_id) as shipments,
                    (array_agg(distinct shipment_id))[1:${idsMax}] as ids,
                    (array_agg(id order by free_on, id) filter (where free_on < 'infinity'))[1] as free_id`

/** Of the group `g`: what people call its shipments, and the container whose free time ends first. */
const names = `g.ids as "shipmentIds",
                  (select array_agg(coalesce(s.bill_of_lading_number, s.normalized_number) order by s.id) from shipments s
                    where s.account_id = $1 and s.id = any(g.ids)) as "shipmentNumbers",
                  (select json_build_object('on', f.free_on, 'timeZone', f.projection ->> 'pickupTimeZone',
                                            'number', f.number, 'shipmentId', f.shipment_id)
                     from containers f where f.account_id = $1 and f.id = g.free_id) as "freeUntil"`

export interface LadenShip extends GroupTotals {
  readonly imo: string
  /** The last event of one of its containers. */
  readonly last: Milestone | null
  /** Of the container that is expected first at its port of discharge, if the ship carries it there. */
  readonly port: Leg | null
  readonly vessel: ObservedVessel | null
  readonly voyage: string | null
}

export interface PlaceWithContainers extends GroupTotals {
  /** Id of a terminal, or UN/LOCODE; null for the containers whose place or ship no source has named. */
  readonly place: string | null
  /** Number of containers by their status. */
  readonly statuses: Readonly<Record<string, number>>
}

export interface FleetQuery {
  readonly accountId: string
  /** As of the list of shipments. Null: all of them. */
  readonly filter: ShipmentFilter | null
  /** The day from which the filter counts days. */
  readonly now: string
  readonly shipmentIdsMax: number
  readonly rowsMax: number
}

/** Those with the most containers first. */
export async function readLadenShips(db: Db, of: FleetQuery): Promise<readonly LadenShip[]> {
  const { text: only, values } = await filterByShipments(db, of)
  const [idsMax, rowsMax] = [`$${values.push(of.shipmentIdsMax)}`, `$${values.push(of.rowsMax)}`]
  const { rows } = await db.query<LadenShip>({
    text: `with boxes as (
             select c.whereabouts as imo, c.shipment_id, c.id, c.free_on, c.eta_at,
                    c.vessel_imo = c.whereabouts as is_last
               from containers c
              where c.account_id = $1 and c.status = 'on_ship' and c.whereabouts is not null ${only}
           ), ships as (
             select imo, ${totals(idsMax)}
               from boxes group by imo order by 2 desc, imo limit ${rowsMax}
           ), samples as (
             select distinct on (imo) imo, id, is_last from boxes order by imo, is_last desc nulls last, eta_at, id
           )
           select g.imo, g.containers, g.shipments, ${names},
                  jsonb_path_query_array(k.projection, '$.milestones[*] ? (@.kind == "actual" && @.vessel.imo != null)')
                    -> -1 as last,
                  case when b.is_last then k.projection -> 'portOfDischarge' end as port,
                  case when b.is_last then k.projection -> 'podVessel' end as vessel,
                  case when b.is_last then k.projection ->> 'podVoyage' end as voyage
             from ships g join samples b on b.imo = g.imo
             join containers k on k.account_id = $1 and k.id = b.id
            order by g.containers desc, g.imo`,
    values,
  })
  return rows
}

/** Those with the most containers first; the containers without a known place come last. */
export async function readPlacesWithContainers(db: Db, of: FleetQuery): Promise<readonly PlaceWithContainers[]> {
  const { text: only, values } = await filterByShipments(db, of)
  const [idsMax, rowsMax] = [`$${values.push(of.shipmentIdsMax)}`, `$${values.push(of.rowsMax)}`]
  const ashore = `$${values.push([...statusesAshore])}`
  const { rows } = await db.query<PlaceWithContainers>({
    text: `with boxes as (
             select c.whereabouts as place, c.status, c.shipment_id, c.id, c.free_on from containers c
              where c.account_id = $1 and c.status = any(${ashore}::text[])
                and c.status in (${statusesAshore.map((each) => `'${each}'`).join(', ')}) ${only}
             union all
             select null, c.status, c.shipment_id, c.id, c.free_on from containers c
              where c.account_id = $1 and c.status = 'on_ship' and c.whereabouts is null ${only}
           ), by_status as (
             select place, status, count(*) as boxes from boxes group by place, status
           ), places as (
             select place, ${totals(idsMax)}
               from boxes group by place order by place is null, 2 desc, place limit ${rowsMax}
           )
           select g.place, g.containers, g.shipments, ${names},
                  (select jsonb_object_agg(b.status, b.boxes order by b.status) from by_status b
                    where b.place is not distinct from g.place) as statuses
             from places g order by g.place is null, g.containers desc, g.place`,
    values,
  })
  return rows
}

async function filterByShipments(
  db: Db,
  { accountId, filter, now }: FleetQuery,
): Promise<{ readonly text: string; readonly values: unknown[] }> {
  if (filter === null) return { text: '', values: [accountId] }
  const { texts, values } = await shipmentConditions(db, { accountId, filter, now, sortedBy: null })
  const where = texts.join(' and ')
  return { text: `and c.shipment_id in (select s.id from shipments s where ${where})`, values: [...values] }
}
