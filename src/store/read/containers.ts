/** Containers as the doors read them: alone, of shipments, and in lists. */

import type { ContainerProjection, MilestoneName } from '../../core/shown/projection.ts'
import type { SourceKind } from '../../core/statements/observation.ts'
import type { EventTime } from '../../core/values/time.ts'
import type { Db } from '../database.ts'
import { addLabels } from '../lists/add-labels.ts'
import { makeConditions, sql } from '../lists/conditions.ts'
import { countGroups, type Groups } from '../lists/count-groups.ts'
import { getJsonInstant, readJsonInstant } from '../lists/json-instant.ts'
import { countUpTo, type Listed, readListing, readOrder, type SortColumn } from '../lists/listing.ts'
import { anyTime, type Page, type PageRequest, type TimeRange } from '../lists/page.ts'
import type { LastChangedBy } from '../people/audit.ts'
import { addEarliestLfd } from './earliest-lfd.ts'
import { addFields, type FieldCondition } from './field-conditions.ts'
import { type LastAskedJson, lastAskedJson, lastAskedOf, subjectIdsOf } from './last-asked.ts'

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
  /** Null when only sources have changed it. */
  readonly lastChangedBy: LastChangedBy | null
}

/** Parts of a projection that the doors do not show. They are not sent. */
const unread = ['milestones', 'podVessel', 'podVoyage', 'pendingPodTerminal', 'isTerminated'] as const
type Unread = (typeof unread)[number]

interface Happened {
  readonly name: MilestoneName
  readonly time: EventTime
  /** The time zone of the place. */
  readonly timeZone: string | null
  /** The visit where it happened: place and ordinal. */
  readonly callKey: string
  readonly source: SourceKind
}

/**
 * SQL: what belongs to the account, of a row `c`. Milestones are three quarters of a projection's 6 KB. Only what the doors show of them is sent. One JSON array, for
 * the reason that `shipmentJson` gives.
 */
export const containerJson = `json_build_array(c.id, c.shipment_id, c.status, c.ref_numbers, c.projection - '{${unread.join()}}'::text[],
  (select json_agg(json_build_array(m -> 'name', m -> 'time', m #> '{place,timeZone}', m -> 'callKey', m -> 'source'))
     from jsonb_array_elements(c.projection -> 'milestones') as m where m ->> 'kind' = 'actual'),
  c.created_at, c.updated_at, c.last_changed_by)`

/** The values of `containerJson`, in its order. */
export type ContainerJson = readonly [
  id: string,
  shipmentId: string,
  status: string,
  refNumbers: readonly string[],
  projection: ContainerReading['projection'],
  happened: readonly (readonly [MilestoneName, EventTime, string | null, string, SourceKind])[] | null,
  createdAt: string,
  updatedAt: string,
  lastChangedBy: LastChangedBy | null,
]

export function readContainerJson(json: ContainerJson, lastAsked: LastAskedJson): ContainerReading {
  return {
    type: 'container',
    id: json[0],
    shipmentId: json[1],
    status: json[2],
    refNumbers: json[3],
    projection: json[4],
    happened: (json[5] ?? []).map(([name, time, timeZone, callKey, source]) => {
      return { name, time, timeZone, callKey, source }
    }),
    createdAt: getJsonInstant(json[6]),
    updatedAt: getJsonInstant(json[7]),
    lastAttemptedAt: readJsonInstant(lastAsked[0]),
    lastChangedBy: json[8],
  }
}

const inTwoSteps = {
  columns: `${containerJson} as told, ${subjectIdsOf('c.shipment_id')}`,
  value: `json_build_array(c.told, ${lastAskedJson})`,
}

type RowJson = readonly [told: ContainerJson, lastAsked: LastAskedJson]

export async function readContainers(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly ContainerReading[]> {
  const { rows } = await db.query<{ json: RowJson }>({
    name: 'read_containers',
    text: `with c as materialized (
             select ${inTwoSteps.columns} from containers c where c.account_id = $1 and c.id = any($2::uuid[]))
           select ${inTwoSteps.value} as json from c ${lastAskedOf('c')}`,
    values: [of.accountId, of.ids],
  })
  return rows.map(({ json }) => readContainerJson(...json))
}

export async function readContainersOfShipments(
  db: Db,
  of: { readonly accountId: string; readonly shipmentIds: readonly string[] },
): Promise<readonly ContainerReading[]> {
  const { rows } = await db.query<{ json: RowJson }>({
    name: 'read_containers_of_shipments',
    text: `with c as materialized (
             select ${inTwoSteps.columns}, c.shipment_id, c.number, c.trip
               from containers c where c.account_id = $1 and c.shipment_id = any($2::uuid[]))
           select ${inTwoSteps.value} as json from c ${lastAskedOf('c')}
            order by c.shipment_id, c.number, c.trip`,
    values: [of.accountId, of.shipmentIds],
  })
  return rows.map(({ json }) => readContainerJson(...json))
}

/** What the list can be sorted by. A `-` in front turns the order round. */
const containerSorts = {
  updated_at: { column: 'updated_at', type: 'timestamptz' },
  created_at: { column: 'created_at', type: 'timestamptz' },
  pod_eta_at: { column: 'eta_at', type: 'timestamptz' },
  pickup_lfd: { column: 'lfd_on', type: 'date' },
  number: { column: 'number', type: 'text' },
  urgency: { column: 'acts_on', type: 'date' },
} as const satisfies Readonly<Record<string, SortColumn>>
type ContainerSort = keyof typeof containerSorts
export type ContainerOrder = ContainerSort | `-${ContainerSort}`

/** Null, or left out: no condition. */
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
  /**
   * Days: the earliest last free day that anybody has given, which is not always the one that counts for the contract.
   */
  readonly earliestLfd?: TimeRange
  readonly isHeld?: boolean | null
  readonly hold?: string | null
  readonly refNumber?: string | null
  /** All of these tags, on its shipment. */
  readonly tags?: readonly string[] | null
  readonly shipmentId?: string | null
  readonly fields?: readonly FieldCondition[]
  /** Only containers of which nobody has said this. */
  readonly unknown?: ContainerUnknown | null
}

