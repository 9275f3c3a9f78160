/** From what an agent asks of a list to the filters that the verbs know; what is no value of a filter is refused by name. */

import type { ContainerStatus } from '../../core/projection.ts'
import { requestStatuses, requestTypes } from '../../core/tracking-request-state.ts'
import { ServiceError } from '../../service/errors.ts'
import type { ContainerFilter } from '../../store/read/containers.ts'
import type { TimeRange } from '../../store/read/page.ts'
import { anyTime } from '../../store/read/page.ts'
import type { ShipmentFilter } from '../../store/read/shipments.ts'
import type { TrackingRequestFilter } from '../../store/read/tracking-requests.ts'

type Given = Readonly<Record<string, string | undefined>>

export function requestFilter(given: Given): TrackingRequestFilter {
  return {
    q: given['q'] ?? null,
    requestNumber: given['request_number'] ?? null,
    requestType: oneOf('request_type', requestTypes, given['request_type']),
    status: oneOf('status', requestStatuses, given['status']),
    scac: readScac(given['scac']),
    createdAt: since('created_after', given['created_after']),
    updatedAt: since('updated_after', given['updated_after']),
  }
}

export function containerFilter(of: {
  readonly number?: string
  readonly status?: ContainerStatus
  readonly scac?: string
  readonly updated_after?: string
}): ContainerFilter {
  return {
    number: of.number ?? null,
    status: of.status ?? null,
    scac: readScac(of.scac),
    updatedAt: since('updated_after', of.updated_after),
  }
}

export function shipmentFilter(of: {
  readonly number?: string
  readonly query?: string
  readonly tracking_stopped?: boolean
}): ShipmentFilter {
  return {
    q: of.query ?? null,
    number: of.number ?? null,
    trackingStopped: of.tracking_stopped ?? null,
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

export function since(name: string, given: string | undefined): TimeRange {
  if (given === undefined) return anyTime
  const ms = /^\d{4}-\d{2}-\d{2}/.test(given) ? Date.parse(given) : Number.NaN
  if (Number.isNaN(ms)) throw refused(name, 'is a time such as 2026-01-31T00:00:00Z')
  return { start: new Date(ms).toISOString(), end: null }
}

function refused(name: string, sentence: string): ServiceError {
  return new ServiceError('invalid', `\`${name}\` ${sentence}.`)
}
