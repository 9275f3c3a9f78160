/** Containers as the APIs read them: alone, of shipments, and in lists. */

import type { Db } from '../../db/database.ts'
import { addLabels, type TagFilter } from '../../db/listing/add-labels.ts'
import { addPlaces, makeConditions, type PlacesFilter, sql } from '../../db/listing/conditions.ts'
import { countGroups, type Groups } from '../../db/listing/count-groups.ts'
import { addDemands, type NamedDemands, prefixesOf } from '../../db/listing/demands.ts'
import {
  addFieldConditions,
  addTextConditions,
  type FieldCondition,
  type TextCondition,
} from '../../db/listing/field-conditions.ts'
import { getJsonInstant, readJsonInstant } from '../../db/listing/json-instant.ts'
import { countUpTo, type ListingSpec, readListing, readOrder, type SortColumn } from '../../db/listing/listing.ts'
import { anyTime, type Page, type PageRequest, type TimeRange } from '../../db/listing/page.ts'
import type { OrderOf } from '../../db/listing/sorted-listing.ts'
import type { SourceKind } from '../../domain/statements/observation.ts'
import type { EventTime } from '../../domain/values/time.ts'
import { urgentFrom } from '../../domain/view/attention-reasons.ts'
import type { CalculatedFreeDays } from '../../domain/view/free-time.ts'
import { type ContainerView, hiddenFields, type MilestoneName } from '../../domain/view/projection.ts'
import {
  type LastPolledJson,
  lastPolledJson,
  lastPolledSql,
  pollTargetIdsSql,
} from '../../pipeline/polling/last-polled-sql.ts'
import type { LastChangedBy } from '../audit/audit-events-sql.ts'
import { containerCandidates, findCandidates } from '../search/search-candidates-sql.ts'
import { plainQuery } from '../search/search-sql.ts'
import { containerSortKeys, containerValues, feesUnknownSql } from './container-values-sql.ts'

export interface ContainerReading {
  readonly type: 'container'
  readonly id: string
  readonly shipmentId: string
  readonly status: string
  readonly refNumbers: readonly string[]
  readonly projection: ContainerView
  /** The milestones that have happened, in journey order. */
  readonly happened: readonly PastMilestone[]
  readonly createdAt: string
  readonly updatedAt: string
  /** When the shipment's line was last polled. */
  readonly lastAttemptedAt: string | null
  /** Null when only sources have changed it. */
  readonly lastChangedBy: LastChangedBy | null
  readonly calculatedFreeDays: CalculatedFreeDays
  /** The day by which somebody must act, by which `urgency` sorts. Null: there is none, or it is not known. */
  readonly actsOn: string | null
}

interface PastMilestone {
  readonly name: MilestoneName
  readonly time: EventTime
  /** The time zone of the place. */
  readonly timeZone: string | null
  /** The visit where it happened: place and ordinal. */
  readonly callKey: string
  readonly source: SourceKind
}

/** `acts_on` of a container on which nobody must act; `infinity` of one that is out. */
const noActDay = '2199-12-31'

/**
 * SQL: what belongs to the account, of a row `c`. Milestones are three quarters of a projection's 6 KB. Only the
 * displayed part of them is sent. One JSON array, for the reason that `shipmentJson` gives.
 */
export const containerJson = `json_build_array(c.id, c.shipment_id, c.status, c.ref_numbers, c.projection - '{${hiddenFields.join()}}'::text[],
  (select json_agg(json_build_array(m -> 'name', m -> 'time', m #> '{place,timeZone}', m -> 'callKey', m -> 'source'))
     from jsonb_array_elements(c.projection -> 'milestones') as m where m ->> 'kind' = 'actual'),
  c.created_at, c.updated_at, c.last_changed_by,
  (select free_days_of_tally(t.tally) from charge_tallies t where t.account_id = $1 and t.container_id = c.id),
  case when c.acts_on < '${noActDay}' then c.acts_on end)`

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
  calculatedDays: CalculatedFreeDays | null,
  actsOn: string | null,
]

