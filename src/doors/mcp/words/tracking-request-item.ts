/** A tracking request as agents see it. */

import type { TrackingRequestReading } from '../../../store/read/tracking-requests.ts'
import { flag, numberOrNull, row, text, textOrNull, texts } from '../tool/schema.ts'
import { fenceUnlessCode } from './fence.ts'
import { writeLabels } from './labels.ts'
import { writeInstant } from './local-time.ts'

export const trackingRequestItem = row({
  id: text,
  requestType: text,
  requestNumber: text,
  scac: textOrNull,
  status: text,
  failedReason: textOrNull,
  isRetrying: flag,
  retryCount: numberOrNull,
  refNumbers: texts,
  shipmentId: textOrNull,
  createdAt: text,
  updatedAt: text,
})

export function writeTrackingRequest(request: TrackingRequestReading) {
  return {
    id: request.id,
    requestType: request.requestType,
    requestNumber: fenceUnlessCode(request.requestNumber),
    scac: fenceUnlessCode(request.scac),
    status: request.status,
    failedReason: request.failedReason,
    isRetrying: request.isRetrying,
    retryCount: request.retryCount,
    refNumbers: writeLabels(request.refNumbers),
    shipmentId: request.shipmentId,
    createdAt: writeInstant(request.createdAt, null),
    updatedAt: writeInstant(request.updatedAt, null),
  }
}
