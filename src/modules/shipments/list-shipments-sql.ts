/** Shipments as the APIs read them: the row, with its containers' ids and statuses, and when its line was last polled. */

import type { Db } from '../../db/database.ts'
import { addLabels, type TagFilter } from '../../db/listing/add-labels.ts'
import { addPlaces, type Conditions, makeConditions, type PlacesFilter, sql } from '../../db/listing/conditions.ts'
import { customerNameSql } from '../../db/listing/customer-name.ts'
import { addDemands, type NamedDemands, prefixesOf } from '../../db/listing/demands.ts'
import { addFieldConditions, type FieldCondition } from '../../db/listing/field-conditions.ts'
import { getJsonInstant, readJsonInstant } from '../../db/listing/json-instant.ts'
import { countUpTo, type ListingSpec, readListing, readOrder, type SortColumn } from '../../db/listing/listing.ts'
import type { Page, PageRequest, TimeRange } from '../../db/listing/page.ts'
import type { OrderOf } from '../../db/listing/sorted-listing.ts'
import { urgentFrom } from '../../domain/view/attention-reasons.ts'
import type { ShipmentProjection } from '../../domain/view/projection.ts'
import {
  type LastPolledJson,
  lastPolledJson,
  lastPolledSql,
  pollTargetIdsSql,
} from '../../pipeline/polling/last-polled-sql.ts'
import type { StoredEta } from '../../pipeline/projection/shipment-etas-sql.ts'
import type { LastChangedBy } from '../audit/audit-events-sql.ts'
import { userOf } from '../audit/author-sql.ts'
import { findCandidates, shipmentCandidates } from '../search/search-candidates-sql.ts'
import { plainQuery } from '../search/search-sql.ts'
import { shipmentSortKeys, shipmentValues } from './shipment-values-sql.ts'

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
  /** The party for which it is tracked. */
  readonly customerId: string | null
  readonly customerName: string | null
  /** Null when only sources have changed it. */
  readonly lastChangedBy: LastChangedBy | null
  /** When Landfall itself expects it at the port of discharge, from the positions of its ship. */
  readonly ownEta: StoredEta | null
  /** The person who stopped the tracking; null when tracking goes on, or when a program or a rule stopped it. */
  readonly stoppedByUserId: string | null
}

const stoppedByUserId = userOf({ account: '$1', target: 's.id', action: 'shipment.tracking_stopped' })

/** SQL: what belongs to the account, of a row `s`. One JSON array, because the driver works on each column of a row. */
export const shipmentJson = `json_build_array(s.id, s.scac, s.bill_of_lading_number, s.normalized_number, s.ref_numbers,
  s.tags, s.projection, s.tracking_stopped_at, s.tracking_stopped_reason, s.created_at, s.updated_at, s.container_ids,
  s.container_statuses, s.customer_id, ${customerNameSql('s')}, s.last_changed_by, s.own_eta,
  case when s.tracking_stopped_reason = 'cancelled_by_user' then ${stoppedByUserId} end)`

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
  containerIds: readonly string[],
  containerStatuses: readonly string[],
  customerId: string | null,
  customerName: string | null,
  lastChangedBy: LastChangedBy | null,
  ownEta: StoredEta | null,
  stoppedByUserId: string | null,
]

export function readShipmentJson(json: ShipmentJson, lastPolled: LastPolledJson): ShipmentReading {
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
    containerIds: json[11],
    containerStatuses: json[12],
    lastAttemptedAt: readJsonInstant(lastPolled[0]),
    lastSucceededAt: readJsonInstant(lastPolled[1]),
    customerId: json[13],
    customerName: json[14],
    lastChangedBy: json[15],
    ownEta: json[16],
    stoppedByUserId: json[17],
  }
}

const inTwoSteps = {
  columns: `${shipmentJson} as told, ${pollTargetIdsSql('s.id')}`,
  value: `json_build_array(s.told, ${lastPolledJson})`,
}

type RowJson = readonly [told: ShipmentJson, lastAsked: LastPolledJson]

