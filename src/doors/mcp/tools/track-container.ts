/**
 * `track_container`: what is tracked already is shown; else a tracking request is made, by a line that is known, sure, or
 * was chosen by the user. A line is never guessed.
 */

import { Type } from 'typebox'
import { type RequestType, requestTypes } from '../../../core/tracking-request-state.ts'
import type { Inference } from '../../../inference/infer.ts'
import { ServiceError } from '../../../service/errors.ts'
import { inferNumber } from '../../../service/inference/infer-number.ts'
import { journeyNow } from '../../../service/service.ts'
import { getTrackingRequest } from '../../../service/tracking/get-tracking-request.ts'
import { listTrackingRequests } from '../../../service/tracking/list-tracking-requests.ts'
import { requestTracking } from '../../../service/tracking/request-tracking.ts'
import { containerSnapshot, writeContainerSnapshot, writeShipmentOfContainer } from '../container-snapshot.ts'
import { inferenceResult, writeInference } from '../inference-result.ts'
import { closed, oneOf } from '../inputs.ts'
import { requestFilter } from '../list-filters.ts'
import { responseContract, writeContract } from '../response-contract.ts'
import { flag, list, maybe, object, text } from '../schema.ts'
import { type Asking, result, type ToolAnswer, tool } from '../tool.ts'
import { trackingRequestItem, writeTrackingRequest } from '../tracking-request-item.ts'
import { findTracked } from './search-container.ts'

interface Wanted {
  readonly number: string
  readonly requestType: RequestType | null
  readonly scac: string | null
  readonly refNumbers: readonly string[]
}

export const trackContainer = tool({
  name: 'track_container',
  title: 'Track a number',
  about:
    'Show a container, bill or booking by number, or begin to track it. Without `scac` the line is inferred or the user asked.',
  effect: 'change',
  input: Type.Object(
    {
      number: Type.Optional(Type.String()),
      numberType: Type.Optional(oneOf(requestTypes)),
      scac: Type.Optional(Type.String()),
      refNumbers: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
      containerNumber: Type.Optional(Type.String({ deprecated: true })),
      bookingNumber: Type.Optional(Type.String({ deprecated: true })),
    },
    closed,
  ),
  output: object({
    tracking_request_created: flag,
    tracking_request: maybe(trackingRequestItem),
    infer_result: maybe(object(inferenceResult)),
    needs_confirmation: maybe(flag),
    error: maybe(text),
    message: maybe(text),
    // The rest is `get_container`'s, of the first container; what is inside is listed there.
    ...Object.fromEntries(Object.keys(containerSnapshot).map((name) => [name, maybe(partOf(name))])),
    other_containers: maybe(list(object({ id: text, container_number: text }))),
    _response_contract: responseContract,
  }),
  run: async (asking, input) => {
    const number = (input.number ?? input.containerNumber ?? input.bookingNumber ?? '').trim()
    if (number.length > 40) throw new ServiceError('invalid', 'No number is longer than 40 characters.')
    if (number === '') throw new ServiceError('invalid', 'Say which `number` is to be tracked.')
    const wanted: Wanted = {
      number,
      requestType: typeOf(input),
      scac: input.scac?.trim() || null,
      refNumbers: input.refNumbers ?? [],
    }
    return (await showTracked(asking, wanted)) ?? begin(asking, wanted)
  },
})

function partOf(name: string) {
  const whole: object = containerSnapshot[name as keyof typeof containerSnapshot]
  return Type.Unsafe('properties' in whole && 'type' in whole ? { type: whole.type } : whole)
}

function typeOf(input: {
  readonly numberType?: RequestType
  readonly number?: string
  readonly containerNumber?: string
  readonly bookingNumber?: string
}): RequestType | null {
  if (input.numberType !== undefined || input.number !== undefined) return input.numberType ?? null
  return input.containerNumber === undefined ? 'booking_number' : 'container'
}

/** Null when nothing tracked bears the very number. */
async function showTracked(asking: Asking, { number }: Wanted): Promise<ToolAnswer | null> {
  const found = await findTracked(asking, number)
  const plain = (each: string): string => each.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const same = (each: string): boolean => plain(each) === plain(number)
  const shipments = new Set(
    found.shipments
      .filter((each) => same(each.billOfLadingNumber) || same(each.normalizedNumber))
      .map(({ id }) => id),
  )
  const containers = found.containers.filter(
    (each) => same(each.projection.number) || shipments.has(each.shipmentId),
  )
  const [first, ...others] = containers
  const shipment = first === undefined ? undefined : found.byId.get(first.shipmentId)
  if (first === undefined || shipment === undefined) return null
  const now = journeyNow(asking.service, asking.context.account.isFiction)
  const snapshot = writeContainerSnapshot({ container: first, shipment, now })
  return result(
    {
      tracking_request_created: false,
      ...snapshot,
      shipment: writeShipmentOfContainer(shipment),
      ...(others.length === 0
        ? {}
        : {
            other_containers: others.map(({ id, projection }) => ({
              id,
              container_number: projection.number,
            })),
          }),
      _response_contract: writeContract(),
    },
    { presentation: snapshot._metadata.presentation_guidance, tools: snapshot._metadata.suggestions },
    [{ uri: asking.uriOf('container', first.id), name: first.projection.number }],
  )
}

