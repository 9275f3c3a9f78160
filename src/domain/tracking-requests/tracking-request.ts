/**
 * The life of a tracking request: its changes when a poll of the carrier ends, when a timer is due, or when somebody
 * stops it. All functions are pure, so the same inputs give the same request again. All durations are rules that an
 * operator can change.
 */

import { addDays, compareInstants, earlierOf } from '../values/time.ts'
import { unreachable } from '../values/unreachable.ts'
import { type KindOption, stepKindSearch } from './kind-search.ts'
import type { LifecycleRules } from './lifecycle-rules.ts'
import { type LineDetection, polledLine, stepDetection } from './line-detection.ts'
import { decideMessageWait, decideRetry } from './request-waits.ts'
import {
  areSameFacts,
  factualStopReasons,
  findStopReason,
  firstWindow,
  type StopReason,
  type TrackingFacts,
} from './stop-tracking.ts'
import {
  evolveRequest,
  type RetryReason,
  type TrackingRequestEvent,
  type TrackingRequestState,
} from './tracking-request-state.ts'

/**
 * How a poll ended. `known_without_data`: the line knows the number and states nothing else. `unreachable`: no answer,
 * time-out, 5xx, 429; `unrecognized`: an answer that is not one (login page, garbage); `internal_error`: our own fault.
 */
export type PollOutcome =
  | { readonly kind: 'found' }
  | { readonly kind: 'known_without_data' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'invalid_number' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'unrecognized' }
  | { readonly kind: 'internal_error' }

export interface PollInput {
  readonly kind: 'looked'
  readonly outcome: PollOutcome
  /** The kinds that the number can be, when the line does not know it as the kind that was sent. */
  readonly kinds?: readonly KindOption[]
  /** The line knows the container, but no trip of it that was under way when the request was made. */
  readonly isTripOver?: boolean
}
export type TrackingRequestInput =
  | PollInput
  /** Another request of the account turned out to be for the same shipment. */
  | { readonly kind: 'duplicate_found' }
  /** The shipment was projected again. */
  | { readonly kind: 'journey_read'; readonly facts: TrackingFacts }
  /** `timerAt` has come. Polls that are due are not timers: the worker polls, then sends `looked` with the outcome. */
  | { readonly kind: 'timer' }
  /** A line that could only push so far can be polled from now on. */
  | { readonly kind: 'line_asked' }
  | { readonly kind: 'stopped_by_user' }
  | { readonly kind: 'resumed_by_user' }

/** The events that an input causes; empty when it changes nothing. A failed request stays failed, whatever comes. */
export function decideRequest(
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
        ? decidePoll(state, input, rules, now)
        : decideDetecting(state, state.detection, input, rules, now)
    case 'duplicate_found':
      return [{ kind: 'failed', reason: 'duplicate' }]
    case 'timer':
      return state.isToldOf === true ? decideMessageWait(state, rules, now) : decideLineTimeout(state, rules, now)
    case 'line_asked':
      return state.isToldOf === true ? [{ kind: 'line_asked', at: now }] : []
    case 'journey_read':
    case 'stopped_by_user':
    case 'resumed_by_user':
      return []
    default:
      return unreachable(input)
  }
}

/** Polls the kind of number that was sent, then once each other kind that the number can be. */
function decidePoll(
  state: TrackingRequestState,
  { outcome, kinds = [] }: Extract<TrackingRequestInput, { kind: 'looked' }>,
  rules: LifecycleRules,
  now: string,
): readonly TrackingRequestEvent[] {
  const { events, answer } = stepKindSearch(state.kinds, { answer: outcome.kind, kinds, now })
  if (answer === null) return events
  return [...events, decideOutcome(events.reduce(evolveRequest, state), { kind: answer }, rules, now)]
}

/** The request has no line yet: the poll was answered by only one of the lines that may have the number. */
function decideDetecting(
  state: TrackingRequestState,
  detection: LineDetection,
  { outcome, isTripOver = false }: PollInput,
  rules: LifecycleRules,
  now: string,
): readonly TrackingRequestEvent[] {
  const { events, outcome: reached } = stepDetection(detection, { answer: outcome.kind, isTripOver, now })
  switch (reached) {
    case 'track': {
      const detected = { kind: 'line_detected', ruledOut: detection.ruledOut } as const
      return [detected, decideOutcome(evolveRequest(state, detected), outcome, rules, now)]
    }
    case 'retry':
      return [...events, decideRetry(state, retryReasonOf(outcome), rules, now)]
    case 'fail':
      return [...events, { kind: 'failed', reason: 'scac_auto_detect_failed' }]
    case null:
      return events
    default:
      return unreachable(reached)
  }
}

