/**
 * What lists of shipments and containers are filtered by: the API's filters by the API's names, some of them as
 * arguments and all of them in `advanced_filters`, and ours in `filters`. Unless a filter is about tracking, or names a
 * shipment or container, only what is still tracked is listed.
 */

import { arraySeparator, type Filter } from '../../api/query/filters.ts'
import { isObject } from '../../domain/values/json-value.ts'
import { containerFilters } from '../../modules/containers/containers-routes.ts'
import type { ContainerFilter } from '../../modules/containers/list-containers-sql.ts'
import { listDefinitions } from '../../modules/custom-fields/get-definition.ts'
import {
  type FieldFilter,
  readContainerFieldFilters,
  readFieldFilters,
} from '../../modules/custom-fields/read-field-filters.ts'
import { ServiceError } from '../../modules/errors.ts'
import type { ShipmentFilter } from '../../modules/shipments/list-shipments-sql.ts'
import { shipmentFilters } from '../../modules/shipments/shipments-routes.ts'
import { spellTags } from '../../modules/shipments/spell-tags.ts'
import { Type } from '../../platform/json-schema.ts'
import { plainName } from '../../reference/plain-name.ts'
import { writeLabel } from '../presenters/labels.ts'
import { filters } from '../tool/inputs.ts'
import type { ToolContext } from '../tool/tool.ts'
import { invalidFilterError, suggestValues } from './filter-values.ts'
import { filterNames, ownName, readFilter, readFilters, readTexts, textOf } from './list-filters.ts'
import { limitFilter } from './row-limit.ts'

type Given = Readonly<Record<string, unknown>>

interface FilterOf {
  readonly shipments: ShipmentFilter
  readonly containers: ContainerFilter
}
type FilteredList = keyof FilterOf

const apiFilters: Readonly<Record<FilteredList, Readonly<Record<string, Filter<unknown>>>>> = {
  shipments: shipmentFilters,
  containers: containerFilters,
}
/** Whose custom fields a list is filtered by, its own first. */
const fieldOwners = { shipments: ['Shipment'], containers: ['Container', 'Shipment'] } as const

/** The list of tools shows the first type. */
const argument = (types: readonly string[], description?: string) =>
  Type.Optional(Type.Unsafe<unknown>({ type: types, ...(description === undefined ? {} : { description }) }))
const text = (description?: string) => argument(['string', 'number', 'array'], description)
const flag = argument(['boolean', 'string'])
const code = text('UN/LOCODE')
const day = text('`2026-10-01`, `>=7.days.ago`, `<=today`')

/** The filters that are arguments. */
export const filterArguments = {
  shipments: {
    number: text('The exact number that was tracked'),
    tracking_stopped: flag,
    actively_tracked: flag,
    voyage_status: text('arrived or on_ship'),
    pod_code: code,
    pol_code: code,
    pod_arrival: day,
    created_at: text('`>=2026-10-01T00:00:00Z`'),
    tags: text('Any of these'),
  },
  containers: {
    number: text(),
    current_status: text('`available,on_ship`'),
    pod_code: code,
    pol_code: code,
    shipping_line_scac: text(),
    has_holds: flag,
    has_fees: flag,
    requires_attention: flag,
    actively_tracked: flag,
    arrival: day,
    pickup_lfd: day,
    tags: text('Any of these'),
    custom_fields: argument(['object'], 'Name or slug: text'),
  },
} as const

export const filterInput = {
  advanced_filters: argument(['object'], 'Any filter of the API; of a list all must hold'),
  include_stopped_tracking: Type.Optional(
    Type.Boolean({ description: 'Also those no longer tracked, such as completed ones' }),
  ),
  filters,
} as const

/** Without the descriptions, for a tool whose arguments are described at a list. */
export const containerArguments = Object.fromEntries(
  Object.entries({ ...filterArguments.containers, ...filterInput }).map(([name, each]) => [
    name,
    Type.Optional(Type.Unsafe<unknown>({ ...each, description: undefined })),
  ]),
)

export interface ReadListFilter<Of> {
  readonly filter: Of
  /** The filters as given, and `actively_tracked` where it was added. */
  readonly applied: Given
  readonly fields: readonly AppliedField[]
  /** Why a filter finds nothing. */
  readonly notes: readonly string[]
  /** False where `actively_tracked` was added. */
  readonly hasStopped: boolean
}

interface AppliedField {
  readonly field: string
  readonly api_slug: string
  readonly data_type: string
  readonly value: string
}

/** Filters by what is tracked, and those that name a shipment or container, which is wanted tracked or not. */
const withStopped = ['actively_tracked', 'tracking_stopped', 'number', 'q', 'ref_number', 'shipment']

