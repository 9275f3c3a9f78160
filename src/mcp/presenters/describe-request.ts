/**
 * The state of a tracking request in sentences: the answers of its line, and when it is polled next. The sentences
 * promise nothing.
 */

import type { FailedReason } from '../../domain/tracking-requests/tracking-request-state.ts'
import type { TrackingRequestReading } from '../../modules/tracking-requests/list-tracking-requests-sql.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import type { Guidance } from '../tool/tool.ts'
import { markUnlessCode } from './fence.ts'
import { writeInstant } from './local-time.ts'

export interface RequestDescription extends Guidance {
  readonly message: string
}

/** `nextPollAt` is null when no poll is planned, or none was made yet. */
export function describeRequest(request: TrackingRequestReading, nextPollAt: string | null): RequestDescription {
  const line = nameOf(request.scac)
  const next = nextPollAt === null ? '' : ` Next look: ${writeInstant(nextPollAt, null)}.`
  const reason = request.failedReason
  switch (request.status) {
    case 'awaiting_manifest':
      return {
        message: `${line} does not know this number, or has no data for it yet. The line is polled again once a day, for a week.${next} ${whatToCheck}`,
        presentation: 'Say that the line does not know the number so far, and when it is polled next. Promise no data.',
        followUps: ['Is the number right?', `Is it a number of ${line}, or of another line?`],
        tools: ['track_container', 'infer_number'],
      }
    case 'failed':
      return {
        message: `${failures[reason as FailedReason]?.(line) ?? `It failed: ${reason}.`} The line is not polled again by itself. ${whatToCheck} \`again: true\` requests it again.`,
        presentation: 'Say that it is not tracked, and why. Ask whether number and line are right.',
        followUps: ['Is the number right?', `Is it a number of ${line}, or of another line?`],
        tools: ['track_container', 'infer_number'],
      }
    case 'created':
      return {
        message: `${line} knows this number, and has named no container yet. \`get_shipment_details\` with the shipment's id shows the rest.`,
        presentation: 'Say that it is tracked and that no container has been named yet.',
        followUps: ['What is known of the shipment?'],
        tools: ['get_shipment_details'],
      }
    case 'tracking_stopped':
      return {
        message:
          'It was tracked, and tracking has stopped. `resume_tracking` with the shipment’s id continues; `again: true` requests it again.',
        presentation: 'Say that tracking has stopped.',
        followUps: ['Shall it be tracked again?'],
        tools: ['get_shipment_details', 'resume_tracking', 'track_container'],
      }
    default:
      return describePending(request, line, next)
  }
}

const whatToCheck = 'Check number and line with the user; call again with another `scac` if the line is wrong.'

function describePending(
  { isRetrying, retryCount, failedReason, scac }: TrackingRequestReading,
  line: string,
  next: string,
): RequestDescription {
  if (isRetrying)
    return {
      message: `${line} could not be polled so far (${failedReason}; ${retryCount} tries after the first). Landfall tries again.${next}`,
      presentation: 'Say that the line could not be polled so far, and when the next try is.',
      followUps: ['Ask again after the next look.'],
      tools: ['track_container', 'list_tracking_requests'],
    }
  return {
    message:
      scac === null
        ? 'Landfall is finding out which line has this number: it polls the likely lines. Nothing is known yet.'
        : `${line} is being polled; if it knows the number, data usually comes within minutes. Nothing is known yet.`,
    presentation: 'Say that the line is being polled. State no status and no arrival yet.',
    followUps: ['Ask again in a few minutes.'],
    tools: ['track_container', 'list_tracking_requests'],
  }
}

const failures: Readonly<Partial<Record<FailedReason, (line: string) => string>>> = {
  not_found: (line) => `${line} does not know this number (not_found).`,
  invalid_number: (line) => `${line} says that this is no number of its own (invalid_number).`,
  data_unavailable: (line) => `${line} knows this number, but has no data for it (data_unavailable).`,
  expired: (line) => `${line} knows this number, but had no data for it in a week (expired).`,
  booking_cancelled: (line) => `${line} says that the booking is cancelled.`,
  retries_exhausted: (line) =>
    `${line} could not be polled for about a day, so the result is unknown (retries_exhausted).`,
  duplicate: () => 'The same is tracked under another request (duplicate).',
  scac_auto_detect_failed: () => 'None of the likely lines knows this number (scac_auto_detect_failed).',
}

function nameOf(scac: string | null): string {
  if (scac === null) return 'The line'
  return findShippingLine(scac)?.shortName ?? markUnlessCode(scac)
}
