/**
 * The filters that an agent may give to a list: those of the API's list, by shorter names, with values as people write
 * them. An unknown name or value is refused, with a suggestion of the probable intention, and the answer shows how each
 * filter was understood.
 */

import { Problem } from '../../api/errors/problem.ts'
import { type Filter, makeTextFilter } from '../../api/query/filters.ts'
import { dayFilter, textsFilter } from '../../api/query/list-filters.ts'
import type { FilterValues } from '../../api/query/query.ts'
import type { TagFilter } from '../../db/listing/add-labels.ts'
import { anyTime, type TimeRange } from '../../db/listing/page.ts'
import { parseContainerNumber } from '../../domain/values/identifiers.ts'
import { containerFilters } from '../../modules/containers/containers-routes.ts'
import { ServiceError } from '../../modules/errors.ts'
import { shipmentFilters } from '../../modules/shipments/shipments-routes.ts'
import { listFilters } from '../../modules/tracking-requests/tracking-requests-routes.ts'
import { Type } from '../../platform/json-schema.ts'
import { findPlaceByCode, type Place } from '../../reference/places.ts'
import { compactNumber, findShippingLine } from '../../reference/shipping-lines.ts'
import { terminalsAt } from '../../reference/terminals.ts'
import type { ToolContext } from '../tool/tool.ts'
import { invalidFilterError, readFlag, readLine, readPlaces, readValues, suggestValues } from './filter-values.ts'
import { readTerminal, readVessel } from './own-names.ts'
import { containerSynonyms, requestSynonyms, requestTypeSynonyms, shipmentSynonyms } from './status-synonyms.ts'

/** The filters as they come. Models write numbers, booleans and lists where a text is expected. */
export type FilterInput = Readonly<Record<string, unknown>>

/** A name may mean several places. Null where `isWanted` refuses them. */
const placeFilter = (name: string, isWanted: (places: readonly Place[]) => boolean = () => true) =>
  makeTextFilter<readonly string[] | null>(name, Type.String(), (text) => {
    const places = readPlaces(name, text)
    return isWanted(places) ? places.map(({ unlocode }) => unlocode) : null
  })
const hasPort = (places: readonly Place[]): boolean =>
  places.some(({ unlocode }) => terminalsAt(unlocode).some(({ facilityType }) => facilityType === 'ocean_terminal'))
/** Who names a place without an ocean terminal as the port may mean where the cargo goes inland. */
const ports = {
  pol: placeFilter('pol'),
  pod: placeFilter('pod', hasPort),
  podOrDestination: placeFilter('pod', (places) => !hasPort(places)),
  destination: placeFilter('destination'),
}

/** All of these tags. */
const tags: Filter<TagFilter | null> = makeTextFilter('tag', Type.String(), (text) => {
  const given = textsFilter('tag', '').read(new Map([['tag', text]]))
  return given && { tags: given, areAllNeeded: true }
})

const filtersOf = {
  shipments: { ...omitFilters(shipmentFilters, 'customFields', 'demands'), ...ports, tags },
  containers: {
    numbers: makeTextFilter('number', Type.String(), (text) => readContainerNumbers('number', text)),
    ...omitFilters(containerFilters, 'number', 'eachNumber', 'pickupLfd', 'customFields', 'demands'),
    ...ports,
    tags,
    freeUntil: dayFilter('lfd', 'The last free day that counts'),
  },
  requests: { ...omitFilters(listFilters, 'customFields'), tags },
}

export type ListKind = keyof typeof filtersOf
export type OwnFilters<L extends ListKind> = FilterValues<(typeof filtersOf)[L]>

/** Shorter names of some parameters. */
const shortNames: Readonly<Record<string, string>> = {
  port_of_lading: 'pol',
  port_of_discharge: 'pod',
  pod_terminal: 'terminal',
  pod_eta: 'eta',
  tags: 'tag',
  has_holds: 'held',
}

/** `eta_after` for `filter[pod_eta_at][start]`. */
function nameOf(parameter: string): string {
  const [, whole = parameter, bound] = /^(?:filter\[)?(\w+)\]?(?:\[(start|end)\])?$/.exec(parameter) ?? []
  const name = bound === undefined ? whole : whole.replace(/_at$/, '')
  const suffix = bound === undefined ? '' : bound === 'start' ? '_after' : '_before'
  return `${shortNames[name] ?? name}${suffix}`
}

