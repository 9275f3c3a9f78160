/**
 * Folds the entry of a poll: ingests its statements into the claims, moves the request on, and projects its shipment
 * again.
 */

import type { PollOutcome } from '../../domain/tracking-requests/tracking-request.ts'
import type {
  TrackingRequestEvent,
  TrackingRequestState,
} from '../../domain/tracking-requests/tracking-request-state.ts'
import { testScac } from '../../domain/values/identifiers.ts'
import type { DomainEvent } from '../projection/domain-events-sql.ts'
import type { JourneyState, ShipmentKey, ShipmentState } from '../projection/journey-state-sql.ts'
import type { TrackedRequest } from '../projection/tracking-requests-sql.ts'
import { applyStatements } from './apply-statements.ts'
import { addIssuesToState } from './count-issues.ts'
import type { Fold } from './fold.ts'
import type { FoldResult } from './fold-result.ts'
import type { IngestResult } from './ingest-answer-reading.ts'
import { trackingFacts } from './journey-facts.ts'
import type { EntryOf, MessageEntry } from './ledger-sql.ts'
import {
  failDetectedDuplicate,
  type LifecycleStep,
  lifecycleEvents,
  preventDuplicateResume,
  stepLifecycle,
  withLifecycleState,
} from './lifecycle.ts'
import { deriveShipmentKey, openShipment } from './open-shipment.ts'
import { lineColumns, toPolledRequest } from './polled-request.ts'
import { resolveTrackingStop, setTimersOfSiblings } from './resolve-tracking-stop.ts'
import {
  findActiveClaims,
  getRequest,
  getShipment,
  requestsOf,
  withRequest,
  withShipment,
  withStatedClaims,
} from './state-rows.ts'
import { updateProjection } from './update-projection.ts'

/** A poll's material: the reading of the snapshot, or why there is none. */
export type PollMaterial =
  /** `outcome` null: a second reading, which is no poll and moves no request on by itself. */
  | { readonly kind: 'reading'; readonly ingested: IngestResult; readonly outcome: PollOutcome | null }
  | { readonly kind: 'no_answer'; readonly outcome: PollOutcome }

/** What else follows from a poll, for the plan of the next poll and for the evidence of outcomes. */
export interface FoldedPoll extends FoldResult {
  readonly lifecycle: TrackingRequestState
  /** What the answer of the line did to the request. */
  readonly happened: readonly TrackingRequestEvent[]
  /** The poll target of the request from now on. */
  readonly subjectId: string | null
  readonly shipmentId: string | null
  /** Something was left out of a full picture: the next answer decides, even if it is the same bytes. */
  readonly isUnconfirmed: boolean
  /** The shipment that the request asks for, where this poll found it. */
  readonly opened: ShipmentKey | null
}

/** `key`: the shipment that the entry named when it was first folded. When it is null, the shipment is found out. */
export function foldPoll(
  fold: Fold,
  state: JourneyState,
  entry: EntryOf<'look'>,
  { material, key = null }: { readonly material: PollMaterial; readonly key?: ShipmentKey | null },
): FoldedPoll {
  if (entry.trackingRequestId === null) throw new Error('it names no request')
  const request = toPolledRequest(getRequest(state, entry.trackingRequestId))
  if (request === null) throw new Error('it is a poll of a request that polls no carrier')
  const updatedState = material.kind === 'reading' ? applyIngested(state, entry, request, material.ingested) : state
  const decided = failDetectedDuplicate(
    updatedState,
    fold,
    request,
    decideLifecycleStep(fold, entry, request, material.outcome),
    request.lifecycle,
    entry.recordedAt,
  )
  const change = material.kind === 'reading' ? material.ingested.change : null
  const isNews = change !== null && change.add.length + change.retire.length > 0
  const update: RequestUpdate = { entry, request, decided, isNews, key }
  const isTracked = decided.state.status === 'created' || request.shipmentId !== null
  return {
    ...(isTracked ? foldWithShipment(fold, updatedState, update) : foldWithoutShipment(updatedState, update)),
    happened: decided.happened,
    isUnconfirmed: change !== null && change.missing.length > 0,
  }
}

/** What a request gets: an answer, or a message of a partner. */
export interface RequestUpdate {
  readonly entry: EntryOf<'look'> | MessageEntry
  /** The request, with the line that is polled for it. */
  readonly request: TrackedRequest
  readonly decided: LifecycleStep
  readonly isNews: boolean
  readonly key: ShipmentKey | null
  /** Adds to the shipment what only this shipment ingests. */
  readonly applyMessage?: (shipment: ShipmentState) => ShipmentState
}

export type RequestUpdateResult = Omit<FoldedPoll, 'happened' | 'isUnconfirmed'>

function applyIngested(
  state: JourneyState,
  entry: EntryOf<'look'>,
  request: TrackedRequest,
  { change, issues }: IngestResult,
): JourneyState {
  const { snapshotId, recordedAt } = entry
  const by = { at: recordedAt, snapshotId, reader: entry.reader ?? 'unknown' }
  const { scac, subjectId, id: trackingRequestId } = request
  const statedClaims = applyStatements(state.claimsByTarget.get(subjectId) ?? new Map(), change, by)
  const of = { scac, subjectId, trackingRequestId, shipmentId: null, snapshotId }
  return addIssuesToState(withStatedClaims(state, subjectId, statedClaims), issues, of, recordedAt)
}