export function readContainerJson(json: ContainerJson, lastPolled: LastPolledJson): ContainerReading {
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
    lastAttemptedAt: readJsonInstant(lastPolled[0]),
    lastChangedBy: json[8],
    calculatedFreeDays: json[9] ?? [],
    actsOn: json[10],
  }
}

const inTwoSteps = {
  columns: `${containerJson} as told, ${pollTargetIdsSql('c.shipment_id')}`,
  value: `json_build_array(c.told, ${lastPolledJson})`,
}

type RowJson = readonly [told: ContainerJson, lastAsked: LastPolledJson]

export async function readContainers(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly ContainerReading[]> {
  const { rows } = await db.query<{ json: RowJson }>({
    name: 'read_containers',
    text: `with c as materialized (
             select ${inTwoSteps.columns} from containers c where c.account_id = $1 and c.id = any($2::uuid[]))
           select ${inTwoSteps.value} as json from c ${lastPolledSql('c')}`,
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
           select ${inTwoSteps.value} as json from c ${lastPolledSql('c')}
            order by c.shipment_id, c.number, c.trip`,
    values: [of.accountId, of.shipmentIds],
  })
  return rows.map(({ json }) => readContainerJson(...json))
}

/** What the list can be sorted by. A leading `-` reverses the order. */
export const containerSorts = {
  updated_at: { column: 'updated_at', type: 'timestamptz' },
  created_at: { column: 'created_at', type: 'timestamptz' },
  pod_eta_at: { column: 'eta_at', type: 'timestamptz' },
  pickup_lfd: { column: 'lfd_on', type: 'date' },
  free_until: { column: 'free_on', type: 'date' },
  number: { column: 'number', type: 'text' },
  urgency: { column: 'acts_on', type: 'date' },
} as const satisfies Readonly<Record<string, SortColumn>>
export type ContainerOrder = OrderOf<keyof typeof containerSorts>

/** Null, or left out: no condition. */
export interface ContainerFilter extends PlacesFilter {
  readonly number: string | null
  /** One of these, in upper case. */
  readonly numbers?: readonly string[] | null
  /** All of these. */
  readonly eachNumber?: readonly string[] | null
  readonly status: string | readonly string[] | null
  readonly scac: string | null
  readonly updatedAt: TimeRange
  readonly createdAt?: TimeRange
  /** Id of the terminal at the port of discharge. */
  readonly terminalId?: string | null
  /** IMO number of the ship that carries it to the port of discharge. */
  readonly vesselImo?: string | null
  readonly podEtaAt?: TimeRange
  /** Days. */
  readonly pickupLfd?: TimeRange
  /** Days: the last free day that counts for people, which is not always the one of the contract. */
  readonly freeUntil?: TimeRange
  readonly isHeld?: boolean | null
  readonly hold?: string | null
  readonly refNumber?: string | null
  /** On its shipment. */
  readonly tags?: TagFilter | null
  readonly shipmentId?: string | null
  readonly fields?: readonly FieldCondition[]
  readonly textFields?: readonly TextCondition[]
  /** Of `containerValues`. */
  readonly demands?: readonly NamedDemands[]
  /** Only containers for which no source has stated this. */
  readonly unknown?: ContainerUnknown | null
}

export type ContainerUnknown = keyof typeof unknowns

const unknowns = {
  pol: 'c.pol is null',
  pod: 'c.pod is null',
  vesselImo: 'c.vessel_imo is null',
  // What has arrived is awaited no more.
  podEtaAt: `c.eta_at = 'infinity' and c.status in ('new', 'loaded', 'on_ship')`,
  freeUntil: `c.free_on = 'infinity'`,
  // No terminal has stated anything, as in `knownOrNull` of the API.
  holds: `c.hold_names = '{}' and c.projection ->> 'available' is null`,
  fees: feesUnknownSql,
} as const

export interface ContainerList {
  readonly accountId: string
  readonly filter: ContainerFilter
  readonly order: ContainerOrder
  readonly page: PageRequest
  readonly isCounted?: boolean
  /** ISO instant. Demands count days from it, and `urgency` begins near it; if it is missing, it is the time of the server. */
  readonly now?: string
}

export async function listContainerRows(db: Db, list: ContainerList): Promise<Page<ContainerReading>> {
  const { rows, ...rest } = await readListing<RowJson>(db, await buildListing(db, list))
  return { rows: rows.map((json) => readContainerJson(...json)), ...rest }
}

/** Null when there are more than the bound. */
export async function countContainerRows(db: Db, list: ContainerList, bound: number): Promise<number | null> {
  return countUpTo(db, await buildListing(db, list), bound)
}

/** What containers can be counted by. */
export const containerGroups = {
  status: 'c.status',
  line: 'c.scac',
  pol: 'c.pol',
  pod: 'c.pod',
  terminal: 'c.terminal_id',
  vessel: 'c.vessel_imo',
  pickup_lfd: `nullif(c.lfd_on, 'infinity')`,
  free_until: `nullif(c.free_on, 'infinity')`,
} as const
export type ContainerGroup = keyof typeof containerGroups

export async function countContainersBy(
  db: Db,
  of: Pick<ContainerList, 'accountId' | 'filter' | 'now'>,
  { by, bound }: { readonly by: ContainerGroup; readonly bound: number },
): Promise<Groups> {
  const list = await buildListing(db, { ...of, order: '-updated_at', page: { number: 1, size: 1 } })
  return countGroups(db, list, { value: containerGroups[by], bound })
}

async function buildListing(db: Db, list: ContainerList): Promise<ListingSpec> {
  const { accountId, filter, page, isCounted = true } = list
  const conditions = makeConditions('c', accountId)
  const order = readOrder(containerSorts, list.order, containerSortKeys)
  const { refNumber, tags } = filter
  const labels = { table: 'containers', alias: 'c', sortedBy: order.sort.column, accountId, refNumber, tags } as const
  const updatedAt = await addLabels(db, conditions, labels)
  const { add, addText, addHint, addAnyOf, addRange } = conditions
  // Every container has a number.
  const numbers = filter.number === null || filter.number === '@exists' ? [] : filter.number.split(',').map(plainQuery)
  if (numbers.length < 2) add(sql`c.number = search_tidy(${numbers[0]})`)
  else add(sql`c.number = any(array(select search_tidy(n) from unnest(${numbers}::text[]) as n))`)
  addAnyOf('c.number', filter.numbers)
  add(sql`c.number = all(array(select search_tidy(n) from unnest(${filter.eachNumber}::text[]) as n))`)
  addAnyOf('c.status', filter.status)
  add(sql`c.scac = ${filter.scac}`)
  addPlaces(conditions, 'c', filter)
  add(sql`c.terminal_id = ${filter.terminalId}`)
  add(sql`c.vessel_imo = ${filter.vesselImo}`)
  add(sql`c.shipment_id = ${filter.shipmentId}`)
  addRange(updatedAt, filter.updatedAt)
  addRange('c.created_at', filter.createdAt)
  addRange('c.eta_at', filter.podEtaAt, `c.projection #>> '{portOfDischarge,place,timeZone}'`)
  addRange('c.lfd_on', filter.pickupLfd)
  addRange('c.free_on', filter.freeUntil ?? anyTime)
  if (filter.unknown) addText(unknowns[filter.unknown])
  if (filter.isHeld === true) addText(`c.hold_names <> '{}'`)
  if (filter.isHeld === false) addText(`c.hold_names = '{}' and not (${unknowns.holds})`)
  add(sql`c.hold_names @> array[${filter.hold}::text]`)
  if (filter.hold) addHint(`c.hold_names <> '{}'`)
  addFieldConditions(conditions, 'c', filter.fields)
  await addTextConditions(db, conditions, { accountId, fields: filter.textFields })
  for (const texts of prefixesOf(containerValues, filter.demands))
    add(sql`c.id = any(${await findCandidates(db, { accountId, texts, find: containerCandidates })}::uuid[])`)
  addDemands(conditions, containerValues, { demands: filter.demands, now: list.now ?? null })
  return {
    table: 'containers',
    alias: 'c',
    select: inTwoSteps,
    joins: lastPolledSql('c'),
    ...order,
    ...(list.order === 'urgency' ? { startFrom: urgentFrom(list.now) } : {}),
    conditions,
    page,
    isCounted,
  }
}
