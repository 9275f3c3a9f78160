/** Shipments as the doors read them: the row, what is counted over its containers, and when its line was last asked. */

import type { ShipmentProjection } from '../../core/projection.ts'
import type { LastChangedBy } from '../audit.ts'
import type { Db } from '../database.ts'
import type { KeptEta } from '../shipment-etas.ts'
import { getJsonInstant, readJsonInstant } from './json-instant.ts'
import { boundsOf, type Page, type PageRequest } from './page.ts'
import { shipmentCandidates } from './search-candidates.ts'

export interface ShipmentReading {
  readonly type: 'shipment'
  readonly id: string
  readonly scac: string
  readonly billOfLadingNumber: string
  readonly normalizedNumber: string
  readonly refNumbers: readonly string[]
  readonly tags: readonly string[]
  readonly projection: ShipmentProjection
  readonly trackingStoppedAt: string | null
  readonly trackingStoppedReason: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** In order of number and trip. */
  readonly containerIds: readonly string[]
  readonly containerStatuses: readonly string[]
  readonly lastAttemptedAt: string | null
  readonly lastSucceededAt: string | null
  /** The party that it is tracked for. */
  readonly customerId: string | null
  readonly customerName: string | null
  /** Null when nobody but its sources ever changed it. */
  readonly lastChangedBy: LastChangedBy | null
  /** When Landfall itself expects it at the port of discharge, by its ship's positions. */
  readonly ownEta: KeptEta | null
}

/**
 * One JSON array instead of fifteen columns: the driver's work on a row's description and columns cost 70 µs of the
 * 160 that a container with its shipment took (measured at 26 columns).
 */
export const shipmentJson = `json_build_array(s.id, s.scac, s.bill_of_lading_number, s.normalized_number, s.ref_numbers,
  s.tags, s.projection, s.tracking_stopped_at, s.tracking_stopped_reason, s.created_at, s.updated_at, k.ids, k.statuses,
  l.attempted_at, l.succeeded_at, s.customer_id, p.company_name, s.last_changed_by, s.own_eta)`

/** The values of `shipmentJson`, in its order. */
export type ShipmentJson = readonly [
  id: string,
  scac: string,
  billOfLadingNumber: string,
  normalizedNumber: string,
  refNumbers: readonly string[],
  tags: readonly string[],
  projection: ShipmentProjection,
  trackingStoppedAt: string | null,
  trackingStoppedReason: string | null,
  createdAt: string,
  updatedAt: string,
  containerIds: readonly string[] | null,
  containerStatuses: readonly string[] | null,
  lastAttemptedAt: string | null,
  lastSucceededAt: string | null,
  customerId: string | null,
  customerName: string | null,
  lastChangedBy: LastChangedBy | null,
  ownEta: KeptEta | null,
]

export function readShipmentJson(json: ShipmentJson): ShipmentReading {
  return {
    type: 'shipment',
    id: json[0],
    scac: json[1],
    billOfLadingNumber: json[2],
    normalizedNumber: json[3],
    refNumbers: json[4],
    tags: json[5],
    projection: json[6],
    trackingStoppedAt: readJsonInstant(json[7]),
    trackingStoppedReason: json[8],
    createdAt: getJsonInstant(json[9]),
    updatedAt: getJsonInstant(json[10]),
    containerIds: json[11] ?? [],
    containerStatuses: json[12] ?? [],
    lastAttemptedAt: readJsonInstant(json[13]),
    lastSucceededAt: readJsonInstant(json[14]),
    customerId: json[15],
    customerName: json[16],
    lastChangedBy: json[17],
    ownEta: json[18],
  }
}

/** Both look up by (account, shipment) in an index; ids and statuses are columns, so no projection is unpacked. */
export const shipmentLaterals = `
  left join lateral (
    select array_agg(k.id order by k.number, k.trip) as ids, array_agg(k.status order by k.number, k.trip) as statuses
      from containers k where k.account_id = s.account_id and k.shipment_id = s.id) k on true
  left join lateral (
    select max(u.last_attempted_at) as attempted_at, max(u.last_succeeded_at) as succeeded_at
      from tracking_requests t join subjects u on u.id = t.subject_id
     where t.account_id = s.account_id and t.shipment_id = s.id) l on true
  left join parties p on p.account_id = s.account_id and p.id = s.customer_id`

