/** Bodies of tracking requests: a new one, and the reference numbers of an existing one. */

import type { Static } from 'typebox'
import { pointerFault } from '../../api/errors/problem.ts'
import { changesBodyOf, dataOf } from '../../api/openapi/operation.ts'
import { closed, readOnlyOf, shortTexts } from '../../api/request-body/attributes.ts'
import { readAttributes } from '../../api/request-body/body.ts'
import * as schema from '../../api/shape/schema.ts'
import {
  type RequestType,
  requestTypeOfKind,
  requestTypes,
} from '../../domain/tracking-requests/tracking-request-state.ts'
import { removeInvisibleCharacters } from '../../domain/values/identifiers.ts'
import { isObject } from '../../domain/values/json-value.ts'
import { requestedRoleNames } from '../../domain/values/party-role.ts'
import { Type } from '../../platform/json-schema.ts'
import { readIdentifier, slugSchema } from '../custom-fields/custom-field-input.ts'
import { givenValueSchema } from '../custom-fields/custom-field-value-resource.ts'
import type { InitialFieldsInput } from '../custom-fields/initial-fields.ts'
import type { LineDetectionInput, TrackingRequestInput } from './request-tracking.ts'
import { trackingRequest } from './tracking-request-resource.ts'

/** `booking` is the name that number inference uses. */
const acceptedTypes = [...requestTypes, 'booking'] as const

const initialField = Type.Object({ api_slug: slugSchema, value: givenValueSchema }, closed)
const containerOfField = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 40,
  description: 'If it is missing or empty: every container, also those that are added later.',
})
const initialFields = Type.Object(
  {
    shipment: Type.Optional(Type.Array(initialField, { maxItems: 100 })),
    containers: Type.Optional(
      Type.Array(Type.Object({ number: Type.Optional(containerOfField), ...initialField.properties }, closed), {
        maxItems: 500,
      }),
    ),
  },
  {
    ...closed,
    description: 'Checked at once. The shipment and its containers get the values when they exist.',
  },
)

const newRequest = Type.Object(
  {
    request_type: Type.Optional(
      Type.Unsafe<(typeof acceptedTypes)[number]>({
        type: 'string',
        enum: acceptedTypes,
        description: 'Optional with `auto_detect_vocc_scac`: then the kind is inferred.',
      }),
    ),
    request_number: Type.String({ minLength: 1, maxLength: 40 }),
    scac: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 40,
        description: 'SCAC of the shipping line. An empty text means none.',
      }),
    ),
    shipping_line_scac: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 40,
        description: 'Another name of `scac`, as shipments have it.',
      }),
    ),
    auto_detect_vocc_scac: Type.Optional(
      Type.Boolean({
        description:
          'Finds the carrier when `scac` is empty: the carriers that your account can poll are polled one after the other, the likeliest first. `scac` is null until one of them knows the number; `meta.line_search` shows the progress. If none knows it, the request fails with `scac_auto_detect_failed`.',
      }),
    ),
    ref_numbers: Type.Optional(shortTexts),
    shipment_tags: Type.Optional(shortTexts),
    initial_custom_fields: Type.Optional(initialFields),
  },
  closed,
)

const partyOrNone = schema.optional(
  schema.object({
    data: schema.anyOf([schema.object({ type: schema.constant('party'), id: schema.text() }), schema.nothing()]),
  }),
)

/** One item of a batch; also the `data` of a single request. */
export const trackingRequestItem = dataOf(
  'tracking_request',
  newRequest,
  schema.object({
    customer: partyOrNone,
    ...Object.fromEntries(requestedRoleNames.map((name) => [name, partyOrNone])),
  }),
)
export const trackingRequestBody = schema.object({ data: trackingRequestItem })
const newRequestReadOnly = readOnlyOf(trackingRequest, newRequest)

type NewRequest = Static<typeof newRequest>
type InitialField = Static<typeof initialField>