/** `own`: arguments that are filters of ours. */
export async function readListFilter<L extends FilteredList>(
  toolContext: ToolContext,
  list: L,
  input: Given,
  own: Given = {},
): Promise<ReadListFilter<FilterOf[L]>> {
  const inFilters = Object.entries((input['filters'] ?? {}) as Given)
  const isOurs = ([name]: readonly [string, unknown]): boolean =>
    filterNames[list].includes(ownName(name)) || findParameter(list, name) === null
  const texts = readTexts(list, own, Object.fromEntries(inFilters.filter(isOurs)))
  const named = [
    ...Object.keys(filterArguments[list]).map((name) => [name, input[name]] as const),
    ...Object.entries((input['advanced_filters'] ?? {}) as Given),
    ...inFilters.filter((each) => !isOurs(each)),
  ].filter(([, value]) => value !== undefined && value !== null)
  const applied = new Map<string, unknown>(texts)
  const isGiven = (names: readonly string[]): boolean =>
    [...applied.keys()].some((each) => names.includes(ownName(each)))
  const fields: AppliedField[] = []
  const parameters = new Map<string, string>()
  for (const [name, given] of named) {
    if (isGiven([ownName(name)])) throw invalidFilterError(name, 'is given twice')
    applied.set(name, given)
    if (name === 'custom_fields') fields.push(...(await readFields(toolContext, list, given)))
    const value =
      name === 'custom_fields' ? Object.fromEntries(fields.map((each) => [each.api_slug, each.value])) : given
    for (const [parameter, each] of writeParameters(list, name, value)) parameters.set(parameter, each)
  }
  const hasStopped = input['include_stopped_tracking'] === true || isGiven(withStopped)
  if (!hasStopped) {
    applied.set('actively_tracked', true)
    parameters.set('filter[actively_tracked]', 'true')
  }
  const ours = await readFilters(toolContext, list, texts)
  const { customFields = [], ...byName } = readParameters(list, parameters, texts)
  const { service, context } = toolContext
  const given = customFields as readonly FieldFilter[]
  const ofFields =
    list === 'containers'
      ? await readContainerFieldFilters(service, context, given)
      : { fields: await readFieldFilters(service, context, { entityType: 'Shipment', given }) }
  // The cast is safe: the members are those of the filters of the API's list.
  const whole = { number: null, ...ours, ...byName, ...ofFields } as unknown as FilterOf[L]
  const spelt = whole.tags && { ...whole.tags, tags: await spellTags(service, context, whole.tags.tags) }
  const filter = limitFilter(list, { ...whole, ...(spelt ? { tags: spelt } : {}) })
  const notes = Object.values(apiFilters[list]).flatMap((each) => each.unanswered?.(parameters) ?? [])
  return {
    filter,
    applied: Object.fromEntries(applied),
    fields,
    notes: notes.map(({ parameter, detail }) => `\`${bareName(parameter)}\`: ${detail}`),
    hasStopped,
  }
}

/** The values of the filters that the parameters give. */
function readParameters(
  list: FilteredList,
  parameters: ReadonlyMap<string, string>,
  texts: ReadonlyMap<string, string>,
) {
  const values: Record<string, unknown> = {}
  for (const [member, filter] of Object.entries(apiFilters[list])) {
    const names = Object.keys(filter.parameters)
    const isOf = (name: string): boolean => names.includes(name) || filter.pattern?.test(name) === true
    if (![...parameters.keys()].some(isOf)) continue
    const twice = member === 'demands' ? undefined : names.map(ownName).find((name) => texts.has(name))
    if (twice !== undefined) throw invalidFilterError(twice, 'is given twice')
    values[member] = readFilter(filter, parameters, bareName)
  }
  return values
}

/** `filter[arrival][]` becomes `arrival[]`. */
function bareName(parameter: string): string {
  return parameter.replace(/^filter\[(\w+)\]/, '$1')
}

function isParameter(list: FilteredList, name: string): boolean {
  return Object.values(apiFilters[list]).some(
    ({ parameters, pattern }) => Object.hasOwn(parameters, name) || pattern?.test(name) === true,
  )
}

/** The parameter of the API's filter, or the beginning of its parameters. Null if there is none. */
function findParameter(list: FilteredList, name: string): string | null {
  const names = Object.values(apiFilters[list]).flatMap(({ parameters }) => Object.keys(parameters))
  const starts = [`filter[${name}]`, name]
  return starts.find((start) => names.some((each) => each === start || each.startsWith(`${start}[`))) ?? null
}

/** A list of values is written as an array where the API takes one, and else with commas. */
function writeParameters(list: FilteredList, name: string, value: unknown): readonly (readonly [string, string])[] {
  const write = (parameter: string, part: unknown): readonly (readonly [string, string])[] => {
    if (isObject(part)) return Object.entries(part).flatMap(([key, each]) => write(`${parameter}[${key}]`, each))
    const isArray = Array.isArray(part) && isParameter(list, `${parameter}[]`)
    if (!isArray && !isParameter(list, parameter)) throw invalidFilterError(name, 'is a text')
    return [[isArray ? `${parameter}[]` : parameter, textOf(name, part, isArray ? arraySeparator : ',')]]
  }
  const parameter = findParameter(list, name)
  if (parameter !== null) return write(parameter, value)
  const names = Object.values(apiFilters[list]).flatMap(({ parameters }) => Object.keys(parameters))
  const known = [...new Set(names.map((each) => bareName(each).replace(/\[.*/, '')))]
  throw new ServiceError('invalid', `There is no filter \`${name.slice(0, 60)}\` here.${suggestValues(name, known)}`)
}

/** Fields by slug or name. */
async function readFields(
  { service, context }: ToolContext,
  list: FilteredList,
  given: unknown,
): Promise<readonly AppliedField[]> {
  const filter = { dataType: null, displayName: null }
  const page = { number: 1, size: 500 }
  const found = fieldOwners[list].map((entityType) =>
    listDefinitions(service, context, { filter: { ...filter, entityType }, page }),
  )
  const rows = (await Promise.all(found)).flatMap((each) => each.rows)
  return Object.entries(isObject(given) ? given : { [String(given)]: '' }).map(([name, value]) => {
    const field =
      rows.find(({ apiSlug }) => apiSlug === name) ??
      rows.find(({ displayName }) => plainName(displayName) === plainName(name))
    if (field !== undefined) {
      const { displayName, apiSlug, dataType } = field
      return { field: writeLabel(displayName), api_slug: apiSlug, data_type: dataType, value: textOf(name, value) }
    }
    const known = rows.flatMap(({ apiSlug, displayName }) => [apiSlug, displayName])
    throw invalidFilterError('custom_fields', `has no field \`${name.slice(0, 60)}\`${suggestValues(name, known, '')}`)
  })
}
