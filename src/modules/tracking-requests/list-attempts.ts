/** The polls of lines for a request, how the request used each answer, and what follows from it. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { startDetection } from '../../domain/tracking-requests/line-detection.ts'
import {
  newPushedRequest,
  newTrackingRequest,
  type TrackingRequestEvent,
  type TrackingRequestState,
} from '../../domain/tracking-requests/tracking-request-state.ts'
import { addMs } from '../../domain/values/time.ts'
import { foldBy } from '../../pipeline/ledger/fold.ts'
import { withTestLineRules } from '../../pipeline/ledger/fold-poll.ts'
import { stepLifecycle } from '../../pipeline/ledger/lifecycle.ts'
import { readRules } from '../../pipeline/ledger/rules.ts'
import { type Context, requireScope } from '../access/context.ts'
import { journeyNow, type Service } from '../service.ts'
import { getTrackingRequest } from './get-tracking-request.ts'
import type { TrackingRequestReading } from './list-tracking-requests-sql.ts'
import {
  type AttemptRow,
  type DroppedAttempts,
  entriesOfRequest,
  type RequestEntry,
  readAttempts,
  readDroppedAttempts,
} from './tracking-attempts-sql.ts'

export interface NextStep {
  readonly kind: 'retry' | 'ask_again' | 'other_kind' | 'other_line' | 'track' | 'none'
  /** On the journey clock; null when nothing follows, or when the next step has happened already. */
  readonly at: string | null
  /** How many retries there have been in a row, this one included; 0 when the next step is no retry. */
  readonly retryCount: number
  readonly failedReason: string | null
}

export interface AttemptReading extends AttemptRow {
  readonly type: 'tracking_attempt'
  readonly next: NextStep
}

/** For a request whose line is not polled: the request is found by what its line sends. */
export interface AwaitedMessage {
  readonly scac: string | null
  /** When the wait ends without success; null as soon as the request is found, and before the wait begins. */
  readonly until: string | null
}

export interface Attempts extends Page<AttemptReading> {
  /** Null when the line is polled, or when the request waits for nothing any more. */
  readonly awaits: AwaitedMessage | null
  readonly removed: DroppedAttempts | null
}

/** Newest first. */
export async function listAttempts(
  service: Service,
  context: Context,
  input: { readonly id: string; readonly page: PageRequest },
): Promise<Attempts> {
  requireScope(context, 'read')
  const request = await getTrackingRequest(service, context, { id: input.id })
  const key = { accountId: context.account.id, trackingRequestId: request.id }
  const { rows, total } = await readAttempts(service.pool, { ...key, page: input.page })
  const removed = await readDroppedAttempts(service.pool, key)
  const steps = foldSteps(service, request, await entriesOfRequest(service.pool, key))
  const newest = input.page.number === 1 ? rows[0] : undefined
  return {
    total,
    removed,
    awaits: request.awaits,
    rows: rows.map((row) => {
      const { next, outcome } = steps.get(row.id) ?? { next: tracked, outcome: row.outcome }
      return {
        ...row,
        type: 'tracking_attempt',
        outcome: row.detail === 'other_number' ? 'other_number' : outcome,
        next: row === newest ? getUpcomingStep(service, context, { request, row, next }) : next,
      }
    }),
  }
}

/** `outcome`: as the request used it. The log of polls has the outcome of the poll target instead. */
interface FoldedStep {
  readonly next: NextStep
  readonly outcome: string
}

const tracked: NextStep = { kind: 'track', at: null, retryCount: 0, failedReason: null }

/** Folds the entries of the request again, by the rules that made it, to find what each answer led to. */
function foldSteps(
  service: Service,
  request: TrackingRequestReading,
  entries: readonly RequestEntry[],
): ReadonlyMap<string, FoldedStep> {
  const fold = withTestLineRules(foldBy(readRules(service.config)), request)
  const steps = new Map<string, FoldedStep>()
  let state: TrackingRequestState = newTrackingRequest(request.requestType, request.createdAt)
  for (const entry of entries) {
    if (entry.kind === 'request_created') {
      const { candidates = null, search } = entry.payload
      const detection = candidates === null ? null : startDetection(candidates, search)
      state =
        entry.payload.isToldOf === true
          ? newPushedRequest(request.requestType, entry.recordedAt)
          : newTrackingRequest(request.requestType, entry.recordedAt, detection)
      continue
    }
    if (entry.kind === 'timer') {
      // Later timers belong to the journey, and lead to no poll.
      const isOfSearch = state.detection !== undefined || (state.isToldOf === true && state.status !== 'created')
      const kind = entry.payload.isAsked === true ? 'line_asked' : 'timer'
      if (isOfSearch || kind === 'line_asked') state = stepLifecycle(fold, state, { kind }, entry.recordedAt).state
      continue
    }
    if (entry.kind === 'heard') {
      const outcome = 'outcome' in entry.payload ? entry.payload.outcome : null
      if (outcome !== null)
        state = stepLifecycle(fold, state, { kind: 'looked', outcome: { kind: outcome } }, entry.recordedAt).state
      continue
    }
    const { outcome, kinds = [], isTripOver = false, look: pollId } = entry.payload
    if (outcome === null) continue
    const input = { kind: 'looked', outcome: { kind: outcome }, kinds, isTripOver } as const
    const step = stepLifecycle(fold, state, input, entry.recordedAt)
    state = step.state
    const isPassedOver = step.happened.some(({ kind }) => kind === 'line_passed_over')
    const effectiveOutcome = isPassedOver && outcome === 'found' ? 'trip_over' : outcome
    if (pollId !== undefined)
      steps.set(pollId, { next: determineNextStep(step.happened, state), outcome: effectiveOutcome })
  }
  return steps
}

function determineNextStep(happened: readonly TrackingRequestEvent[], state: TrackingRequestState): NextStep {
  const { nextLookAt: nextPollAt, retryCount, failedReason, status } = state
  const last = happened.at(-1)?.kind
  const step = (kind: NextStep['kind'], at: string | null = nextPollAt): NextStep => ({
    kind,
    at,
    retryCount: kind === 'retry' ? retryCount : 0,
    failedReason,
  })
  if (status === 'failed') return step('none', null)
  switch (last) {
    case 'retry_scheduled':
      return step('retry')
    case 'manifest_awaited':
    case 'manifest_asked_again':
      return step('ask_again')
    case 'other_kinds_tried':
    case 'kind_ruled_out':
      return step('other_kind')
    case 'line_ruled_out':
    case 'line_put_off':
    case 'line_passed_over':
    case 'last_resort_asked':
      return step('other_line')
    case 'tracking_stopped':
      return step('none', null)
    default:
      return tracked
  }
}

/**
 * The next step after the newest attempt: from the present state of the request, and from when its number is really due
 * for a poll.
 */
function getUpcomingStep(
  service: Service,
  context: Context,
  of: { readonly request: TrackingRequestReading; readonly row: AttemptRow; readonly next: NextStep },
): NextStep {
  const { request, row, next } = of
  if (request.status === 'failed' || request.status === 'tracking_stopped')
    return { kind: 'none', at: null, retryCount: 0, failedReason: request.failedReason }
  if (next.kind !== 'track' || row.nextPollAt === null) return next
  const { pace } = service.journeyClock(context.account.isSandbox)
  const waitMs = Math.max(0, Date.parse(row.nextPollAt) - service.clock.now()) * pace()
  return { ...next, at: addMs(journeyNow(service, context.account.isSandbox), Math.round(waitMs)) }
}
