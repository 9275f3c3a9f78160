/** Why a request is in its state: how often its line was polled, the last answers, and what a person can do. */

import type { FailedReason } from '../../domain/tracking-requests/tracking-request-state.ts'
import type { Context } from '../../modules/access/context.ts'
import type { Service } from '../../modules/service.ts'
import { type AttemptReading, listAttempts } from '../../modules/tracking-requests/list-attempts.ts'
import type { TrackingRequestReading } from '../../modules/tracking-requests/list-tracking-requests-sql.ts'
import { type Members, schemaOf, writeMembers } from '../tool/members.ts'
import { list, number, numberOrNull, object, text, textOrNull } from '../tool/schema.ts'
import { describeRequest } from './describe-request.ts'
import { markUnlessCode } from './fence.ts'
import { writeInstant } from './local-time.ts'

const lastMax = 3

const attempt: Members<AttemptReading> = {
  at: [text, ({ attemptedAt }) => writeInstant(attemptedAt, null)],
  scac: [text, ({ scac }) => markUnlessCode(scac)],
  outcome: [text, ({ outcome }) => outcome],
  detail: [textOrNull, ({ detail }) => markUnlessCode(detail)],
  status_code: [numberOrNull, ({ statusCode }) => statusCode],
  next: [text, ({ next }) => next.kind],
  next_at: [textOrNull, ({ next }) => next.at && writeInstant(next.at, null)],
}

export const why = object({
  message: text,
  attempts: number,
  last: list(schemaOf(attempt)),
  what_to_do: text,
})

export async function explainRequestState(service: Service, context: Context, request: TrackingRequestReading) {
  const page = { number: 1, size: lastMax }
  const { rows, total, removed } = await listAttempts(service, context, { id: request.id, page })
  const earlier = removed?.attempts ?? 0
  return {
    message: describeRequest(request, rows[0]?.next.at ?? null).message,
    attempts: total + earlier,
    last: rows.map((row) => writeMembers(attempt, row)),
    what_to_do: describeRemedy(request),
  }
}

function describeRemedy({ status, failedReason }: TrackingRequestReading): string {
  if (status === 'failed')
    return (failedReason === null ? null : remedies[failedReason as FailedReason]) ?? remedies.not_found
  if (status === 'awaiting_manifest')
    return 'Wait: the line is polled daily for a week. If the line or number is wrong, call correct_tracking_request.'
  if (status === 'tracking_stopped') return 'resume_tracking tracks its shipment again.'
  if (status === 'pending') return 'Wait: the line is being polled.'
  return 'Nothing: it is tracked.'
}

const again = 'track_container with `again: true` requests it again.'
const remedies: Readonly<Partial<Record<FailedReason, string>>> & { readonly not_found: string } = {
  not_found: `Check number and line with the user, then call correct_tracking_request with the right one. If both are right, ${again}`,
  invalid_number: 'The line has no such number: call correct_tracking_request with the right number, kind or line.',
  data_unavailable: `The line knows it but gives no data: try the bill or a container instead, or later ${again}`,
  expired: `The line had no data in time: try another number of the shipment, or ${again}`,
  booking_cancelled: 'Nothing: the line cancelled the booking. Ask the user for the new one.',
  retries_exhausted: `The line could not be polled; the number may be right. ${again}`,
  duplicate: 'Nothing: it is tracked under another request.',
  scac_auto_detect_failed: 'Ask the user for the line, then call correct_tracking_request with `scac`.',
}
