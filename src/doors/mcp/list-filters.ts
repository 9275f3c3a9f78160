/**
 * From what an agent asks of a list to the filters that the verbs know. Filters come as a map of texts: what is no value
 * of a filter is refused by name, a name that nobody knows is told in the answer.
 */

import { isOneOf } from '../../core/codes.ts'
import { containerStatuses } from '../../core/projection.ts'
import { requestStatuses, requestTypes } from '../../core/tracking-request-state.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { ServiceError } from '../../service/errors.ts'
import { shipmentStatuses } from '../../service/shipments/shipment-status.ts'
import type { ContainerFilter } from '../../store/read/containers.ts'
import { anyTime, type TimeRange } from '../../store/read/page.ts'
import type { ShipmentFilter } from '../../store/read/shipments.ts'
import type { TrackingRequestFilter } from '../../store/read/tracking-requests.ts'

export type Given = Readonly<Record<string, string | undefined>>

const route = ['scac', 'pol', 'pod', 'vessel_imo', 'eta_after', 'eta_before', 'ref_number', 'tag'] as const
const times = ['created_after', 'updated_after'] as const

export const filterNames = {
  shipments: ['status', ...route, ...times],
  containers: ['number', 'status', ...route, 'lfd_after', 'lfd_before', 'held', 'hold', ...times],
  requests: ['q', 'request_number', 'request_type', 'status', 'scac', 'ref_number', 'tag', ...times],
} as const satisfies Readonly<Record<string, readonly string[]>>

export function unknownFilters(list: keyof typeof filterNames, given: Given): readonly string[] {
  return Object.keys(given).filter((name) => !isOneOf(filterNames[list], name))
}

export function requestFilter(given: Given): TrackingRequestFilter {
  return {
    q: given['q'] ?? null,
    requestNumber: given['request_number'] ?? null,
    requestType: oneOf('request_type', requestTypes, given['request_type']),
    status: oneOf('status', requestStatuses, given['status']),
    scac: readScac(given['scac']),
    refNumber: given['ref_number'] ?? null,
    tags: readTag(given),
    createdAt: since('created_after', given['created_after']),
    updatedAt: since('updated_after', given['updated_after']),
  }
}

export function containerFilter(given: Given): ContainerFilter {
  const held = oneOf('held', ['true', 'false'], given['held'])
  return {
    ...routeFilter(given),
    number: given['number'] ?? null,
    status: oneOf('status', containerStatuses, given['status']),
    pickupLfd: { start: day('lfd_after', given['lfd_after']), end: day('lfd_before', given['lfd_before']) },
    isHeld: held === null ? null : held === 'true',
    hold: given['hold'] ?? null,
  }
}

export function shipmentFilter(of: {
  readonly number?: string
  readonly query?: string
  readonly tracking_stopped?: boolean
  readonly filters?: Given
}): ShipmentFilter {
  const given = of.filters ?? {}
  const status = oneOf('status', shipmentStatuses, given['status'])
  return {
    ...routeFilter(given),
    q: of.query ?? null,
    number: of.number ?? null,
    trackingStopped: of.tracking_stopped ?? null,
    status: status === null ? null : [status],
  }
}

function routeFilter(given: Given) {
  return {
    scac: readScac(given['scac']),
    pol: readCode(given['pol']),
    pod: readCode(given['pod']),
    vesselImo: given['vessel_imo'] ?? null,
    podEtaAt: {
      start: instant('eta_after', given['eta_after']),
      end: instant('eta_before', given['eta_before']),
    },
    refNumber: given['ref_number'] ?? null,
    tags: readTag(given),
    createdAt: since('created_after', given['created_after']),
    updatedAt: since('updated_after', given['updated_after']),
  }
}

function oneOf<const T extends string>(
  name: string,
  values: readonly T[],
  given: string | undefined,
): T | null {
  if (given === undefined) return null
  const value = values.find((each) => each === given)
  if (value === undefined) throw refused(name, `is one of ${values.join(', ')}`)
  return value
}

function readScac(given: string | undefined): string | null {
  return given?.trim().toUpperCase() ?? null
}

/** A UN/LOCODE; other codes of the place stand for it. */
function readCode(given: string | undefined): string | null {
  if (given === undefined) return null
  const code = given.trim().toUpperCase()
  return findPlaceByCode(code)?.unlocode ?? code
}

function readTag(given: Given): readonly string[] | null {
  return given['tag'] === undefined ? null : [given['tag']]
}

export function since(name: string, given: string | undefined): TimeRange {
  return given === undefined ? anyTime : { start: instant(name, given), end: null }
}

function instant(name: string, given: string | undefined): string | null {
  if (given === undefined) return null
  const ms = /^\d{4}-\d{2}-\d{2}/.test(given) ? Date.parse(given) : Number.NaN
  if (Number.isNaN(ms)) throw refused(name, 'is a time such as 2026-01-31T00:00:00Z')
  return new Date(ms).toISOString()
}

function day(name: string, given: string | undefined): string | null {
  if (given === undefined) return null
  if (!/^\d{4}-\d{2}-\d{2}$/.test(given)) throw refused(name, 'is a day such as 2026-01-31')
  return given
}

function refused(name: string, sentence: string): ServiceError {
  return new ServiceError('invalid', `\`${name}\` ${sentence}.`)
}