export async function readShipments(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly ShipmentReading[]> {
  const { rows } = await db.query<{ json: RowJson }>({
    name: 'read_shipments',
    text: `with s as materialized (
             select ${inTwoSteps.columns} from shipments s where s.account_id = $1 and s.id = any($2::uuid[]))
           select ${inTwoSteps.value} as json from s ${lastPolledSql('s')}`,
    values: [of.accountId, of.ids],
  })
  return rows.map(({ json }) => readShipmentJson(...json))
}

/** What the list can be sorted by. A leading `-` reverses the order. */
export const shipmentSorts = {
  created_at: { column: 'created_at', type: 'timestamptz' },
  updated_at: { column: 'updated_at', type: 'timestamptz' },
  pod_eta_at: { column: 'eta_at', type: 'timestamptz' },
  urgency: { column: 'acts_on', type: 'date' },
} as const satisfies Readonly<Record<string, SortColumn>>
export type ShipmentOrder = OrderOf<keyof typeof shipmentSorts>

/** Null, or left out: no condition. */
export interface ShipmentFilter extends PlacesFilter {
  /** Part of a bill's, booking's, container's or reference number, in upper or lower case. */
  readonly q: string | null
  /** The requested number, exactly; or one of these. Container numbers are not searched. */
  readonly number: string | readonly string[] | null
  readonly trackingStopped: boolean | null
  readonly status?: readonly string[] | null
  readonly scac?: string | null
  /** Id of a terminal at the port of discharge of at least one of its containers. */
  readonly terminalId?: string | null
  /** IMO number of the ship that carries it to the port of discharge. */
  readonly vesselImo?: string | null
  readonly podEtaAt?: TimeRange
  readonly createdAt?: TimeRange
  readonly updatedAt?: TimeRange
  readonly refNumber?: string | null
  readonly tags?: TagFilter | null
  readonly customerId?: string | null
  readonly fields?: readonly FieldCondition[]
  /** Of `shipmentValues`. */
  readonly demands?: readonly NamedDemands[]
  /** Only shipments for which no source has stated this. */
  readonly unknown?: ShipmentUnknown | null
}

export type ShipmentUnknown = keyof typeof unknowns

const unknowns = {
  pol: 's.pol is null',
  pod: 's.pod is null',
  vesselImo: 's.vessel_imo is null',
  // What has arrived is awaited no more.
  podEtaAt: `s.eta_at = 'infinity' and s.status in ('pending', 'in_transit')`,
} as const

export interface ShipmentList {
  readonly accountId: string
  readonly filter: ShipmentFilter
  readonly order: ShipmentOrder
  readonly page: PageRequest
  readonly isCounted?: boolean
  /** ISO instant. Demands count days from it, and `urgency` begins near it; if it is missing, it is the time of the server. */
  readonly now?: string
}

export async function listShipmentRows(db: Db, list: ShipmentList): Promise<Page<ShipmentReading>> {
  const { rows, ...rest } = await readListing<RowJson>(db, await buildListing(db, list))
  return { rows: rows.map((json) => readShipmentJson(...json)), ...rest }
}

/** Null when there are more than the bound. */
export async function countShipmentRows(db: Db, list: ShipmentList, bound: number): Promise<number | null> {
  return countUpTo(db, await buildListing(db, list), bound)
}

/** What the filter means for a row `s` of the table. `sortedBy`: the column of the list's order; null where there is none. */
export async function shipmentConditions(
  db: Db,
  list: Pick<ShipmentList, 'accountId' | 'filter' | 'now'> & { readonly sortedBy: string | null },
): Promise<Conditions> {
  const { accountId, filter, now = null, sortedBy } = list
  const conditions = makeConditions('s', accountId)
  const labels = { table: 'shipments', alias: 's', sortedBy, accountId, ...filter } as const
  const createdAt = await addLabels(db, conditions, labels)
  const { add, addText, addAnyOf, addRange } = conditions
  // `q` is written each time: Citus refuses a subquery that gives it once.
  const q = filter.q === null ? null : plainQuery(filter.q)
  add(sql`(strpos(concat_ws(E'\\n', search_tidy(s.bill_of_lading_number), search_tidy(s.normalized_number),
            search_tidy(s.projection ->> 'billOfLadingNumber'), search_tidy(s.projection ->> 'bookingNumber')), nullif(search_tidy(${q}), '')) > 0
        or exists (select from shipments b where b.account_id = $1 and b.scac = s.scac
                      and upper(b.projection ->> 'bookingNumber') = upper(s.bill_of_lading_number)
                      and strpos(search_tidy(b.bill_of_lading_number), nullif(search_tidy(${q}), '')) > 0)
        or exists (select from unnest(s.ref_numbers) as r where strpos(search_tidy(r), nullif(search_tidy(${q}), '')) > 0)
        or exists (select from containers k
                    where k.account_id = $1 and k.shipment_id = s.id and strpos(k.number, nullif(search_tidy(${q}), '')) > 0))`)
  add(sql`s.id = any(${await shipmentCandidates(db, { accountId, q: filter.q })}::uuid[])`)
  const numbers = filter.number === null ? null : [filter.number].flat().map(plainQuery)
  add(sql`s.id in (select t.shipment_id from tracking_requests t
                where t.account_id = $1 and t.request_type <> 'container'
                  and (upper(t.request_number) = any(array(select upper(n) from unnest(${numbers}::text[]) as n))
                    or t.number = any(array(select search_tidy(n) from unnest(${numbers}::text[]) as n))))`)
  if (filter.trackingStopped !== null) addText(`s.tracking_stopped_at is ${filter.trackingStopped ? 'not ' : ''}null`)
  addAnyOf('s.status', filter.status)
  add(sql`s.scac = ${filter.scac}`)
  addPlaces(conditions, 's', filter)
  add(sql`s.vessel_imo = ${filter.vesselImo}`)
  add(
    sql`s.id in (select c.shipment_id from containers c where c.account_id = $1 and c.terminal_id = ${filter.terminalId})`,
  )
  addRange('s.eta_at', filter.podEtaAt, `s.projection #>> '{portOfDischarge,place,timeZone}'`)
  if (filter.unknown) addText(unknowns[filter.unknown])
  addRange(createdAt, filter.createdAt)
  addRange('s.updated_at', filter.updatedAt)
  add(sql`s.customer_id = ${filter.customerId}`)
  addFieldConditions(conditions, 's', filter.fields)
  for (const texts of prefixesOf(shipmentValues, filter.demands))
    add(sql`s.id = any(${await findCandidates(db, { accountId, texts, find: shipmentCandidates })}::uuid[])`)
  addDemands(conditions, shipmentValues, { demands: filter.demands, now })
  return conditions
}

async function buildListing(db: Db, list: ShipmentList): Promise<ListingSpec> {
  const { page, isCounted = true } = list
  const order = readOrder(shipmentSorts, list.order, shipmentSortKeys)
  const conditions = await shipmentConditions(db, { ...list, sortedBy: order.sort.column })
  return {
    table: 'shipments',
    alias: 's',
    select: inTwoSteps,
    joins: lastPolledSql('s'),
    ...order,
    ...(list.order === 'urgency' ? { startFrom: urgentFrom(list.now) } : {}),
    conditions,
    page,
    isCounted,
  }
}

/** Where a shipment's containers are discharged and picked up; null where the containers do not agree. */
export interface ShipmentFacilities {
  readonly id: string
  readonly podTerminalId: string | null
  readonly pickupFacilityId: string | null
}

/** SQL over rows with `pod` and `pickup`, ids of terminals: the id, when all rows that have one have the same. */
export const agreedFacilities = {
  pod: 'case when count(distinct pod) = 1 then min(pod) end',
  pickup: 'case when count(distinct pickup) = 1 then min(pickup) end',
} as const

export async function readShipmentFacilities(
  db: Db,
  of: {
    readonly accountId: string
    readonly ids: readonly string[]
    /** Those of them whose place of pick-up is wanted: it is read from the complete projection of each container. */
    readonly inlandIds: readonly string[]
  },
): Promise<readonly ShipmentFacilities[]> {
  const { rows } = await db.query<ShipmentFacilities>({
    name: 'read_shipment_facilities',
    text: `select shipment_id as id,
                  ${agreedFacilities.pod} as "podTerminalId", ${agreedFacilities.pickup} as "pickupFacilityId"
             from (select shipment_id, terminal_id as pod,
                          case when shipment_id = any($3::uuid[]) then projection #>> '{pickupFacility,terminalId}' end as pickup
                     from containers where account_id = $1 and shipment_id = any(array(select unnest($2::uuid[])))) as c
            group by shipment_id`,
    values: [of.accountId, of.ids, of.inlandIds],
  })
  return rows
}
