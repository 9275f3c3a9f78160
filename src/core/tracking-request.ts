/**
 * The life of a tracking request: what happens to it when a look at the carrier ends, a timer rings or somebody stops
 * it. Pure, so the same story told again gives the same request. All durations are rules that an operator can change.
 */

import { type NumberKind, stepKinds } from './kind-search.ts'
import { type LifecycleRules, retryDelayMs } from './lifecycle-rules.ts'
import { type LineDetection, lineAsked, putOff, ruleOut } from './line-detection.ts'
import {
  areSameFacts,
  findStopReason,
  firstWindow,
  heldReasons,
  type StopReason,
  type TrackingFacts,
} from './stop-tracking.ts'
import { addDays, addMs, compareInstants } from './time.ts'
import {
  evolve,
  type RetryReason,
  type TrackingRequestEvent,
  type TrackingRequestState,
} from './tracking-request-state.ts'
import { unreachable } from './unreachable.ts'

/**
 * How a look ended. `known_without_data`: the line knows the number and says nothing else. `unreachable`: no answer,
 * time-out, 5xx, 429; `unrecognized`: an answer that is none (login page, garbage); `internal_error`: our own fault.
 */
export type LookOutcome =
  | { readonly kind: 'found' }
  | { readonly kind: 'known_without_data' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'invalid_number' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'unrecognized' }
  | { readonly kind: 'internal_error' }

export type TrackingRequestInput =
  /** `kinds`: what the number can be, when the line does not know it as the kind that was sent. */
  | { readonly kind: 'looked'; readonly outcome: LookOutcome; readonly kinds?: readonly NumberKind[] }
  /** Another request of the account turned out to be for the same shipment. */
  | { readonly kind: 'duplicate_found' }
  /** The shipment was projected anew. */
  | { readonly kind: 'journey_read'; readonly facts: TrackingFacts }
  /** `timerAt` has come. Looks that are due are not timers: the worker looks, then says how it ended. */
  | { readonly kind: 'timer' }
  | { readonly kind: 'stopped_by_user' }
  | { readonly kind: 'resumed_by_user' }

/** What an input makes happen; empty when it changes nothing. A failed request stays failed whatever comes. */
export function decide(
  state: TrackingRequestState,
  input: TrackingRequestInput,
  rules: LifecycleRules,
  now: string,
): readonly TrackingRequestEvent[] {
  switch (state.status) {
    case 'pending':
    case 'awaiting_manifest':
      return decideSearching(state, input, rules, now)
    case 'created':
      return decideTracked(state, input, rules, now)
    case 'tracking_stopped':
      return decideStopped(state, input, rules, now)
    case 'failed':
      return []
    default:
      return unreachable(state.status)
  }
}

function decideSearching(
  state: TrackingRequestState,
  input: TrackingRequestInput,
  rules: LifecycleRules,
  now: string,
): readonly TrackingRequestEvent[] {
  switch (input.kind) {
    case 'looked':
      return state.detection === undefined
        ? decideLooked(state, input, rules, now)
        : decideDetecting(state, state.detection, input.outcome, rules, now)
    case 'duplicate_found':
      return [{ kind: 'failed', reason: 'duplicate' }]
    case 'timer':
      // No line came into question from the beginning.
      return state.detection !== undefined && lineAsked(state.detection) === null
        ? [{ kind: 'failed', reason: 'scac_auto_detect_failed' }]
        : []
    case 'journey_read':
    case 'stopped_by_user':
    case 'resumed_by_user':
      return []
    default:
      return unreachable(input)
  }
}

/** The kind of number that was sent, then once each other that it can be. */
function decideLooked(
  state: TrackingRequestState,
  { outcome, kinds = [] }: Extract<TrackingRequestInput, { kind: 'looked' }>,
  rules: LifecycleRules,
  now: string,
): readonly TrackingRequestEvent[] {
  const { events, answer } = stepKinds(state.kinds, { answer: outcome.kind, kinds, now })
  if (answer === null) return events
  return [...events, decideOutcome(events.reduce(evolve, state), { kind: answer }, rules, now)]
}

/**
 * The request has no line yet. The first that knows the number is its line; when all have said that they do not know
 * it, none was found. Those that gave no answer are asked again like any line that is down.
 */
function decideDetecting(
  state: TrackingRequestState,
  detection: LineDetection,
  outcome: LookOutcome,
  rules: LifecycleRules,
  now: string,
): readonly TrackingRequestEvent[] {
  const finding = findings[outcome.kind]
  if (finding === 'knows_it') {
    const detected = { kind: 'line_detected', ruledOut: detection.ruledOut } as const
    return [detected, decideOutcome(evolve(state, detected), outcome, rules, now)]
  }
  const after = finding === 'no_answer' ? putOff(detection) : ruleOut(detection)
  const moved = {
    kind: finding === 'no_answer' ? 'line_put_off' : 'line_ruled_out',
    nextLookAt: now,
  } as const
  if (lineAsked(after) !== null) return [moved]
  if (after.unanswered.length === 0) return [moved, { kind: 'failed', reason: 'scac_auto_detect_failed' }]
  return [moved, decideRetry(state, retryReasonOf(outcome), rules, now)]
}

const findings: Readonly<Record<LookOutcome['kind'], 'knows_it' | 'does_not_know_it' | 'no_answer'>> = {
  found: 'knows_it',
  known_without_data: 'knows_it',
  cancelled: 'knows_it',
  not_found: 'does_not_know_it',
  invalid_number: 'does_not_know_it',
  unreachable: 'no_answer',
  unrecognized: 'no_answer',
  internal_error: 'no_answer',
}