function decideLifecycleStep(
  fold: Fold,
  { payload, recordedAt }: EntryOf<'look'>,
  request: TrackedRequest,
  outcome: PollOutcome | null,
): LifecycleStep {
  if (outcome === null) return { state: request.lifecycle, happened: [] }
  const { kinds = [], isTripOver = false } = payload
  const pollInput = { kind: 'looked', outcome, kinds, isTripOver } as const
  return stepLifecycle(withTestLineRules(fold, request), request.lifecycle, pollInput, recordedAt)
}

/**
 * The test line has no manifests to wait for: a number that it does not know fails at once, as its test numbers
 * require.
 */
export function withTestLineRules(fold: Fold, { scac }: { readonly scac: string | null }): Fold {
  if (scac !== testScac) return fold
  return { ...fold, rules: { ...fold.rules, lifecycle: { ...fold.rules.lifecycle, manifestWaitDays: 0 } } }
}

/** For a request without a shipment: its line states nothing of the number yet, or not any more. */
function foldWithoutShipment(state: JourneyState, { entry, request, decided }: RequestUpdate): RequestUpdateResult {
  const line = lineColumns(request, decided.state)
  const moved = { ...withLifecycleState(request, decided.state, entry.recordedAt), ...line }
  return {
    state: withRequest(state, moved),
    at: entry.recordedAt,
    changes: [],
    changeOf: new Map(),
    events: lifecycleEvents(request, null, decided.happened, entry),
    published: [],
    ended: [],
    lifecycle: decided.state,
    subjectId: line.subjectId,
    shipmentId: null,
    projection: null,
    opened: null,
  }
}

export function foldWithShipment(fold: Fold, state: JourneyState, update: RequestUpdate): RequestUpdateResult {
  const { entry, request, decided } = update
  const at = entry.recordedAt
  const opened = request.shipmentId === null ? (update.key ?? findShipmentKey(fold, state, update)) : null
  const linked = opened === null ? null : openShipment(state, entry, request, opened)
  const shipmentId = linked?.shipmentId ?? request.shipmentId ?? ''
  const linkedRequest = { ...request, shipmentId }
  // The request is linked before the projection, so that its poll target counts among the shipment's.
  const linkedState =
    linked === null ? state : withRequest(linked.state, withLifecycleState(linkedRequest, decided.state, at))
  const before =
    update.applyMessage === undefined
      ? linkedState
      : withShipment(linkedState, update.applyMessage(getShipment(linkedState, shipmentId)))
  const isQuiet = entry.payload.isQuiet === true
  const projected = updateProjection(fold, before, entry, shipmentId, { isQuiet })
  const step = noteJourney(fold, projected, update)
  const moved = withRequest(projected.state, withLifecycleState(linkedRequest, step.state, at))
  const facts = step.facts
  const timed =
    requestsOf(moved, shipmentId).length > 1
      ? setTimersOfSiblings(moved, { shipmentId, requestId: request.id, facts, at })
      : moved
  const toEvents = (happened: LifecycleStep['happened']): readonly DomainEvent[] =>
    lifecycleEvents(request, shipmentId, happened, entry)
  return {
    state: resolveTrackingStop(timed, { shipmentId, at }),
    at,
    changes: projected.changes,
    changeOf: projected.announcement.changeOf,
    events: [...toEvents(decided.happened), ...projected.announcement.events, ...toEvents(step.happened)],
    published: projected.announcement.rows,
    ended: projected.announcement.invalidate,
    lifecycle: step.state,
    subjectId: request.subjectId,
    shipmentId,
    projection: projected.projection,
    opened,
  }
}

function findShipmentKey(fold: Fold, state: JourneyState, { request, entry }: RequestUpdate): ShipmentKey {
  return deriveShipmentKey(
    fold,
    request,
    findActiveClaims(state.claimsByTarget.get(request.subjectId)),
    entry.recordedAt,
  )
}

/** Notes in the request what its journey means for its tracking. The request may stop or continue because of that. */
function noteJourney(
  fold: Fold,
  { projection, isChanged, state }: ReturnType<typeof updateProjection>,
  { entry, request, decided, isNews }: RequestUpdate,
) {
  const at = entry.recordedAt
  const known = decided.state.facts?.lastUpdateAt
  const facts = trackingFacts(projection, isChanged || known === undefined || isNews ? at : known)
  const read = stepLifecycle(fold, decided.state, { kind: 'journey_read', facts }, at)
  return { facts, ...preventDuplicateResume(state, request, read, decided.state) }
}

/** Writes into the entry which shipment it found, so that whoever folds the entry again finds the same one. */
export function recordOpenedShipment(folded: FoldedPoll): {
  readonly folded: FoldedPoll
  readonly additions: Pick<EntryOf<'look'>['payload'], 'opened'>
} {
  if (folded.opened === null) return { folded, additions: {} }
  const { scac: _, ...opened } = folded.opened
  return { folded, additions: { opened } }
}
