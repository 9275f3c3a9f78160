/** A tracking request as agents see it. */

import type { TrackingRequestReading } from '../../modules/tracking-requests/list-tracking-requests-sql.ts'
import { type Members, schemaOf, writeMembers } from '../tool/members.ts'
import { flag, numberOrNull, text, textOrNull, texts } from '../tool/schema.ts'
import { markUnlessCode } from './fence.ts'
import { writeLabels } from './labels.ts'
import { writeInstant } from './local-time.ts'

export const trackingRequestMembers: Members<TrackingRequestReading> = {
  id: [text, ({ id }) => id],
  requestType: [text, ({ requestType }) => requestType],
  requestNumber: [text, ({ requestNumber }) => markUnlessCode(requestNumber)],
  scac: [textOrNull, ({ scac }) => markUnlessCode(scac)],
  status: [text, ({ status }) => status],
  failedReason: [textOrNull, ({ failedReason }) => failedReason],
  isRetrying: [flag, ({ isRetrying }) => isRetrying],
  retryCount: [numberOrNull, ({ retryCount }) => retryCount],
  refNumbers: [texts, ({ refNumbers }) => writeLabels(refNumbers)],
  shipmentId: [textOrNull, ({ shipmentId }) => shipmentId],
  createdAt: [text, ({ createdAt }) => writeInstant(createdAt, null)],
  updatedAt: [text, ({ updatedAt }) => writeInstant(updatedAt, null)],
}

export const trackingRequestItem = schemaOf(trackingRequestMembers)

export function writeTrackingRequest(request: TrackingRequestReading): Readonly<Record<string, unknown>> {
  return writeMembers(trackingRequestMembers, request)
}
