/**
 * `track_container`: shows what is already tracked; otherwise creates a tracking request and shows its state, or shows
 * the lines that the number may belong to.
 */

import { type RequestType, requestTypes } from '../../domain/tracking-requests/tracking-request-state.ts'
import { removeInvisibleCharacters } from '../../domain/values/identifiers.ts'
import type { Inference } from '../../inference/infer.ts'
import { ServiceError } from '../../modules/errors.ts'
import { findAnsweringContainers, findTracked } from '../../modules/search/find-tracked.ts'
import { journeyNow } from '../../modules/service.ts'
import type { ShipmentReading } from '../../modules/shipments/list-shipments-sql.ts'
import { listAttempts } from '../../modules/tracking-requests/list-attempts.ts'
import { isOfLine, type TrackNumberResult, trackNumber } from '../../modules/tracking-requests/track-number.ts'
import { Type } from '../../platform/json-schema.ts'
import { readLine } from '../lists/filter-values.ts'
import { followUpsOf } from '../presenters/container-metadata.ts'
import {
  containerSnapshot,
  writeContainerSnapshot,
  writeShipmentOfContainer,
} from '../presenters/container-snapshot.ts'
import { describeRequest } from '../presenters/describe-request.ts'
import { markUnlessCode } from '../presenters/fence.ts'
import { inferenceResult, whyUnsure, writeInference } from '../presenters/inference-result.ts'
import { writeInstant } from '../presenters/local-time.ts'
import { trackingRequestItem, writeTrackingRequest } from '../presenters/tracking-request-item.ts'
import { closed, oneOf } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { flag, list, object, optional, text, textOrNull } from '../tool/schema.ts'
import { defineTool, makeResult, type ToolAnswer, type ToolContext } from '../tool/tool.ts'

interface TrackingInput {
  readonly number: string
  readonly requestType: RequestType | null
  readonly scac: string | null
  readonly refNumbers: readonly string[]
  readonly isAgain: boolean
}

export const trackContainer = defineTool({
  name: 'track_container',
  title: 'Track a number',
  about:
    'Shows what is tracked under a container, bill or booking number, or begins to track it. Without `scac` the line is found from the number, or the user is asked.',
  effect: 'change',
  isOpenWorld: true,
  input: Type.Object(
    {
      number: Type.Optional(Type.String({ description: 'Container, bill or booking number' })),
      numberType: Type.Optional(oneOf([...requestTypes, 'booking'], 'Kind of the number; leave out if not known')),
      scac: Type.Optional(Type.String({ description: 'Shipping line, by SCAC or name; only if the user named it' })),
      refNumbers: Type.Optional(
        Type.Array(Type.String(), { maxItems: 100, description: 'References of the user for this number' }),
      ),
      again: Type.Optional(Type.Boolean({ description: 'Ask again for a number that failed or was stopped' })),
      containerNumber: Type.Optional(Type.String({ deprecated: true, description: 'Deprecated: use `number`' })),
      bookingNumber: Type.Optional(Type.String({ deprecated: true, description: 'Deprecated: use `number`' })),
    },
    closed,
  ),
  output: object({
    tracking_request_created: flag,
    tracking_request: optional(trackingRequestItem),
    infer_result: optional(object(inferenceResult)),
    needs_confirmation: optional(flag),
    next_look_at: optional(textOrNull),
    other_requests: optional(list(trackingRequestItem)),
    error: optional(text),
    message: optional(text),
    // The other members are those of `get_container`, for the first container found. Their details are in that tool's
    // schema.
    ...Object.fromEntries(Object.keys(containerSnapshot).map((name) => [name, optional(snapshotProperty(name))])),
    other_containers: optional(list(object({ id: text, number: text, container_number: text }))),
    _response_contract: responseContract,
  }),
  run: async (toolContext, input) => {
    const number = removeInvisibleCharacters(input.number ?? input.containerNumber ?? input.bookingNumber ?? '').trim()
    if (number.length > 40) throw new ServiceError('invalid', 'A number must not be longer than 40 characters.')
    if (number === '') throw new ServiceError('invalid', 'Give the `number` to track.')
    const wanted: TrackingInput = {
      number,
      requestType: readRequestType(input),
      scac: input.scac?.trim() ? readLine('scac', input.scac) : null,
      refNumbers: input.refNumbers ?? [],
      isAgain: input.again ?? false,
    }
    return (await showTracked(toolContext, wanted)) ?? startTracking(toolContext, wanted)
  },
})

function snapshotProperty(name: string) {
  const whole: object = containerSnapshot[name as keyof typeof containerSnapshot]
  return Type.Unsafe('properties' in whole && 'type' in whole ? { type: whole.type } : whole)
}

function readRequestType(input: {
  readonly numberType?: RequestType | 'booking'
  readonly number?: string
  readonly containerNumber?: string
  readonly bookingNumber?: string
}): RequestType | null {
  // infer_number calls this type `booking`.
  if (input.numberType === 'booking') return 'booking_number'
  if (input.numberType !== undefined || input.number !== undefined) return input.numberType ?? null
  return input.containerNumber === undefined ? 'booking_number' : 'container'
}

