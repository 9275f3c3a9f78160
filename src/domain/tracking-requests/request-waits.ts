/** How long a request waits: for a line that gave no answer, and for messages of a line that cannot be polled here. */

import { addDays, addMs, compareInstants } from '../values/time.ts'
import { type LifecycleRules, retryDelayMs } from './lifecycle-rules.ts'
import type { RetryReason, TrackingRequestEvent, TrackingRequestState } from './tracking-request-state.ts'

/**
 * The wait for a line that is not polled. Nobody polled it, so it has not answered that it does not know the number: a
 * wait that ends without a message is `expired`, for containers as well.
 */
export function decideMessageWait(
  { awaitingSince, timerAt }: TrackingRequestState,
  rules: LifecycleRules,
  now: string,
): readonly TrackingRequestEvent[] {
  if (timerAt === null || compareInstants(now, timerAt) < 0) return []
  if (awaitingSince !== null) return [{ kind: 'failed', reason: 'expired' }]
  return [{ kind: 'message_awaited', since: now, until: addDays(now, rules.manifestWaitDays) }]
}

export function decideRetry(
  state: TrackingRequestState,
  reason: RetryReason,
  rules: LifecycleRules,
  now: string,
): TrackingRequestEvent {
  const retry = state.retryCount + 1
  if (retry > rules.retriesMax) return { kind: 'failed', reason: 'retries_exhausted' }
  return { kind: 'retry_scheduled', reason, retry, nextLookAt: addMs(now, retryDelayMs(retry, rules)) }
}
