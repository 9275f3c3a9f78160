/** Containers as the doors read them: alone, with their shipment in one statement, of shipments, and in lists. */

import type { ContainerProjection, MilestoneName } from '../../core/projection.ts'
import type { EventTime } from '../../core/time.ts'
import type { LastChangedBy } from '../audit.ts'
import type { Db } from '../database.ts'
import { makeConditions, sql } from './conditions.ts'
import { addEarliestLfd } from './earliest-lfd.ts'
import { addFields, type FieldCondition } from './field-conditions.ts'
import { getJsonInstant, readJsonInstant } from './json-instant.ts'
import { findLabelled } from './labelled.ts'
import { countUpTo, type Listed, readListing, readOrder, type SortColumn } from './listing.ts'
import { anyTime, type Page, type PageRequest, type TimeRange } from './page.ts'
import { makeMemory } from './remembered.ts'
import {
  readShipmentJson,
  type ShipmentJson,
  type ShipmentReading,
  shipmentJson,
  shipmentLaterals,
} from './shipments.ts'

export interface ContainerReading {
  readonly type: 'container'
  readonly id: string
  readonly shipmentId: string
  readonly status: string
  readonly refNumbers: readonly string[]
  readonly projection: Omit<ContainerProjection, Unread>
  /** The milestones that have happened, in journey order. */
  readonly happened: readonly Happened[]
  readonly createdAt: string
  readonly updatedAt: string
  /** When the shipment's line was last asked. */
  readonly lastAttemptedAt: string | null
  /** Null when nobody but its sources ever changed it. */
  readonly lastChangedBy: LastChangedBy | null
}

/** What of a projection the doors do not show, so that it is not sent. */
const unread = ['milestones', 'podVessel', 'podVoyage', 'pendingPodTerminal', 'isTerminated'] as const
type Unread = (typeof unread)[number]

interface Happened {
  readonly name: MilestoneName
  readonly time: EventTime
  /** Of the place. */
  readonly timeZone: string | null
}

/**
 * Of the milestones, three quarters of a projection's 6 KB, only what the doors show is sent. One JSON array for the
 * reason that `shipmentJson` gives.
 */
const containerJson = `json_build_array(c.id, c.shipment_id, c.status, c.ref_numbers, c.projection - '{${unread.join()}}'::text[],
  (select json_agg(json_build_array(m -> 'name', m -> 'time', m #> '{place,timeZone}'))
     from jsonb_array_elements(c.projection -> 'milestones') as m where m ->> 'kind' = 'actual'),
  c.created_at, c.updated_at, l.attempted_at, c.last_changed_by)`

type ContainerJson = readonly [
  id: string,
  shipmentId: string,
  status: string,
  refNumbers: readonly string[],
  projection: ContainerReading['projection'],
  happened: readonly (readonly [MilestoneName, EventTime, string | null])[] | null,
  createdAt: string,
  updatedAt: string,
  lastAttemptedAt: string | null,
  lastChangedBy: LastChangedBy | null,
]

function readContainerJson(json: ContainerJson): ContainerReading {
  return {
    type: 'container',
    id: json[0],
    shipmentId: json[1],
    status: json[2],
    refNumbers: json[3],
    projection: json[4],
    happened: (json[5] ?? []).map(([name, time, timeZone]) => ({ name, time, timeZone })),
    createdAt: getJsonInstant(json[6]),
    updatedAt: getJsonInstant(json[7]),
    lastAttemptedAt: readJsonInstant(json[8]),
    lastChangedBy: json[9],
  }
}

const lateral = `
  left join lateral (
    select max(u.last_attempted_at) as attempted_at
      from tracking_requests t join subjects u on u.id = t.subject_id
     where t.account_id = c.account_id and t.shipment_id = c.shipment_id) l on true`