const listFilterNames = (filters: Readonly<Record<string, Filter<unknown>>>): readonly string[] => {
  const parameters = Object.values(filters).flatMap((filter) => Object.keys(filter.parameters))
  return [...new Set(parameters.filter((parameter) => !parameter.endsWith('[]')).map(nameOf))]
}

export const filterNames: Readonly<Record<ListKind, readonly string[]>> = {
  shipments: listFilterNames(filtersOf.shipments),
  containers: listFilterNames(filtersOf.containers),
  requests: listFilterNames(filtersOf.requests),
}

/** Other names that people use for some of them, and those of the API that mean the same. */
const otherNames: Readonly<Record<string, string>> = {
  current_status: 'status',
  shipping_line_scac: 'scac',
  pol_code: 'pol',
  pod_code: 'pod',
  pod_terminal_id: 'terminal',
  customer_id: 'customer',
  line: 'scac',
  shipping_line: 'scac',
  carrier: 'scac',
  vessel_imo: 'vessel',
  ship: 'vessel',
  port_of_loading: 'pol',
  container_number: 'number',
  last_free_day_before: 'lfd_before',
  last_free_day_after: 'lfd_after',
}

/** Words for the values of a filter, by list and the filter's member. */
const valueSynonyms: Readonly<Record<ListKind, Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>>> =
  {
    shipments: { status: shipmentSynonyms },
    containers: { status: containerSynonyms },
    requests: { status: requestSynonyms, requestType: requestTypeSynonyms },
  }

/** The text that the API's filter accepts, for what an agent may write instead, by the filter's member. */
const readers: Readonly<
  Record<string, (name: string, text: string, toolContext: ToolContext) => string | Promise<string>>
> = {
  scac: readLine,
  requestNumber: (_name, text) => compactNumber(null, text),
  isHeld: (name, text) => String(readFlag(name, text)),
  trackingStopped: (name, text) => String(readFlag(name, text)),
  vesselImo: (_name, text, toolContext) => readVessel(toolContext, text),
  terminalId: (_name, text, toolContext) => readTerminal(toolContext, text),
}

export async function readFilters<L extends ListKind>(
  toolContext: ToolContext,
  list: L,
  texts: ReadonlyMap<string, string>,
): Promise<OwnFilters<L>> {
  const filters: Readonly<Record<string, Filter<unknown>>> = filtersOf[list]
  const entries = Object.entries(filters).map(async ([member, filter]) => {
    const parameters = new Map<string, string>()
    for (const parameter of Object.keys(filter.parameters)) {
      const name = nameOf(parameter)
      const text = texts.get(name)
      if (text === undefined) continue
      const synonyms = valueSynonyms[list][member]
      const { values } = filter
      const value =
        values === undefined
          ? readers[member]?.(name, text, toolContext)
          : readValues(name, text, { values, ...(synonyms === undefined ? {} : { synonyms }) }).join(',')
      parameters.set(parameter, (await value) ?? text)
    }
    return [member, readFilter(filter, parameters, nameOf)] as const
  })
  return Object.fromEntries(await Promise.all(entries)) as OwnFilters<L>
}

/** A refusal names the filter as the agent knows it. */
export function readFilter(
  filter: Filter<unknown>,
  given: ReadonlyMap<string, string>,
  rename: (parameter: string) => string,
): unknown {
  try {
    return filter.read(given)
  } catch (error) {
    const [fault] = error instanceof Problem ? error.faults : []
    if (fault === undefined) throw error
    const parameters = Object.keys(filter.parameters).toSorted((a, b) => b.length - a.length)
    const detail = parameters.reduce((text, each) => text.replaceAll(each, rename(each)), fault.detail)
    throw new ServiceError('invalid', detail)
  }
}

/** The values as texts, by the filters' own names. One that is given twice is refused. */
export function readTexts(list: ListKind, ...given: readonly (FilterInput | undefined)[]): ReadonlyMap<string, string> {
  const names = filterNames[list]
  const texts = new Map<string, string>()
  for (const [written, value] of given.flatMap((each) => Object.entries(each ?? {}))) {
    if (value === undefined) continue
    const name = ownName(written)
    if (!names.includes(name)) {
      const suggestion =
        name === 'port' && names.includes('pod') ? ' Did you mean `pod` or `pol`?' : suggestValues(name, names)
      throw new ServiceError('invalid', `There is no filter \`${written.slice(0, 60)}\` here.${suggestion}`)
    }
    if (texts.has(name)) throw invalidFilterError(name, 'is given twice')
    texts.set(name, textOf(written, value))
  }
  return texts
}

