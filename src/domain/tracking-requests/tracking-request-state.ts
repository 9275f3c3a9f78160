/** The state of a tracking request, its events, and the state after each event. */

import { unreachable } from '../values/unreachable.ts'
import { evolveKindSearch, type KindEvent, type KindSearch } from './kind-search.ts'
import {
  type DetectionEvent,
  evolveDetection,
  type LineDetection,
  nextLinePollAt,
  requeueUnanswered,
} from './line-detection.ts'
import { possibleIn } from './possible-events.ts'
import { factualStopReasons, type StopReason, type TrackingFacts } from './stop-tracking.ts'

export const requestTypes = ['bill_of_lading', 'booking_number', 'container'] as const
export type RequestType = (typeof requestTypes)[number]

/**
 * The kind under which shipments are requested and lines are polled: the API's `booking_number` is a booking in the
 * trade.
 */
export const kindOfType = {
  bill_of_lading: 'bill_of_lading',
  booking_number: 'booking',
  container: 'container',
} as const satisfies Record<RequestType, string>
export type RequestKind = (typeof kindOfType)[RequestType]

/** The reverse of `kindOfType`. */
export function requestTypeOfKind(kind: RequestKind): RequestType {
  return kind === 'booking' ? 'booking_number' : kind
}

export const requestStatuses = ['pending', 'awaiting_manifest', 'created', 'failed', 'tracking_stopped'] as const
export type RequestStatus = (typeof requestStatuses)[number]
/** The request is searched for or tracked. An account has only one such request at a time for a number of a line. */
export const liveStatuses = ['pending', 'awaiting_manifest', 'created'] as const satisfies RequestStatus[]

export function isLive(status: RequestStatus): boolean {
  return (liveStatuses as readonly RequestStatus[]).includes(status)
}

export const failedReasons = [
  'awaiting_manifest',
  'booking_cancelled',
  'duplicate',
  'expired',
  'internal_processing_error',
  'invalid_number',
  'not_found',
  'retries_exhausted',
  'shipping_line_unreachable',
  'unrecognized_response',
  'data_unavailable',
  'scac_auto_detect_failed',
] as const
export type FailedReason = (typeof failedReasons)[number]
/** Why a poll is tried again; shown as `failed_reason` meanwhile. */
export type RetryReason = Extract<
  FailedReason,
  'shipping_line_unreachable' | 'unrecognized_response' | 'internal_processing_error'
>

export type TrackingRequestEvent =
  | {
      readonly kind: 'retry_scheduled'
      readonly reason: RetryReason
      readonly retry: number
      readonly nextLookAt: string
    }
  /** Only the first time. This event is published to subscribers. */
  | {
      readonly kind: 'manifest_awaited'
      readonly since: string
      readonly isKnown: boolean
      readonly nextLookAt: string
    }
  | { readonly kind: 'manifest_asked_again'; readonly isKnown: boolean; readonly nextLookAt: string }
  /** The line is not polled: the request waits for messages of the line. Published like `manifest_awaited`. */
  | { readonly kind: 'message_awaited'; readonly since: string; readonly until: string }
  /** The request's line can be polled from now on. */
  | { readonly kind: 'line_asked'; readonly at: string }
  | DetectionEvent
  /** The polled line knows the number: it is the request's line from now on. */
  | { readonly kind: 'line_detected'; readonly ruledOut: readonly string[] }
  | KindEvent
  | { readonly kind: 'created' }
  | { readonly kind: 'failed'; readonly reason: FailedReason }
  | { readonly kind: 'facts_noted'; readonly facts: TrackingFacts; readonly timerAt: string }
  | { readonly kind: 'tracking_stopped'; readonly reason: StopReason }
  | {
      readonly kind: 'tracking_resumed'
      readonly because: 'user' | 'contrary_fact'
      readonly at: string
      /** Stop reasons that were true at the resume. They count again once they have been untrue. */
      readonly mutedReasons: readonly StopReason[]
      readonly timerAt: string | null
    }

export interface TrackingRequestState {
  readonly requestType: RequestType
  readonly status: RequestStatus
  /** While retrying, the last poll's reason; while awaiting, `awaiting_manifest`; when failed, why. */
  readonly failedReason: FailedReason | null
  readonly isRetrying: boolean
  readonly retryCount: number
  /** When to poll next. Null once created (the poll schedule decides then) or ended. */
  readonly nextLookAt: string | null
  readonly awaitingSince: string | null
  /** Whether the line has ever answered that it knows the number. */
  readonly isKnown: boolean
  readonly facts: TrackingFacts | null
  /** When the earliest stop window ends, or the time of the polled line. The worker sends `timer` then. */
  readonly timerAt: string | null
  readonly stoppedReason: StopReason | null
  readonly resumedAt: string | null
  readonly mutedReasons: readonly StopReason[]
  /** Only while the line is being found, and after that failed. */
  readonly detection?: LineDetection
  /** Present since the line did not find the kind of number that was sent. */
  readonly kinds?: KindSearch
  /** The line cannot be polled here: the request waits for messages that the line sends by itself. */
  readonly isToldOf?: true
}

/** A new request whose line cannot be polled: it waits for messages of the line. */
export function newPushedRequest(requestType: RequestType, createdAt: string): TrackingRequestState {
  const made = newTrackingRequest(requestType, createdAt)
  return { ...made, isToldOf: true, nextLookAt: null, timerAt: createdAt }
}

