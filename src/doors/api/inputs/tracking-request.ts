/** What a body may say of a tracking request: a new one, and the references of one that is there. */

import { Type } from 'typebox'
import { type RequestType, requestTypes } from '../../../core/tracking-request-state.ts'
import type { TrackingRequestInput } from '../../../service/tracking/request-tracking.ts'
import { readAttributes } from '../body.ts'
import { bodyOf } from '../operation.ts'
import { pointerFault } from '../problem.ts'
import { closed, readOnlyOf, shortTexts } from './attributes.ts'

/** `booking` is what inference calls it. */
const acceptedTypes = [...requestTypes, 'booking'] as const

const newRequest = Type.Object(
  {
    request_type: Type.Unsafe<(typeof acceptedTypes)[number]>({ type: 'string', enum: acceptedTypes }),
    request_number: Type.String({ minLength: 1, maxLength: 40 }),
    scac: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 40,
        description: 'Of the shipping line. Empty is none.',
      }),
    ),
    auto_detect_vocc_scac: Type.Optional(
      Type.Boolean({ description: 'Not available yet: name the line in `scac`.' }),
    ),
    ref_numbers: Type.Optional(shortTexts),
    shipment_tags: Type.Optional(shortTexts),
  },
  closed,
)

export const trackingRequestBody = bodyOf('tracking_request', newRequest)
const newRequestReadOnly = readOnlyOf('tracking_request', newRequest)

interface NewRequest {
  readonly request_type: RequestType | 'booking'
  readonly request_number: string
  readonly scac?: string | null
  readonly auto_detect_vocc_scac?: boolean
  readonly ref_numbers?: readonly string[] | null
  readonly shipment_tags?: readonly string[] | null
}

export function readNewRequest(body: unknown): TrackingRequestInput {
  const given = readAttributes<NewRequest>(body, {
    type: 'tracking_request',
    id: null,
    attributes: newRequest,
    readOnly: newRequestReadOnly,
  })
  // Taken silently, it would be lost.
  if (namesCustomer(body)) {
    throw pointerFault('invalid', '/data/relationships/customer', 'Parties are not available here yet.')
  }
  const scac = (given.scac ?? '').trim()
  if (scac === '') {
    const detail = given.auto_detect_vocc_scac
      ? 'Finding the line by itself is not enabled here yet: give the SCAC of the shipping line.'
      : 'The SCAC of the shipping line is needed.'
    throw pointerFault('invalid', '/data/attributes/scac', detail)
  }
  return {
    requestType: given.request_type === 'booking' ? 'booking_number' : given.request_type,
    requestNumber: given.request_number,
    scac,
    refNumbers: given.ref_numbers ?? [],
    shipmentTags: given.shipment_tags ?? [],
  }
}

function namesCustomer(body: unknown): boolean {
  const { data } = body as {
    readonly data?: { readonly relationships?: { readonly customer?: { data?: unknown } | null } | null }
  }
  return (data?.relationships?.customer?.data ?? null) !== null
}

const changes = Type.Object(
  {
    ref_numbers: Type.Optional(shortTexts),
    ref_number: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 200 })),
  },
  closed,
)
export const trackingRequestChangesBody = bodyOf('tracking_request', changes)
const changesReadOnly = readOnlyOf('tracking_request', changes)

/** Null when the body changes nothing. `ref_number` is an older spelling for one. */
export function readRequestChanges(
  body: unknown,
  id: string,
): { readonly refNumbers: readonly string[] } | null {
  const given = readAttributes<{ ref_numbers?: string[] | null; ref_number?: string | null }>(body, {
    type: 'tracking_request',
    id,
    attributes: changes,
    readOnly: changesReadOnly,
  })
  if (given.ref_numbers !== undefined) return { refNumbers: given.ref_numbers ?? [] }
  if (given.ref_number === undefined) return null
  return { refNumbers: given.ref_number === null || given.ref_number === '' ? [] : [given.ref_number] }
}