export type ContainerUnknown = keyof typeof unknowns

const unknowns = {
  pol: 'c.pol is null',
  pod: 'c.pod is null',
  vesselImo: 'c.vessel_imo is null',
  podEtaAt: `c.eta_at = 'infinity'`,
  earliestLfd: `c.lfd_on = 'infinity'`,
  // No terminal has said anything, as in `knownOrNull` of the doors.
  holds: `c.hold_names = '{}' and c.projection ->> 'available' is null`,
} as const

export interface ContainerList {
  readonly accountId: string
  readonly filter: ContainerFilter
  readonly order: ContainerOrder
  readonly page: PageRequest
  readonly isCounted?: boolean
  /** For the order `urgency`: what was to be done before this day comes last. */
  readonly urgentFrom?: string | null
}

export async function listContainerRows(db: Db, list: ContainerList): Promise<Page<ContainerReading>> {
  const { rows, ...rest } = await readListing<RowJson>(db, await listed(db, list))
  return { rows: rows.map((json) => readContainerJson(...json)), ...rest }
}

/** Null when there are more than the bound. */
export async function countContainerRows(db: Db, list: ContainerList, bound: number): Promise<number | null> {
  return countUpTo(db, await listed(db, list), bound)
}

/** What containers can be counted by. */
const containerGroups = {
  status: 'c.status',
  line: 'c.scac',
  pol: 'c.pol',
  pod: 'c.pod',
  terminal: 'c.terminal_id',
  vessel: 'c.vessel_imo',
  pickup_lfd: `nullif(c.lfd_on, 'infinity')`,
} as const
export type ContainerGroup = keyof typeof containerGroups

export async function countContainersBy(
  db: Db,
  of: Pick<ContainerList, 'accountId' | 'filter'>,
  { by, bound }: { readonly by: ContainerGroup; readonly bound: number },
): Promise<Groups> {
  const list = await listed(db, { ...of, order: '-updated_at', page: { number: 1, size: 1 } })
  return countGroups(db, list, { value: containerGroups[by], bound })
}

async function listed(db: Db, list: ContainerList): Promise<Listed> {
  const { accountId, filter, page, isCounted = true } = list
  const conditions = makeConditions('c', accountId)
  const order = readOrder(containerSorts, list.order)
  const { refNumber, tags } = filter
  const labels = {
    table: 'containers',
    alias: 'c',
    sortedBy: order.sort.column,
    accountId,
    refNumber,
    tags,
  } as const
  const updatedAt = await addLabels(db, conditions, labels)
  const { add, addText, addHint, addAnyOf, addRange } = conditions
  add(sql`c.number = upper(${filter.number})`)
  addAnyOf('c.number', filter.numbers)
  addAnyOf('c.status', filter.status)
  add(sql`c.scac = ${filter.scac}`)
  addAnyOf('c.pol', filter.pol)
  addAnyOf('c.pod', filter.pod)
  add(sql`c.terminal_id = ${filter.terminalId}`)
  add(sql`c.vessel_imo = ${filter.vesselImo}`)
  add(sql`c.shipment_id = ${filter.shipmentId}`)
  addRange(updatedAt, filter.updatedAt)
  addRange('c.created_at', filter.createdAt)
  addRange('c.eta_at', filter.podEtaAt)
  addRange('c.lfd_on', filter.pickupLfd)
  addEarliestLfd(conditions, filter.earliestLfd ?? anyTime)
  if (filter.unknown) addText(unknowns[filter.unknown])
  if (filter.isHeld === true) addText(`c.hold_names <> '{}'`)
  if (filter.isHeld === false) addText(`c.hold_names = '{}'`)
  add(sql`c.hold_names @> array[${filter.hold}::text]`)
  if (filter.hold) addHint(`c.hold_names <> '{}'`)
  addFields(conditions, 'c', filter.fields)
  return {
    table: 'containers',
    alias: 'c',
    select: inTwoSteps,
    joins: lastAskedOf('c'),
    ...order,
    ...(list.order === 'urgency' ? { turn: list.urgentFrom ?? null } : {}),
    conditions,
    page,
    isCounted,
  }
}