export async function readShipments(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly ShipmentReading[]> {
  const { rows } = await db.query<{ json: ShipmentJson }>({
    name: 'read_shipments',
    text: `select ${shipmentJson} as json
             from shipments s ${shipmentLaterals}
            where s.account_id = $1 and s.id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
  return rows.map(({ json }) => readShipmentJson(json))
}

const shipmentOrders = {
  '-created_at': 's.created_at desc, s.id',
  created_at: 's.created_at, s.id',
  '-updated_at': 's.updated_at desc, s.id',
  updated_at: 's.updated_at, s.id',
} as const
export type ShipmentOrder = keyof typeof shipmentOrders

export interface ShipmentFilter {
  /** Part of a bill's, container's or reference number, in any case. */
  readonly q: string | null
  /** The number that was asked for, exactly; not container numbers. */
  readonly number: string | null
  readonly trackingStopped: boolean | null
}

const matching = `s.account_id = $1
  and ($2::text is null
       or strpos(upper(s.bill_of_lading_number), upper($2)) > 0
       or strpos(upper(s.normalized_number), upper($2)) > 0
       or exists (select from unnest(s.ref_numbers) as r(number) where strpos(upper(r.number), upper($2)) > 0)
       or exists (select from containers k where k.account_id = s.account_id and k.shipment_id = s.id
                     and strpos(k.number, upper($2)) > 0))
  and ($3::text is null
       or exists (select from tracking_requests t where t.account_id = s.account_id and t.shipment_id = s.id
                     and t.request_type <> 'container' and upper(t.request_number) = upper($3)))
  and ($4::boolean is null or (s.tracking_stopped_at is not null) = $4)
  and ($5::uuid[] is null or s.id = any($5))`

export async function listShipmentRows(
  db: Db,
  list: {
    readonly accountId: string
    readonly filter: ShipmentFilter
    readonly order: ShipmentOrder
    readonly page: PageRequest
  },
): Promise<Page<ShipmentReading>> {
  const among = await shipmentCandidates(db, { accountId: list.accountId, q: list.filter.q })
  const values = [list.accountId, list.filter.q, list.filter.number, list.filter.trackingStopped, among]
  const { rows } = await db.query<{ json: ShipmentJson }>({
    name: `list_shipments_${list.order}`,
    // The page is cut before the laterals run: they cost per row.
    text: `select ${shipmentJson} as json
             from (select * from shipments s where ${matching}
                    order by ${shipmentOrders[list.order]} limit $6 offset $7) s ${shipmentLaterals}
            order by ${shipmentOrders[list.order]}`,
    values: [...values, ...boundsOf(list.page)],
  })
  const counted = await db.query<{ total: number }>({
    name: 'count_shipments',
    text: `select count(*) as total from shipments s where ${matching}`,
    values,
  })
  return { rows: rows.map(({ json }) => readShipmentJson(json)), total: counted.rows[0]?.total ?? 0 }
}

/** Where a shipment's containers are discharged and picked up, as far as they agree: null where they do not. */
export interface ShipmentFacilities {
  readonly id: string
  readonly podTerminalId: string | null
  readonly pickupFacilityId: string | null
}

export async function readShipmentFacilities(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly ShipmentFacilities[]> {
  const { rows } = await db.query<ShipmentFacilities>({
    name: 'read_shipment_facilities',
    text: `select shipment_id as id,
                  case when count(distinct pod) = 1 then min(pod) end as "podTerminalId",
                  case when count(distinct pickup) = 1 then min(pickup) end as "pickupFacilityId"
             from (select shipment_id, projection #>> '{podTerminal,terminalId}' as pod,
                          projection #>> '{pickupFacility,terminalId}' as pickup
                     from containers where account_id = $1 and shipment_id = any($2::uuid[])) as c
            group by shipment_id`,
    values: [of.accountId, of.ids],
  })
  return rows
}