/** Of the look that ended the round: an answer there was only a no, so another line was silent. */
function retryReasonOf({ kind }: LookOutcome): RetryReason {
  if (kind === 'unrecognized') return 'unrecognized_response'
  return kind === 'internal_error' ? 'internal_processing_error' : 'shipping_line_unreachable'
}

function decideOutcome(
  state: TrackingRequestState,
  outcome: LookOutcome,
  rules: LifecycleRules,
  now: string,
): TrackingRequestEvent {
  switch (outcome.kind) {
    case 'found':
      return { kind: 'created' }
    case 'known_without_data':
    case 'not_found':
      return decideUnfound(state, outcome.kind === 'known_without_data', rules, now)
    case 'cancelled':
      return { kind: 'failed', reason: 'booking_cancelled' }
    case 'invalid_number':
      return { kind: 'failed', reason: 'invalid_number' }
    case 'unreachable':
      return decideRetry(state, 'shipping_line_unreachable', rules, now)
    case 'unrecognized':
      return decideRetry(state, 'unrecognized_response', rules, now)
    case 'internal_error':
      return decideRetry(state, 'internal_processing_error', rules, now)
    default:
      return unreachable(outcome)
  }
}

/**
 * The line answered and has nothing. A container fails at once: `not_found`, or `data_unavailable` when the line
 * knows it. A bill or booking is asked for daily until the wait is over. Only an answer ends the wait: a line that
 * is down at that moment is retried instead, so silence never becomes `not_found`.
 */
function decideUnfound(
  state: TrackingRequestState,
  isKnownNow: boolean,
  rules: LifecycleRules,
  now: string,
): TrackingRequestEvent {
  const isKnown = state.isKnown || isKnownNow
  if (state.requestType === 'container') {
    return { kind: 'failed', reason: isKnown ? 'data_unavailable' : 'not_found' }
  }
  const since = state.awaitingSince ?? now
  const deadline = addDays(since, rules.manifestWaitDays)
  if (compareInstants(now, deadline) >= 0)
    return { kind: 'failed', reason: isKnown ? 'expired' : 'not_found' }
  const nextLookAt = earlier(addDays(now, rules.manifestAskEveryDays), deadline)
  return state.awaitingSince === null
    ? { kind: 'manifest_awaited', since, isKnown, nextLookAt }
    : { kind: 'manifest_asked_again', isKnown, nextLookAt }
}

function decideRetry(
  state: TrackingRequestState,
  reason: RetryReason,
  rules: LifecycleRules,
  now: string,
): TrackingRequestEvent {
  const retry = state.retryCount + 1
  if (retry > rules.retriesMax) return { kind: 'failed', reason: 'retries_exhausted' }
  return { kind: 'retry_scheduled', reason, retry, nextLookAt: addMs(now, retryDelayMs(retry, rules)) }
}

function decideTracked(
  state: TrackingRequestState,
  input: TrackingRequestInput,
  rules: LifecycleRules,
  now: string,
): readonly TrackingRequestEvent[] {
  switch (input.kind) {
    case 'journey_read': {
      const noted = noteFacts(state, input.facts, rules)
      const after = noted.reduce(evolve, state)
      return [...noted, ...decideStop(after, rules, now)]
    }
    case 'timer':
      return decideStop(state, rules, now)
    case 'stopped_by_user':
      return [{ kind: 'tracking_stopped', reason: 'cancelled_by_user' }]
    case 'looked':
      return input.outcome.kind === 'cancelled' && !state.mutedReasons.includes('booking_cancelled')
        ? [{ kind: 'tracking_stopped', reason: 'booking_cancelled' }]
        : []
    case 'duplicate_found':
    case 'resumed_by_user':
      return []
    default:
      return unreachable(input)
  }
}

function decideStop(
  state: TrackingRequestState,
  rules: LifecycleRules,
  now: string,
): readonly TrackingRequestEvent[] {
  const reason = findStopReason(state.facts, state, rules, now)
  return reason === null ? [] : [{ kind: 'tracking_stopped', reason }]
}

/** A user may resume any stopped request; a stop that was inferred ends by itself when a fact contradicts it. */
function decideStopped(
  state: TrackingRequestState,
  input: TrackingRequestInput,
  rules: LifecycleRules,
  now: string,
): readonly TrackingRequestEvent[] {
  if (input.kind === 'resumed_by_user') return [resume(state, 'user', rules, now)]
  if (input.kind !== 'journey_read') return []
  const noted = noteFacts(state, input.facts, rules)
  const isContradicted = state.stoppedReason === 'all_containers_terminated' && !input.facts.areAllTerminated
  return isContradicted ? [...noted, resume(noted.reduce(evolve, state), 'contrary_fact', rules, now)] : noted
}

function resume(
  state: TrackingRequestState,
  because: 'user' | 'contrary_fact',
  rules: LifecycleRules,
  now: string,
): TrackingRequestEvent {
  const { facts } = state
  const held = facts === null ? [] : heldReasons(facts)
  const isSaidCancelled = state.stoppedReason === 'booking_cancelled' && !held.includes('booking_cancelled')
  const mutedReasons: readonly StopReason[] = isSaidCancelled ? [...held, 'booking_cancelled'] : held
  const timerAt = facts === null ? null : firstWindow(facts, rules, now).endsAt
  return { kind: 'tracking_resumed', because, at: now, mutedReasons, timerAt }
}

function noteFacts(
  state: TrackingRequestState,
  facts: TrackingFacts,
  rules: LifecycleRules,
): readonly TrackingRequestEvent[] {
  if (state.facts !== null && areSameFacts(state.facts, facts)) return []
  return [{ kind: 'facts_noted', facts, timerAt: firstWindow(facts, rules, state.resumedAt).endsAt }]
}

function earlier(a: string, b: string): string {
  return compareInstants(a, b) <= 0 ? a : b
}