/** Null when nothing that is tracked has exactly this number. */
async function showTracked(toolContext: ToolContext, wanted: TrackingInput): Promise<ToolAnswer | null> {
  const { service, context } = toolContext
  const found = findAnsweringContainers(await findTracked(service, context, wanted.number), wanted)
  const [first, ...others] = found
  if (first === undefined) return null
  const now = journeyNow(service, context.account.isSandbox)
  const snapshot = writeContainerSnapshot({ ...first, now })
  const notes = notesOf(first.shipment, wanted)
  return makeResult(
    {
      tracking_request_created: false,
      ...(notes.length === 0 ? {} : { message: notes.join(' ') }),
      ...snapshot,
      shipment: writeShipmentOfContainer(first.shipment),
      ...(others.length === 0
        ? {}
        : {
            other_containers: others.map(({ container: { id, projection } }) => ({
              id,
              number: projection.number,
              container_number: projection.number,
            })),
          }),
      _response_contract: writeContract(),
    },
    {
      presentation: snapshot._metadata.presentation_guidance,
      followUps: followUpsOf(snapshot._metadata.container_state),
      tools: snapshot._metadata.suggestions,
    },
    [{ uri: toolContext.uriOf('container', first.container.id), name: first.container.projection.number }],
  )
}

/** Which of the caller's wishes were ignored because the number is tracked already. */
function notesOf(shipment: ShipmentReading, { scac, refNumbers }: TrackingInput): readonly string[] {
  const missing = refNumbers.filter((each) => !shipment.refNumbers.includes(each.trim()))
  return [
    ...(isOfLine(shipment, scac)
      ? []
      : [
          `It is tracked by ${shipment.scac}, which knows it, so ${markUnlessCode(scac)} was not asked. If the line is wrong: stop_tracking for the shipment, then call again.`,
        ]),
    ...(missing.length === 0
      ? []
      : ['`refNumbers` were not added, because it is tracked already: use update_shipment with `add_ref_numbers`.']),
  ]
}

async function startTracking(toolContext: ToolContext, wanted: TrackingInput): Promise<ToolAnswer> {
  const { service, context, choice } = toolContext
  const chosen = choice.kind === 'chosen' ? choice.value : null
  const noLine = noLines.find(({ answer }) => answer === chosen)
  if (noLine !== undefined) return withoutLine(noLine.message)
  const tracked = await trackNumber(service, context, { ...wanted, chosen })
  return tracked.kind === 'request'
    ? describeTracked(toolContext, tracked)
    : confirmLine(toolContext, wanted, tracked.inference)
}

/** Answers to the question for the line that name none. */
const noLines = [
  {
    answer: 'another',
    title: 'Another line',
    message: 'It is another line: ask the user which, and call again with `scac` (a name or SCAC).',
  },
  {
    answer: 'unknown',
    title: 'I do not know',
    message: 'The user does not know the line: ask for the document of the number, or for a container number.',
  },
] as const

function withoutLine(message: string): ToolAnswer {
  return makeResult(
    { tracking_request_created: false, needs_confirmation: true, message, _response_contract: writeContract() },
    { presentation: 'Say that nothing is tracked yet, and why.', tools: ['get_supported_shipping_lines'] },
  )
}

/** A line with less confidence is a guess that only distracts. */
const confidenceMin = 0.05

function confirmLine(toolContext: ToolContext, { number }: TrackingInput, given: Inference): ToolAnswer {
  const candidates = given.shippingLine.candidates.filter(({ confidence }) => confidence >= confidenceMin)
  const inference = { ...given, shippingLine: { ...given.shippingLine, candidates } }
  if (toolContext.canAskUser && toolContext.choice.kind === 'unasked' && candidates.length > 0) {
    return {
      kind: 'ask',
      question: {
        message: `Which shipping line has the number ${number.replace(/[^\w./ -]/g, '')}?`,
        schema: {
          type: 'object',
          properties: {
            choice: {
              type: 'string',
              title: 'Shipping line',
              oneOf: [
                ...candidates.map(({ scac, name, confidence }) => ({
                  const: scac,
                  title: `${name} (${scac}), ${Math.round(confidence * 100)} %`,
                })),
                ...noLines.map(({ answer, title }) => ({ const: answer, title })),
              ],
            },
          },
          required: ['choice'],
        },
      },
    }
  }
  return makeResult(
    {
      tracking_request_created: false,
      needs_confirmation: true,
      infer_result: writeInference(inference),
      message:
        candidates.length === 0
          ? `${whyUnsure(inference)} Ask the user for another number of the shipment, or for the line, and call again.`
          : `${whyUnsure(inference)} Ask the user which candidate it is and call again with \`scac\`.`,
      _response_contract: writeContract(),
    },
    {
      presentation: 'Show the candidates with their confidence and ask which line it is. Do not choose for the user.',
      followUps: ['Which shipping line is it?'],
      tools: ['track_container', 'get_supported_shipping_lines'],
    },
  )
}

async function describeTracked(
  { service, context }: ToolContext,
  { request, isNew, inference, others }: Extract<TrackNumberResult, { kind: 'request' }>,
): Promise<ToolAnswer> {
  const attemptsQuery = { id: request.id, page: { number: 1, size: 1 } }
  const [last] = isNew ? [] : (await listAttempts(service, context, attemptsQuery)).rows
  const { message, ...guidance } = describeRequest(request, last?.next.at ?? null)
  return makeResult(
    {
      tracking_request_created: isNew,
      tracking_request: writeTrackingRequest(request),
      next_look_at: last?.next.at ? writeInstant(last.next.at, null) : null,
      ...(inference === null ? {} : { infer_result: writeInference(inference) }),
      ...(others.length === 0 ? {} : { other_requests: others.map(writeTrackingRequest) }),
      message,
      _response_contract: writeContract(),
    },
    guidance,
  )
}