/** A new request: it is polled at once. */
export function newTrackingRequest(
  requestType: RequestType,
  createdAt: string,
  detection: LineDetection | null = null,
): TrackingRequestState {
  return {
    ...(detection !== null && { detection }),
    requestType,
    status: 'pending',
    failedReason: null,
    isRetrying: false,
    retryCount: 0,
    nextLookAt: createdAt,
    awaitingSince: null,
    isKnown: false,
    facts: null,
    timerAt: detection === null ? null : nextLinePollAt(detection, createdAt, 0),
    stoppedReason: null,
    resumedAt: null,
    mutedReasons: [],
  }
}

/** The request after an event. Total: an event that does not fit the status changes nothing. */
export function evolveRequest(state: TrackingRequestState, event: TrackingRequestEvent): TrackingRequestState {
  const statuses: readonly RequestStatus[] = possibleIn[event.kind]
  if (!statuses.includes(state.status)) return state
  switch (event.kind) {
    case 'retry_scheduled':
      return retryLater(state, event)
    case 'line_ruled_out':
    case 'line_put_off':
    case 'line_passed_over':
    case 'last_resort_asked':
      return pollNextLine(state, event)
    case 'other_kinds_tried':
    case 'kind_ruled_out':
    case 'kind_found':
    case 'kinds_exhausted':
      return searchKinds(state, event)
    case 'line_detected': {
      const { detection: _, ...found } = state
      return { ...found, timerAt: null }
    }
    case 'manifest_awaited':
      return awaitManifest(state, event, event.since)
    case 'manifest_asked_again':
      return awaitManifest(state, event, state.awaitingSince)
    case 'message_awaited':
      return {
        ...awaitManifest(state, { isKnown: state.isKnown, nextLookAt: null }, event.since),
        timerAt: event.until,
      }
    case 'line_asked':
      return startPolling(state, event)
    case 'created': {
      const created = {
        ...state,
        ...noRetries,
        status: 'created',
        failedReason: null,
        nextLookAt: null,
      } as const
      return state.isToldOf === true ? { ...created, timerAt: null } : created
    }
    case 'failed':
      return failRequest(state, event.reason)
    case 'facts_noted':
      return noteFacts(state, event)
    case 'tracking_stopped':
      return { ...state, status: 'tracking_stopped', stoppedReason: event.reason, timerAt: null }
    case 'tracking_resumed':
      return resumeRequest(state, event)
    default:
      return unreachable(event)
  }
}

type EventOf<Kind extends TrackingRequestEvent['kind']> = Extract<TrackingRequestEvent, { readonly kind: Kind }>

function retryLater(state: TrackingRequestState, event: EventOf<'retry_scheduled'>): TrackingRequestState {
  const { reason, retry, nextLookAt } = event
  const { detection } = state
  return {
    ...state,
    failedReason: reason,
    isRetrying: true,
    retryCount: retry,
    nextLookAt,
    ...(detection !== undefined && detectionFields(requeueUnanswered(detection), nextLookAt, retry)),
  }
}

function pollNextLine(state: TrackingRequestState, event: DetectionEvent): TrackingRequestState {
  const { detection, retryCount } = state
  if (detection === undefined) return state
  return { ...state, ...detectionFields(evolveDetection(detection, event), event.nextLookAt, retryCount) }
}

/** The next line is polled from `nextLookAt` on. */
function detectionFields(
  detection: LineDetection,
  nextLookAt: string,
  round: number,
): Pick<TrackingRequestState, 'detection' | 'nextLookAt' | 'timerAt'> {
  return { detection, nextLookAt, timerAt: nextLinePollAt(detection, nextLookAt, round) }
}

function searchKinds(state: TrackingRequestState, event: KindEvent): TrackingRequestState {
  const kinds = evolveKindSearch(state.kinds, event)
  const nextLookAt = 'nextLookAt' in event ? event.nextLookAt : state.nextLookAt
  return kinds === undefined ? state : { ...state, ...noRetries, failedReason: null, kinds, nextLookAt }
}

function awaitManifest(
  state: TrackingRequestState,
  { isKnown, nextLookAt }: Pick<TrackingRequestState, 'isKnown' | 'nextLookAt'>,
  awaitingSince: string | null,
): TrackingRequestState {
  const status = 'awaiting_manifest'
  return { ...state, ...noRetries, status, failedReason: status, awaitingSince, isKnown, nextLookAt }
}

/** A request that is still searched for begins its wait again, because its line has never been polled. */
function startPolling(state: TrackingRequestState, { at }: EventOf<'line_asked'>): TrackingRequestState {
  const { isToldOf: _, ...polled } = state
  if (state.status === 'created') return polled
  return { ...polled, awaitingSince: state.awaitingSince === null ? null : at, nextLookAt: at, timerAt: null }
}

const noRetries = { isRetrying: false, retryCount: 0 } as const

function failRequest(state: TrackingRequestState, failedReason: FailedReason): TrackingRequestState {
  return { ...state, status: 'failed', failedReason, isRetrying: false, nextLookAt: null, timerAt: null }
}

function noteFacts(state: TrackingRequestState, { facts, timerAt }: EventOf<'facts_noted'>): TrackingRequestState {
  return {
    ...state,
    facts,
    timerAt: state.status === 'created' ? timerAt : null,
    mutedReasons: state.mutedReasons.filter((reason) => factualStopReasons(facts).includes(reason)),
  }
}

function resumeRequest(
  state: TrackingRequestState,
  { at, mutedReasons, timerAt }: EventOf<'tracking_resumed'>,
): TrackingRequestState {
  return { ...state, status: 'created', stoppedReason: null, resumedAt: at, mutedReasons, timerAt }
}
