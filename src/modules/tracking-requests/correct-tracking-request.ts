/**
 * Corrects a tracking request that names a wrong line, number or kind: makes the right one with the same references and
 * tags, then stops what the wrong one tracks. The wrong one needs nobody any more. Nothing of it is changed where the
 * right one is refused.
 */

import { anyTime } from '../../db/listing/page.ts'
import type { RequestType } from '../../domain/tracking-requests/tracking-request-state.ts'
import { type Context, requireScope } from '../access/context.ts'
import { markDone } from '../attention/update-entry.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { getShipment } from '../shipments/get-shipment.ts'
import { stopTracking } from '../shipments/stop-tracking.ts'
import { getTrackingRequest } from './get-tracking-request.ts'
import { listTrackingRequests } from './list-tracking-requests.ts'
import type { TrackingRequestReading } from './list-tracking-requests-sql.ts'
import { requestTracking } from './request-tracking.ts'

export interface CorrectionResult {
  readonly made: TrackingRequestReading
  readonly wrong: TrackingRequestReading
  readonly isStopped: boolean
}

/** Null: as in the wrong request. */
export async function correctTrackingRequest(
  service: Service,
  context: Context,
  input: {
    readonly id: string
    readonly scac: string | null
    readonly number: string | null
    readonly requestType: RequestType | null
  },
): Promise<CorrectionResult> {
  requireScope(context, 'write')
  const wrong = await getTrackingRequest(service, context, { id: input.id })
  const right = {
    requestType: input.requestType ?? wrong.requestType,
    requestNumber: input.number ?? wrong.requestNumber,
    scac: input.scac ?? wrong.scac,
  }
  const isSame =
    right.requestType === wrong.requestType && right.requestNumber === wrong.requestNumber && right.scac === wrong.scac
  if (isSame) throw new ServiceError('invalid', 'The request has this line, number and kind already.')
  const retained = { refNumbers: wrong.refNumbers, shipmentTags: wrong.shipmentTags }
  const { scac, ...numbered } = right
  const { id } = await (scac === null
    ? requestTracking(service, context, { ...numbered, ...retained, scac })
    : requestTracking(service, context, { ...numbered, ...retained, scac }))
  const isStopped = await stopWrongShipment(service, context, wrong)
  await markDone(service, context, { id: wrong.id })
  return { made: await getTrackingRequest(service, context, { id }), wrong, isStopped }
}

const everyRequest = {
  q: null,
  requestNumber: null,
  requestType: null,
  scac: null,
  createdAt: anyTime,
  updatedAt: anyTime,
} as const

async function stopWrongShipment(service: Service, context: Context, wrong: TrackingRequestReading): Promise<boolean> {
  if (wrong.shipmentId === null || wrong.status !== 'created') return false
  const shipment = await getShipment(service, context, { id: wrong.shipmentId })
  if (shipment.trackingStoppedAt !== null) return false
  const { total } = await listTrackingRequests(service, context, {
    filter: { ...everyRequest, status: 'created', shipmentId: shipment.id },
    order: '-created_at',
    page: { number: 1, size: 1 },
  })
  // Another request was for the same shipment and was not wrong.
  if (total > 1) return false
  await stopTracking(service, context, { id: shipment.id })
  return true
}