/** Our name of what a person, the API or its description names so. */
export function ownName(written: string): string {
  const normalized = nameOf(written.toLowerCase()).replace(/[^a-z0-9]+/g, '_')
  return otherNames[normalized] ?? normalized
}

export function textOf(name: string, value: unknown, separator = ','): string {
  const values = Array.isArray(value) ? value : [value]
  if (values.every((each) => ['string', 'number', 'boolean'].includes(typeof each))) return values.join(separator)
  throw invalidFilterError(name, 'is a text')
}

/** How line, ports, statuses and days were understood, for the reader of the answer. */
export function describeFilter(filter: {
  readonly scac?: string | null
  readonly pol?: string | readonly string[] | null
  readonly pod?: string | readonly string[] | null
  readonly podOrDestination?: readonly string[] | null
  readonly destination?: readonly string[] | null
  readonly status?: string | readonly string[] | null
  readonly podEtaAt?: TimeRange
  readonly freeUntil?: TimeRange
  readonly createdAt?: TimeRange
  readonly updatedAt?: TimeRange
}): Readonly<Record<string, string>> {
  const line = filter.scac ? (findShippingLine(filter.scac)?.shortName ?? filter.scac) : null
  const places = (codes: string | readonly string[]): string =>
    [codes]
      .flat()
      .map((code) => `${findPlaceByCode(code)?.name ?? code} (${code})`)
      .join(' or ')
  return {
    ...(line === null ? {} : { scac: `${line} (${filter.scac})` }),
    ...(filter.pol ? { pol: places(filter.pol) } : {}),
    ...(filter.pod ? { pod: places(filter.pod) } : {}),
    ...(filter.podOrDestination ? { pod: `${places(filter.podOrDestination)}, as port or destination` } : {}),
    ...(filter.destination ? { destination: places(filter.destination) } : {}),
    ...(filter.status ? { status: [filter.status].flat().join(', ') } : {}),
    ...describeRange('eta', filter.podEtaAt, 'at the port of discharge'),
    ...describeRange('lfd', filter.freeUntil, 'at the place'),
    ...describeRange('created_at', filter.createdAt),
    ...describeRange('updated_at', filter.updatedAt),
  }
}

/** `from 2026-01-30 to 2026-01-31, whole days at the place`. */
function describeRange(name: string, range: TimeRange | undefined, place?: string): Readonly<Record<string, string>> {
  const { start, end } = range ?? anyTime
  const bounds = [start && `from ${start}`, end && `to ${end}`].filter((bound) => bound !== null)
  if (bounds.length === 0) return {}
  const hasDays = [start, end].some((bound) => bound?.length === 'YYYY-MM-DD'.length)
  return { [name]: `${bounds.join(' ')}${hasDays && place !== undefined ? `, whole days ${place}` : ''}` }
}

/** One number, or several with commas or spaces between them. */
function readContainerNumbers(name: string, text: string): readonly string[] {
  const parts = text.split(/[,;\n]+/).flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
  if (parts.length > numbersMax) throw invalidFilterError(name, `takes ${numbersMax} numbers at most`)
  return [...new Set(parts.map((each) => readContainerNumber(name, each)))]
}
const numbersMax = 100

/** Throws for a number with a typing mistake. An empty list would not show the mistake. */
function readContainerNumber(name: string, text: string): string {
  const parsed = parseContainerNumber(text)
  if (parsed.ok) return parsed.value
  throw new ServiceError(
    'invalid',
    parsed.reason === 'wrong_check_digit'
      ? `\`${name}\`: the check digit of ${text.slice(0, 40)} is wrong (ISO 6346), so there is a typing mistake in it. search_container says what may be meant.`
      : `\`${name}\` must be a container number such as MSCU4000005. Bills and bookings: list_shipments or search_container.`,
  )
}

function omitFilters<Of extends object, Name extends keyof Of>(filters: Of, ...names: readonly Name[]): Omit<Of, Name> {
  const remaining = Object.entries(filters).filter(([name]) => !names.some((each) => each === name))
  return Object.fromEntries(remaining) as Omit<Of, Name>
}
