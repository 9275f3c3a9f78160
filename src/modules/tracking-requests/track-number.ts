/**
 * From a bare number to its tracking request. A request that the account has already is the answer, unless another line
 * is named or the number must be polled again. Otherwise a line is polled: the line that was named, that is certain, or
 * that the user chose. No line is guessed.
 */

import { anyTime } from '../../db/listing/page.ts'
import type { RequestType } from '../../domain/tracking-requests/tracking-request-state.ts'
import { testScac } from '../../domain/values/identifiers.ts'
import type { Inference } from '../../inference/infer.ts'
import { compactNumber, findShippingLine } from '../../reference/shipping-lines.ts'
import type { Context } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import { inferNumber } from '../inference/infer-number.ts'
import type { Service } from '../service.ts'
import type { ShipmentReading } from '../shipments/list-shipments-sql.ts'
import { acquireQuotaSlot } from '../usage/acquire-quota-slot.ts'
import { requestTypeOf } from './candidate-lines.ts'
import { explainContainerNumberTypo } from './container-number-slip.ts'
import { extractNumber } from './extract-number.ts'
import { getTrackingRequest } from './get-tracking-request.ts'
import { listTrackingRequests } from './list-tracking-requests.ts'
import type { TrackingRequestReading } from './list-tracking-requests-sql.ts'
import { requestTracking } from './request-tracking.ts'

export interface NumberToTrack {
  /** The text as it was sent. */
  readonly number: string
  /** Null when the kind is to be found out. */
  readonly requestType: RequestType | null
  readonly scac: string | null
  readonly refNumbers: readonly string[]
  /** A request that failed, or whose tracking has stopped, is then no answer: the line is polled again. */
  readonly isAgain: boolean
  /** Which of the candidates the user chose, if they had to choose. */
  readonly chosen: string | null
}

export type TrackNumberResult =
  | {
      readonly kind: 'request'
      readonly request: TrackingRequestReading
      readonly isNew: boolean
      /** Null when nothing had to be found out. */
      readonly inference: Inference | null
      /** The account's other requests for the number, newest first: for example one to a wrong line. */
      readonly others: readonly TrackingRequestReading[]
    }
  | { readonly kind: 'line_unsure'; readonly inference: Inference }

/**
 * Refuses a text that is no number, and explains a typing mistake or a wrong check digit; refuses a number from which
 * no request can be made.
 */
export async function trackNumber(service: Service, context: Context, sent: NumberToTrack): Promise<TrackNumberResult> {
  const number = extractNumber(sent.number, { ...sent, pointer: null })
  const input = { ...sent, number }
  const requests = await requestsOfNumber(service, context, input.number)
  const existing = findExistingRequest(requests, input)
  if (existing !== null) return toTrackNumberResult(existing, { isNew: false, inference: null, requests })
  const resolved = resolveTypeAndLine(input, requests)
  if ((resolved.requestType ?? 'container') === 'container') {
    const slip = await explainContainerNumberTypo(service, context, input.number)
    if (slip !== null) throw new ServiceError('invalid', slip)
  }
  const inference =
    resolved.scac === null || resolved.requestType === null
      ? // The words around the number may say that it is a house bill.
        await inferWithinQuota(service, context, sent.number)
      : null
  const scac = resolved.scac ?? lineOf(inference, input.chosen)
  if (scac === null && inference !== null) return { kind: 'line_unsure', inference }
  await acquireQuotaSlot(service, context, { bucket: 'create' })
  const { id, isNew } = await requestOrFindDuplicate(service, context, {
    requestType: resolved.requestType ?? (inference === null ? 'container' : requestTypeOf(inference)),
    requestNumber: input.number,
    scac: scac ?? '',
    refNumbers: input.refNumbers,
    shipmentTags: [],
  })
  return toTrackNumberResult(await getTrackingRequest(service, context, { id }), {
    isNew,
    inference,
    requests,
  })
}