async function begin(asking: Asking, wanted: Wanted): Promise<ToolAnswer> {
  const pending = await findPending(asking, wanted.number)
  if (pending !== null) return tellRequest(asking, pending, { isNew: false, inference: null })
  const { scac, requestType } = wanted
  const inference = scac !== null && requestType !== null ? null : await infer(asking, wanted.number)
  const chosen = scac ?? chosenLine(asking, inference)
  if (chosen === null) return confirm(asking, wanted, inference)
  await asking.takeTurn('create')
  const created = await requestTracking(asking.service, asking.context, {
    requestType: requestType ?? wireType(inference),
    requestNumber: wanted.number,
    scac: chosen,
    refNumbers: wanted.refNumbers,
    shipmentTags: [],
  })
  return tellRequest(asking, created.id, { isNew: true, inference })
}

/** The id of a request for the number that is under way and has nothing to show yet. */
async function findPending({ service, context }: Asking, number: string): Promise<string | null> {
  const found = await listTrackingRequests(service, context, {
    filter: requestFilter({ request_number: number }),
    order: '-created_at',
    page: { number: 1, size: 10 },
  })
  return found.rows.find(({ status }) => status !== 'failed' && status !== 'tracking_stopped')?.id ?? null
}

async function infer(asking: Asking, number: string): Promise<Inference> {
  await asking.takeTurn('infer')
  return inferNumber(asking.service, asking.context, { number })
}

function chosenLine({ choice }: Asking, inference: Inference | null): string | null {
  if (inference === null) return null
  const { decision, selected, candidates } = inference.shippingLine
  if (decision === 'auto_select') return selected?.scac ?? null
  // Only what was offered may be chosen.
  return choice.kind === 'chosen'
    ? (candidates.find(({ scac }) => scac === choice.value)?.scac ?? null)
    : null
}

function confirm(asking: Asking, { number }: Wanted, inference: Inference | null): ToolAnswer {
  const candidates = inference?.shippingLine.candidates ?? []
  if (asking.canAskUser && asking.choice.kind === 'unasked' && candidates.length > 0) {
    return {
      kind: 'ask',
      question: {
        message: `Which shipping line is ${number.replace(/[^\w./ -]/g, '')} of?`,
        schema: {
          type: 'object',
          properties: {
            choice: {
              type: 'string',
              title: 'Shipping line',
              oneOf: candidates.map(({ scac, name, confidence }) => ({
                const: scac,
                title: `${name} (${scac}), ${Math.round(confidence * 100)} %`,
              })),
            },
          },
          required: ['choice'],
        },
      },
    }
  }
  return result(
    {
      tracking_request_created: false,
      needs_confirmation: true,
      ...(inference === null ? {} : { infer_result: writeInference(inference) }),
      message:
        candidates.length === 0
          ? 'No shipping line is known for this number. Ask the user for its SCAC and call again with `scac`.'
          : 'The shipping line is not certain. Ask the user which candidate it is and call again with `scac`.',
      _response_contract: writeContract(),
    },
    {
      presentation:
        'Show the candidates with their confidence and ask which line it is. Do not choose for the user.',
      tools: ['track_container', 'get_supported_shipping_lines'],
    },
  )
}

function wireType(inference: Inference | null): RequestType {
  if (inference === null) return 'container'
  return inference.numberType === 'booking' ? 'booking_number' : inference.numberType
}

async function tellRequest(
  { service, context }: Asking,
  id: string,
  of: { readonly isNew: boolean; readonly inference: Inference | null },
): Promise<ToolAnswer> {
  const request = await getTrackingRequest(service, context, { id })
  return result(
    {
      tracking_request_created: of.isNew,
      tracking_request: writeTrackingRequest(request),
      ...(of.inference === null ? {} : { infer_result: writeInference(of.inference) }),
      message: 'The carrier is being asked; data usually comes within minutes. Nothing is known yet.',
      _response_contract: writeContract(),
    },
    {
      presentation:
        'Say that tracking has begun and data will follow. Do not state a status or an arrival yet.',
      followUps: ['Ask again in a few minutes.'],
      tools: ['track_container', 'list_tracking_requests'],
    },
  )
}