export function readNewRequest(body: unknown): TrackingRequestInput | LineDetectionInput {
  const given = readAttributes(withoutUnseenCharacters(body), {
    type: 'tracking_request',
    id: null,
    attributes: newRequest,
    readOnly: newRequestReadOnly,
    relationships: ['customer', ...requestedRoleNames],
  })
  const scac = readScac(given)
  const requestType = typeOf(given.request_type)
  const rest = {
    requestNumber: given.request_number,
    refNumbers: given.ref_numbers ?? [],
    shipmentTags: given.shipment_tags ?? [],
    customerId: readIdentifier(body, 'customer', ['party'])?.id ?? null,
    partyRoles: requestedRoleNames.flatMap((role) => {
      const party = readIdentifier(body, role, ['party'])
      return party === null ? [] : { role, partyId: party.id }
    }),
    initialFields: readInitialFields(given.initial_custom_fields),
  }
  if (scac === '' && given.auto_detect_vocc_scac === true) return { ...rest, requestType, scac: null }
  if (requestType === null) throw pointerFault('invalid', '/data/attributes/request_type', 'This attribute is needed.')
  if (scac === '') {
    const detail = 'The SCAC of the shipping line is needed, or `auto_detect_vocc_scac: true`.'
    throw pointerFault('invalid', '/data/attributes/scac', detail)
  }
  return { ...rest, requestType, scac }
}

/** The body without the characters in its number that nobody sees, so that they do not count in its length. */
function withoutUnseenCharacters(body: unknown): unknown {
  const data = isObject(body) ? body['data'] : undefined
  const attributes = isObject(data) ? data['attributes'] : undefined
  if (!isObject(body) || !isObject(data) || !isObject(attributes)) return body
  const number = attributes['request_number']
  if (typeof number !== 'string') return body
  return {
    ...body,
    data: { ...data, attributes: { ...attributes, request_number: removeInvisibleCharacters(number) } },
  }
}

/** The SCAC, empty when none is given. If both names are given they must agree: the intended one would be unknown. */
function readScac({ scac, shipping_line_scac: other }: NewRequest): string {
  const [primaryScac, its] = [(scac ?? '').trim(), (other ?? '').trim()]
  if (primaryScac === '') return its
  if (its === '' || its.toUpperCase() === primaryScac.toUpperCase()) return primaryScac
  const detail = 'This is another name of `scac`, but the two name different lines. Send one of them.'
  throw pointerFault('invalid', '/data/attributes/shipping_line_scac', detail)
}

function readInitialFields(given: NewRequest['initial_custom_fields']): InitialFieldsInput | null {
  if (given === undefined) return null
  const read = ({ api_slug: apiSlug, value }: InitialField) => ({ apiSlug, value })
  return {
    shipment: (given.shipment ?? []).map(read),
    containers: (given.containers ?? []).map((field) => ({
      ...read(field),
      number: field.number?.trim() || null,
    })),
  }
}

const changes = Type.Object(
  {
    ref_numbers: Type.Optional(shortTexts),
    ref_number: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 200 })),
  },
  closed,
)
export const trackingRequestChangesBody = changesBodyOf('tracking_request', changes)
const changesReadOnly = readOnlyOf(trackingRequest, changes)

/** Null when the body changes nothing. `ref_number` is an older name for a single reference. */
export function readRequestChanges(body: unknown, id: string): { readonly refNumbers: readonly string[] } | null {
  const given = readAttributes(body, {
    type: 'tracking_request',
    id,
    attributes: changes,
    readOnly: changesReadOnly,
  })
  if (given.ref_numbers !== undefined && given.ref_number !== undefined) {
    const detail = 'This is an older spelling of `ref_numbers`, which is given too. Send one of them.'
    throw pointerFault('invalid', '/data/attributes/ref_number', detail)
  }
  if (given.ref_numbers !== undefined) return { refNumbers: given.ref_numbers ?? [] }
  if (given.ref_number === undefined) return null
  return { refNumbers: given.ref_number === null || given.ref_number === '' ? [] : [given.ref_number] }
}

/** Null when the body gives no type. */
function typeOf(given: NewRequest['request_type']): RequestType | null {
  if (given === undefined) return null
  return given === 'booking' ? requestTypeOfKind(given) : given
}
