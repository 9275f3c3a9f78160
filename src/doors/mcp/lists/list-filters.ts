/**
 * Turns what an agent asks of a list into the filters of the service. Filters come as a map. An unknown name or value
 * is refused, with a suggestion of what was probably meant, and the answer shows how each filter was understood.
 */

import {
  failedReasons,
  requestStatuses,
  requestTypes,
} from '../../../core/requests/tracking-request-state.ts'
import { containerStatuses } from '../../../core/shown/projection.ts'
import { holdNames } from '../../../core/statements/observation.ts'
import { parseContainerNumber } from '../../../core/values/identifiers.ts'
import { findPlaceByCode } from '../../../reference/places.ts'
import { findShippingLine, tidyNumber } from '../../../reference/shipping-lines.ts'
import { ServiceError } from '../../../service/errors.ts'
import { shipmentStatuses } from '../../../service/tracking/shipments/shipment-status.ts'
import { anyTime, type TimeRange } from '../../../store/lists/page.ts'
import type { ContainerFilter } from '../../../store/read/containers.ts'
import type { ShipmentFilter } from '../../../store/read/shipments.ts'
import type { TrackingRequestFilter } from '../../../store/read/tracking-requests.ts'
import {
  hint,
  readDay,
  readFlag,
  readInstant,
  readLine,
  readPlaces,
  readWords,
  refused,
} from './filter-values.ts'
import { containerWords, requestTypeWords, requestWords, shipmentWords } from './status-words.ts'

/** The filters as they come. Models write numbers, booleans and lists where a text is expected. */
export type Given = Readonly<Record<string, unknown>>

const route = [
  'scac',
  'pol',
  'pod',
  'terminal',
  'vessel',
  'eta_after',
  'eta_before',
  'ref_number',
  'tag',
] as const
const times = ['created_after', 'updated_after'] as const