/**
 * Whether a tracked shipment is the answer for its number. It always is while its line still reports on it, because
 * that line knows the number. A shipment whose tracking has stopped is not when another line is named, or when the
 * number must be polled again.
 */
export function isAnswerFor(
  shipment: Pick<ShipmentReading, 'scac' | 'trackingStoppedAt'>,
  { scac, isAgain }: Pick<NumberToTrack, 'scac' | 'isAgain'>,
): boolean {
  return shipment.trackingStoppedAt === null || (!isAgain && isOfLine(shipment, scac))
}

/** `named` null means every line. */
export function isOfLine({ scac }: { readonly scac: string | null }, named: string | null): boolean {
  return named === null || scac === canonicalScac(named)
}

function canonicalScac(scac: string): string {
  return findShippingLine(scac)?.scac ?? scac.trim().toUpperCase()
}

async function requestsOfNumber(
  service: Service,
  context: Context,
  number: string,
): Promise<readonly TrackingRequestReading[]> {
  const { rows } = await listTrackingRequests(service, context, {
    filter: {
      q: null,
      requestNumber: compactNumber(null, number),
      requestType: null,
      status: null,
      scac: null,
      createdAt: anyTime,
      updatedAt: anyTime,
    },
    order: '-created_at',
    page: { number: 1, size: 25 },
  })
  return rows
}

/**
 * Live requests come before ended ones. Of those that ended the newest counts: its line was polled, and this is its
 * answer.
 */
function findExistingRequest(
  requests: readonly TrackingRequestReading[],
  { scac, isAgain }: NumberToTrack,
): TrackingRequestReading | null {
  const ofLine = requests.filter((each) => isOfLine(each, scac))
  for (const status of ['created', 'pending', 'awaiting_manifest']) {
    const live = ofLine.find((each) => each.status === status)
    if (live !== undefined) return live
  }
  return isAgain ? null : (ofLine[0] ?? null)
}

/**
 * A test number belongs to the test line. When a number must be polled again and no line is named, the line and kind of
 * the last request are used.
 */
function resolveTypeAndLine(
  { number, requestType, scac, isAgain }: NumberToTrack,
  requests: readonly TrackingRequestReading[],
): { readonly requestType: RequestType | null; readonly scac: string | null } {
  if (compactNumber(null, number).startsWith('TEST-'))
    return { requestType: requestType ?? 'bill_of_lading', scac: scac ?? testScac }
  const before = isAgain && scac === null ? requests[0] : undefined
  return { requestType: requestType ?? before?.requestType ?? null, scac: scac ?? before?.scac ?? null }
}

async function inferWithinQuota(service: Service, context: Context, number: string): Promise<Inference> {
  await acquireQuotaSlot(service, context, { bucket: 'infer' })
  return inferNumber(service, context, { number })
}

/** Only what was offered may be chosen. */
function lineOf(inference: Inference | null, chosen: string | null): string | null {
  if (inference === null) return null
  const { decision, selected, candidates } = inference.shippingLine
  if (decision === 'auto_select') return selected?.scac ?? null
  return candidates.find(({ scac }) => scac === chosen)?.scac ?? null
}

/** Of two calls at the same moment the second one returns the request of the first. */
async function requestOrFindDuplicate(
  service: Service,
  context: Context,
  input: Parameters<typeof requestTracking>[2],
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  try {
    return { ...(await requestTracking(service, context, input)), isNew: true }
  } catch (error) {
    const id = error instanceof ServiceError && error.code === 'duplicate' && error.meta?.['tracking_request_id']
    if (typeof id !== 'string') throw error
    return { id, isNew: false }
  }
}

function toTrackNumberResult(
  request: TrackingRequestReading,
  of: {
    readonly isNew: boolean
    readonly inference: Inference | null
    readonly requests: readonly TrackingRequestReading[]
  },
): TrackNumberResult {
  const { requests, ...rest } = of
  return { kind: 'request', request, ...rest, others: requests.filter(({ id }) => id !== request.id) }
}