/** No line was possible from the beginning, or the time of the polled line has ended without an answer. */
function decideLineTimeout(
  state: TrackingRequestState,
  rules: LifecycleRules,
  now: string,
): readonly TrackingRequestEvent[] {
  const { detection, timerAt } = state
  if (detection === undefined) return []
  if (polledLine(detection) === null) return [{ kind: 'failed', reason: 'scac_auto_detect_failed' }]
  if (timerAt === null || compareInstants(now, timerAt) < 0) return []
  return decideDetecting(state, detection, { kind: 'looked', outcome: { kind: 'unreachable' } }, rules, now)
}

/**
 * The reason of the poll that ended the round. If that poll was answered, the answer was not found, so another line had
 * given no answer.
 */
function retryReasonOf({ kind }: PollOutcome): RetryReason {
  if (kind === 'unrecognized') return 'unrecognized_response'
  return kind === 'internal_error' ? 'internal_processing_error' : 'shipping_line_unreachable'
}

function decideOutcome(
  state: TrackingRequestState,
  outcome: PollOutcome,
  rules: LifecycleRules,
  now: string,
): TrackingRequestEvent {
  switch (outcome.kind) {
    case 'found':
      return { kind: 'created' }
    case 'known_without_data':
    case 'not_found':
      return decideNotFound(state, outcome.kind === 'known_without_data', rules, now)
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
 * The line answered and has nothing. A container fails at once: `not_found`, or `data_unavailable` when the line knows
 * it. A bill or booking is polled daily until the wait is over. Only an answer ends the wait: a line that is down at
 * that moment is retried instead, so a missing answer never becomes `not_found`.
 */
function decideNotFound(
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
  const isOver = compareInstants(now, deadline) >= 0
  if (isOver) return { kind: 'failed', reason: isKnown ? 'expired' : 'not_found' }
  const nextLookAt = earlierOf(addDays(now, rules.manifestAskEveryDays), deadline)
  return state.awaitingSince === null
    ? { kind: 'manifest_awaited', since, isKnown, nextLookAt }
    : { kind: 'manifest_asked_again', isKnown, nextLookAt }
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
      const after = noted.reduce(evolveRequest, state)
      return [...noted, ...decideStop(after, rules, now)]
    }
    case 'timer':
      return decideStop(state, rules, now)
    case 'line_asked':
      return state.isToldOf === true ? [{ kind: 'line_asked', at: now }] : []
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

function decideStop(state: TrackingRequestState, rules: LifecycleRules, now: string): readonly TrackingRequestEvent[] {
  const reason = findStopReason(state.facts, state, rules, now)
  return reason === null ? [] : [{ kind: 'tracking_stopped', reason }]
}

/** A user may resume any stopped request. A stop because all containers are back ends when a fact contradicts it. */
function decideStopped(
  state: TrackingRequestState,
  input: TrackingRequestInput,
  rules: LifecycleRules,
  now: string,
): readonly TrackingRequestEvent[] {
  if (input.kind === 'resumed_by_user') return [decideResume(state, 'user', rules, now)]
  if (input.kind !== 'journey_read') return []
  const noted = noteFacts(state, input.facts, rules)
  const isContradicted = state.stoppedReason === 'all_containers_terminated' && !input.facts.areAllTerminated
  return isContradicted
    ? [...noted, decideResume(noted.reduce(evolveRequest, state), 'contrary_fact', rules, now)]
    : noted
}

function decideResume(
  state: TrackingRequestState,
  because: 'user' | 'contrary_fact',
  rules: LifecycleRules,
  now: string,
): TrackingRequestEvent {
  const { facts } = state
  const held = facts === null ? [] : factualStopReasons(facts)
  const isCancelled = state.stoppedReason === 'booking_cancelled' && !held.includes('booking_cancelled')
  const mutedReasons: readonly StopReason[] = isCancelled ? [...held, 'booking_cancelled'] : held
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