export const filterNames = {
  shipments: ['status', ...route, ...times],
  containers: ['number', 'status', ...route, 'lfd_after', 'lfd_before', 'held', 'hold', ...times],
  requests: [
    'q',
    'request_number',
    'request_type',
    'status',
    'failed_reason',
    'scac',
    'ref_number',
    'tag',
    ...times,
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Other names that people use for some of them. */
const otherNames: Readonly<Record<string, string>> = {
  line: 'scac',
  shipping_line: 'scac',
  carrier: 'scac',
  vessel_imo: 'vessel',
  ship: 'vessel',
  pod_terminal: 'terminal',
  port_of_lading: 'pol',
  port_of_loading: 'pol',
  port_of_discharge: 'pod',
  container_number: 'number',
  last_free_day_before: 'lfd_before',
  last_free_day_after: 'lfd_after',
}

/** The values as texts, by the filters' own names. */
export function readFilters(
  list: keyof typeof filterNames,
  given: Given | undefined,
): Readonly<Record<string, string>> {
  const names: readonly string[] = filterNames[list]
  const pairs = Object.entries(given ?? {}).map(([written, value]) => {
    const word = written.toLowerCase().replace(/[^a-z0-9]+/g, '_')
    const name = names.includes(word) ? word : otherNames[word]
    if (name !== undefined && names.includes(name)) return [name, textOf(written, value)] as const
    const meant =
      word === 'port' && names.includes('pod') ? ' Did you mean `pod` or `pol`?' : hint(word, names)
    throw new ServiceError('invalid', `There is no filter \`${written.slice(0, 60)}\` here.${meant}`)
  })
  const twice = pairs.find(([name], at) => pairs.findIndex(([other]) => other === name) < at)
  if (twice !== undefined) throw refused(twice[0], 'is given twice')
  return Object.fromEntries(pairs)
}

function textOf(name: string, value: unknown): string {
  const values = Array.isArray(value) ? value : [value]
  if (values.every((each) => ['string', 'number', 'boolean'].includes(typeof each))) return values.join(',')
  throw refused(name, 'is a text')
}

/** How line, ports and statuses were understood, for the reader of the answer. */
export function writeUnderstood(filter: {
  readonly scac?: string | null
  readonly pol?: string | readonly string[] | null
  readonly pod?: string | readonly string[] | null
  readonly status?: string | readonly string[] | null
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
    ...(filter.status ? { status: [filter.status].flat().join(', ') } : {}),
  }
}

export function requestFilter(given: Readonly<Record<string, string>>): TrackingRequestFilter {
  const type = readValue(given, 'request_type', (name, text) =>
    readWords(name, text, { values: requestTypes, words: requestTypeWords }),
  )
  if (type !== null && type.length > 1) throw refused('request_type', 'is one kind only')
  return {
    q: given['q'] ?? null,
    requestNumber: readValue(given, 'request_number', (_name, text) => tidyNumber(null, text)),
    requestType: type?.[0] ?? null,
    status: readValue(given, 'status', (name, text) =>
      readWords(name, text, { values: requestStatuses, words: requestWords }),
    ),
    scac: readValue(given, 'scac', readLine),
    failedReason: readValue(given, 'failed_reason', (name, text) => {
      const [reason, ...others] = readWords(name, text, { values: failedReasons })
      if (others.length > 0) throw refused(name, 'is one reason only')
      return reason ?? null
    }),
    refNumber: given['ref_number'] ?? null,
    tags: tagsOf(given),
    createdAt: since('created_after', given['created_after']),
    updatedAt: since('updated_after', given['updated_after']),
  }
}

export function containerFilter(given: Readonly<Record<string, string>>): ContainerFilter {
  return {
    ...routeFilter(given),
    number: null,
    numbers: readValue(given, 'number', readContainerNumbers),
    status: readValue(given, 'status', (name, text) =>
      readWords(name, text, { values: containerStatuses, words: containerWords }),
    ),
    earliestLfd: {
      start: readValue(given, 'lfd_after', readDay),
      end: readValue(given, 'lfd_before', readDay),
    },
    isHeld: readValue(given, 'held', readFlag),
    hold: readValue(given, 'hold', (name, text) => readWords(name, text, { values: holdNames })[0] ?? null),
  }
}

export function shipmentFilter(
  given: Readonly<Record<string, string>>,
  of: { readonly number?: string; readonly query?: string; readonly tracking_stopped?: boolean },
): ShipmentFilter {
  return {
    ...routeFilter(given),
    q: of.query ?? null,
    number: of.number ?? null,
    trackingStopped: of.tracking_stopped ?? null,
    status: readValue(given, 'status', (name, text) =>
      readWords(name, text, { values: shipmentStatuses, words: shipmentWords }),
    ),
  }
}

function routeFilter(given: Readonly<Record<string, string>>) {
  const codes = (name: 'pol' | 'pod') =>
    readValue(given, name, readPlaces)?.map(({ unlocode }) => unlocode) ?? null
  return {
    scac: readValue(given, 'scac', readLine),
    pol: codes('pol'),
    pod: codes('pod'),
    vesselImo: given['vessel_imo'] ?? null,
    terminalId: given['terminal_id'] ?? null,
    podEtaAt: {
      start: readValue(given, 'eta_after', readInstant),
      end: readValue(given, 'eta_before', readInstant),
    },
    refNumber: given['ref_number'] ?? null,
    tags: tagsOf(given),
    createdAt: since('created_after', given['created_after']),
    updatedAt: since('updated_after', given['updated_after']),
  }
}

function readValue<Value>(
  given: Readonly<Record<string, string>>,
  name: string,
  read: (name: string, text: string) => Value,
): Value | null {
  const text = given[name]
  return text === undefined ? null : read(name, text)
}

/** One number, or several with commas or spaces between them. */
function readContainerNumbers(name: string, text: string): readonly string[] {
  const parts = text.split(/[,;\n]+/).flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
  if (parts.length > numbersMax) throw refused(name, `takes ${numbersMax} numbers at most`)
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
      : `\`${name}\` is a container number such as MSCU4000005. Bills and bookings: list_shipments or search_container.`,
  )
}

function tagsOf(given: Readonly<Record<string, string>>): readonly string[] | null {
  return given['tag'] === undefined ? null : [given['tag']]
}

export function since(name: string, given: string | undefined): TimeRange {
  return given === undefined ? anyTime : { start: readInstant(name, given), end: null }
}
