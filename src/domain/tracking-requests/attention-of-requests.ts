/** A tracking request that failed: why, and what a person can do. */

import { type AttentionItem, makeAttentionItem } from '../view/attention-item.ts'
import type { FailedReason } from './tracking-request-state.ts'

export interface AttentionRequest {
  readonly id: string
  readonly number: string
  readonly scac: string | null
  readonly shipmentId: string | null
  readonly failedReason: string
  readonly updatedAt: string
}

export function requestItem(request: AttentionRequest): AttentionItem {
  const { id, number, scac, failedReason, shipmentId } = request
  const advice = advices[failedReason as FailedReason] ?? advices.not_found
  return makeAttentionItem('tracking_failed', id, {
    trackingRequestId: id,
    shipmentId,
    since: request.updatedAt,
    short: shortOf[failedReason as FailedReason] ?? shortOf.not_found,
    text: `${number}${scac === null ? '' : ` (${scac})`} is not tracked. ${advice}`,
    foreign: [number],
    after: failedReason,
  })
}

const shortOf: Readonly<Record<FailedReason, string>> = {
  awaiting_manifest: 'Not tracked: no data yet',
  booking_cancelled: 'Not tracked: booking cancelled',
  duplicate: 'Tracked under another request',
  expired: 'Not tracked: never any data',
  internal_processing_error: 'Not tracked: fault of the installation',
  invalid_number: 'Not tracked: no number of this line',
  not_found: 'Not tracked: unknown to the line',
  retries_exhausted: 'Not tracked: line not reached',
  shipping_line_unreachable: 'Not tracked: line not reached',
  unrecognized_response: 'Not tracked: answer not readable',
  data_unavailable: 'Not tracked: line gives no data',
  scac_auto_detect_failed: 'Not tracked: no line knows it',
}

const check = 'Check the number and the line, and request it again.'
const advices: Readonly<Record<FailedReason, string>> = {
  awaiting_manifest: 'The line has no data for it yet. Request it again later.',
  booking_cancelled: 'The line says that the booking is cancelled. Ask the line if this is wrong.',
  duplicate: 'The same is tracked under another request. You need to do nothing.',
  expired: 'The line never had data for it. Check the number, and request it again when the line has the booking.',
  internal_processing_error: 'This is a fault of the installation. Request it again, and tell its operator.',
  invalid_number: 'The line says that this is none of its numbers. Check the number and the line.',
  not_found: `The line does not know this number. ${check}`,
  retries_exhausted: 'The line could not be reached for about a day. Request it again.',
  shipping_line_unreachable: 'The line could not be reached. Request it again.',
  unrecognized_response: 'The answer of the line could not be read. Request it again, and tell the operator.',
  data_unavailable: 'The line knows the number but gives no data. Request it again later, or ask the line.',
  scac_auto_detect_failed: 'No line was found that knows it. Request it again and name the line (SCAC).',
}
