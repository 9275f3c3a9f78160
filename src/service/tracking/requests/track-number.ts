/**
 * From a bare number to its tracking request: what the account asked for already stands, unless another line is named or
 * it is to be asked again; else a line is asked that was named, is sure, or was chosen by the user. No line is guessed.
 */

import { testScac } from '../../../core/identifiers.ts'
import type { RequestType } from '../../../core/tracking-request-state.ts'
import type { Inference } from '../../../inference/infer.ts'
import { findShippingLine, tidyNumber } from '../../../reference/shipping-lines.ts'
import { anyTime } from '../../../store/read/page.ts'
import type { ShipmentReading } from '../../../store/read/shipments.ts'
import type { TrackingRequestReading } from '../../../store/read/tracking-requests.ts'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../errors.ts'
import { inferNumber } from '../../inference/infer-number.ts'
import { takeTurn } from '../../limits/take-turn.ts'
import type { Service } from '../../service.ts'
import { requestTypeOf } from './candidate-lines.ts'
import { containerNumberSlip } from './container-number-slip.ts'
import { getTrackingRequest } from './get-tracking-request.ts'
import { listTrackingRequests } from './list-tracking-requests.ts'
import { meantNumber } from './meant-number.ts'
import { requestTracking } from './request-tracking.ts'

export interface NumberToTrack {
  /** As it was sent. */
  readonly number: string
  /** Null where it is to be found out. */
  readonly requestType: RequestType | null
  readonly scac: string | null
  readonly refNumbers: readonly string[]
  /** What failed or has stopped does not stand: the line is asked anew. */
  readonly isAgain: boolean
  /** Which of the candidates the user chose, if they were asked. */
  readonly chosen: string | null
}

export type NumberTracked =
  | {
      readonly kind: 'request'
      readonly request: TrackingRequestReading
      readonly isNew: boolean
      /** Null where nothing had to be found out. */
      readonly inference: Inference | null
      /** The account's other requests for the number, newest first: a wrong line that was asked before. */
      readonly others: readonly TrackingRequestReading[]
    }
  | { readonly kind: 'line_unsure'; readonly inference: Inference }

/** Refuses what is no number, with a slip or a wrong check digit said as such, and what no request can be made of. */
export async function trackNumber(
  service: Service,
  context: Context,
  sent: NumberToTrack,
): Promise<NumberTracked> {
  const number = meantNumber(sent.number, { isSearch: sent.scac === null, pointer: null })
  const input = { ...sent, number }
  const requests = await requestsOfNumber(service, context, input.number)
  const standing = findStanding(requests, input)
  if (standing !== null) return tell(standing, { isNew: false, inference: null, requests })
  const meant = meantBy(input, requests)
  if ((meant.requestType ?? 'container') === 'container') {
    const slip = await containerNumberSlip(service, context, input.number)
    if (slip !== null) throw new ServiceError('invalid', slip)
  }
  const inference =
    meant.scac === null || meant.requestType === null ? await infer(service, context, input.number) : null
  const scac = meant.scac ?? lineOf(inference, input.chosen)
  if (scac === null && inference !== null) return { kind: 'line_unsure', inference }
  await takeTurn(service, context, { bucket: 'create' })
  const { id, isNew } = await request(service, context, {
    requestType: meant.requestType ?? (inference === null ? 'container' : requestTypeOf(inference)),
    requestNumber: input.number,
    scac: scac ?? '',
    refNumbers: input.refNumbers,
    shipmentTags: [],
  })
  return tell(await getTrackingRequest(service, context, { id }), { isNew, inference, requests })
}

/**
 * Whether a tracked shipment answers for its number: not where it has stopped and another line is named, or the number is
 * to be asked for again. One that its line still tells of does, for that line knows the number.
 */
export function answersFor(
  shipment: Pick<ShipmentReading, 'scac' | 'trackingStoppedAt'>,
  { scac, isAgain }: Pick<NumberToTrack, 'scac' | 'isAgain'>,
): boolean {
  return shipment.trackingStoppedAt === null || (!isAgain && isOfLine(shipment, scac))
}

/** Null names every line. */
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
      requestNumber: tidyNumber(null, number),
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

/** What is under way goes before what has ended, and of that the newest: its line was asked, and this is its answer. */
function findStanding(
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

/** A test number is of the test line; to be asked again without more means as before. */
function meantBy(
  { number, requestType, scac, isAgain }: NumberToTrack,
  requests: readonly TrackingRequestReading[],
): { readonly requestType: RequestType | null; readonly scac: string | null } {
  if (tidyNumber(null, number).startsWith('TEST-'))
    return { requestType: requestType ?? 'bill_of_lading', scac: scac ?? testScac }
  const before = isAgain && scac === null ? requests[0] : undefined
  return { requestType: requestType ?? before?.requestType ?? null, scac: scac ?? before?.scac ?? null }
}

async function infer(service: Service, context: Context, number: string): Promise<Inference> {
  await takeTurn(service, context, { bucket: 'infer' })
  return inferNumber(service, context, { number })
}

/** Only what was offered may be chosen. */
function lineOf(inference: Inference | null, chosen: string | null): string | null {
  if (inference === null) return null
  const { decision, selected, candidates } = inference.shippingLine
  if (decision === 'auto_select') return selected?.scac ?? null
  return candidates.find(({ scac }) => scac === chosen)?.scac ?? null
}

/** Of two that ask at the same moment, the second is told of the request of the first. */
async function request(
  service: Service,
  context: Context,
  input: Parameters<typeof requestTracking>[2],
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  try {
    return { ...(await requestTracking(service, context, input)), isNew: true }
  } catch (error) {
    const id =
      error instanceof ServiceError && error.code === 'duplicate' && error.meta?.['tracking_request_id']
    if (typeof id !== 'string') throw error
    return { id, isNew: false }
  }
}

function tell(
  request: TrackingRequestReading,
  of: {
    readonly isNew: boolean
    readonly inference: Inference | null
    readonly requests: readonly TrackingRequestReading[]
  },
): NumberTracked {
  const { requests, ...rest } = of
  return { kind: 'request', request, ...rest, others: requests.filter(({ id }) => id !== request.id) }
}