export async function readContainers(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly ContainerReading[]> {
  const { rows } = await db.query<{ json: ContainerJson }>({
    name: 'read_containers',
    text: `select ${containerJson} as json
             from containers c ${lateral}
            where c.account_id = $1 and c.id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
  return rows.map(({ json }) => readContainerJson(json))
}

export interface ContainerWithShipment {
  readonly container: ContainerReading
  readonly shipment: ShipmentReading
}

const remembered = makeMemory<ContainerWithShipment>()

/**
 * The most asked question, in one statement: bench/ holds it against a read of one primary key. The version names the
 * very row versions (xmin) and times that the answer is made of; two thirds of the statement's cost is writing the
 * JSON, so that is done only for a version that is not known here.
 */
export async function readContainerWithShipment(
  db: Db,
  key: { readonly accountId: string; readonly id: string },
): Promise<ContainerWithShipment | null> {
  const name = `${key.accountId} ${key.id}`
  const known = remembered.find(db, name)
  const { rows } = await db.query<{ version: string; json: readonly [ContainerJson, ShipmentJson] | null }>({
    name: 'read_container_with_shipment',
    text: `select v.version,
                  case when v.version = $3 then null else json_build_array(${containerJson}, ${shipmentJson}) end as json
             from containers c
             join shipments s on s.account_id = c.account_id and s.id = c.shipment_id ${shipmentLaterals}
             cross join lateral (
               select concat_ws(' ', c.xmin, s.xmin, c.updated_at, s.updated_at, l.attempted_at, l.succeeded_at,
                                p.company_name) as version offset 0) v
            where c.account_id = $1 and c.id = $2`,
    values: [key.accountId, key.id, known?.version ?? null],
  })
  const row = rows[0]
  if (row === undefined) return null
  if (row.json === null) return known?.value ?? null
  const value = { container: readContainerJson(row.json[0]), shipment: readShipmentJson(row.json[1]) }
  remembered.keep(db, name, { version: row.version, value })
  return value
}

export async function readContainersOfShipments(
  db: Db,
  of: { readonly accountId: string; readonly shipmentIds: readonly string[] },
): Promise<readonly ContainerReading[]> {
  const { rows } = await db.query<{ json: ContainerJson }>({
    name: 'read_containers_of_shipments',
    text: `select ${containerJson} as json
             from containers c ${lateral}
            where c.account_id = $1 and c.shipment_id = any($2::uuid[])
            order by c.shipment_id, c.number, c.trip`,
    values: [of.accountId, of.shipmentIds],
  })
  return rows.map(({ json }) => readContainerJson(json))
}

/** What the list can be sorted by; `-` in front for the other way round. */
const containerSorts = {
  updated_at: { column: 'updated_at', type: 'timestamptz' },
  created_at: { column: 'created_at', type: 'timestamptz' },
  pod_eta_at: { column: 'eta_at', type: 'timestamptz' },
  pickup_lfd: { column: 'lfd_on', type: 'date' },
  number: { column: 'number', type: 'text' },
} as const satisfies Readonly<Record<string, SortColumn>>
type ContainerSort = keyof typeof containerSorts
export type ContainerOrder = ContainerSort | `-${ContainerSort}`

/** Null, or left out: not asked for. */
export interface ContainerFilter {
  readonly number: string | null
  /** One of these, in upper case. */
  readonly numbers?: readonly string[] | null
  readonly status: string | readonly string[] | null
  readonly scac: string | null
  readonly updatedAt: TimeRange
  readonly createdAt?: TimeRange
  /** UN/LOCODEs. */
  readonly pol?: string | readonly string[] | null
  readonly pod?: string | readonly string[] | null
  /** Id of the terminal at the port of discharge. */
  readonly terminalId?: string | null
  /** IMO number of the ship that brings it to the port of discharge. */
  readonly vesselImo?: string | null
  readonly podEtaAt?: TimeRange
  /** Days. */
  readonly pickupLfd?: TimeRange
  /** Days: the first that anybody has given, which is not always the one that counts for the contract. */
  readonly earliestLfd?: TimeRange
  readonly isHeld?: boolean | null
  readonly hold?: string | null
  readonly refNumber?: string | null
  /** Of its shipment: all of them. */
  readonly tags?: readonly string[] | null
  readonly shipmentId?: string | null
  readonly fields?: readonly FieldCondition[]
  /** Only those of which nobody has said this. */
  readonly unknown?: ContainerUnknown | null
}

export type ContainerUnknown = keyof typeof unknowns

const unknowns = {
  pol: 'c.pol is null',
  pod: 'c.pod is null',
  vesselImo: 'c.vessel_imo is null',
  podEtaAt: `c.eta_at = 'infinity'`,
  earliestLfd: `c.lfd_on = 'infinity'`,
  // No terminal has spoken: as `knownOrNull` of the doors has it.
  holds: `c.hold_names = '{}' and c.projection ->> 'available' is null`,
} as const

export interface ContainerList {
  readonly accountId: string
  readonly filter: ContainerFilter
  readonly order: ContainerOrder
  readonly page: PageRequest
  readonly isCounted?: boolean
}

export async function listContainerRows(db: Db, list: ContainerList): Promise<Page<ContainerReading>> {
  const { rows, ...rest } = await readListing<ContainerJson>(db, await listed(db, list))
  return { rows: rows.map(readContainerJson), ...rest }
}

/** Null for more than the bound. */
export async function countContainerRows(db: Db, list: ContainerList, bound: number): Promise<number | null> {
  return countUpTo(db, await listed(db, list), bound)
}

async function listed(db: Db, list: ContainerList): Promise<Listed> {
  const { accountId, filter, order, page, isCounted = true } = list
  const conditions = makeConditions('c', accountId)
  const { add, addFew, addText, addHint, addAnyOf, addRange } = conditions
  add(sql`c.number = upper(${filter.number})`)
  addAnyOf('c.number', filter.numbers)
  addAnyOf('c.status', filter.status)
  add(sql`c.scac = ${filter.scac}`)
  addAnyOf('c.pol', filter.pol)
  addAnyOf('c.pod', filter.pod)
  add(sql`c.terminal_id = ${filter.terminalId}`)
  add(sql`c.vessel_imo = ${filter.vesselImo}`)
  add(sql`c.shipment_id = ${filter.shipmentId}`)
  addRange('c.updated_at', filter.updatedAt)
  addRange('c.created_at', filter.createdAt)
  addRange('c.eta_at', filter.podEtaAt)
  addRange('c.lfd_on', filter.pickupLfd)
  addEarliestLfd(conditions, filter.earliestLfd ?? anyTime)
  if (filter.unknown) addText(unknowns[filter.unknown])
  if (filter.isHeld === true) addText(`c.hold_names <> '{}'`)
  if (filter.isHeld === false) addText(`c.hold_names = '{}'`)
  add(sql`c.hold_names @> array[${filter.hold}::text]`)
  if (filter.hold) addHint(`c.hold_names <> '{}'`)
  const byRef = await findLabelled(db, 'containers', { accountId, refNumber: filter.refNumber })
  addFew('c.id', byRef)
  if (byRef === null)
    add(
      sql`exists (select from unnest(c.ref_numbers) as r(number) where upper(r.number) = upper(${filter.refNumber}))`,
    )
  const tagged = await findLabelled(db, 'shipments', { accountId, tags: filter.tags })
  addFew('c.shipment_id', tagged)
  if (tagged === null)
    add(sql`exists (select from shipments s where s.account_id = $1 and s.id = c.shipment_id
                       and s.tags @> ${filter.tags}::text[])`)
  addFields(conditions, 'c', filter.fields)
  return {
    table: 'containers',
    alias: 'c',
    select: containerJson,
    joins: lateral,
    ...readOrder(containerSorts, order),
    conditions,
    page,
    isCounted,
  }
}
