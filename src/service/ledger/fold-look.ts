/**
 * Folds the entry of a look: takes its statements into the claims, moves the request on, and projects its shipment
 * again.
 */

import type { LookOutcome } from '../../core/requests/tracking-request.ts'
import type {
  TrackingRequestEvent,
  TrackingRequestState,
} from '../../core/requests/tracking-request-state.ts'
import { testScac } from '../../core/values/identifiers.ts'
import type { JourneyState, ShipmentKey, ShipmentState } from '../../store/journey-state/state.ts'
import type { DomainEvent } from '../../store/journeys/domain-events.ts'
import type { TrackedRequest } from '../../store/journeys/tracking-requests.ts'
import type { EntryOf, MessageEntry } from '../../store/ledger/ledger.ts'
import { asAsked, lineColumns } from './asked-request.ts'
import { countIssues } from './count-issues.ts'
import type { Fold } from './fold.ts'
import type { Folded } from './folded.ts'
import type { Heard } from './hear.ts'
import { trackingFacts } from './journey-facts.ts'
import {
  type LifecycleStep,
  lifecycleEvents,
  movedTo,
  stepLifecycle,
  unlessTrackedElsewhere,
  unlessTrackedThere,
} from './lifecycle.ts'
import { identify, openShipment } from './open-shipment.ts'
import { project } from './project.ts'
import { setTimersOfSiblings, settleTrackingStop } from './settle-requests.ts'
import {
  getRequest,
  getShipment,
  requestsOf,
  standingClaims,
  withRequest,
  withSaid,
  withShipment,
} from './state-rows.ts'
import { takeIn } from './take-in.ts'

/** A look's material: what the reader made of the snapshot, or why there is none. */
export type LookMaterial =
  /** `outcome` null: a second reading, which is no look and moves no request on by itself. */
  | { readonly kind: 'reading'; readonly heard: Heard; readonly outcome: LookOutcome | null }
  | { readonly kind: 'no_answer'; readonly outcome: LookOutcome }

/** What else follows from a look: the plan of the next look needs it, and what is learnt from outcomes. */
export interface LookFolded extends Folded {
  readonly lifecycle: TrackingRequestState
  /** What the answer of the line did to the request. */
  readonly happened: readonly TrackingRequestEvent[]
  /** The subject that is looked at for it from now on. */
  readonly subjectId: string | null
  readonly shipmentId: string | null
  /** Something was left out of a whole picture: the next answer decides, even if it is the same bytes. */
  readonly isUnconfirmed: boolean
  /** The shipment that the request asks for, where this look found it. */
  readonly opened: ShipmentKey | null
}

/** `key`: the shipment that the entry named when it was first folded. When it is null, the shipment is found out. */
export function foldLook(
  fold: Fold,
  state: JourneyState,
  entry: EntryOf<'look'>,
  { material, key = null }: { readonly material: LookMaterial; readonly key?: ShipmentKey | null },
): LookFolded {
  if (entry.trackingRequestId === null) throw new Error('it names no request')
  const request = asAsked(getRequest(state, entry.trackingRequestId))
  if (request === null) throw new Error('it is a look of a request that asks nobody')
  const said = material.kind === 'reading' ? takenIn(state, entry, request, material.heard) : state
  const decided = unlessTrackedThere(
    said,
    fold,
    request,
    decide(fold, entry, request, material.outcome),
    request.lifecycle,
    entry.recordedAt,
  )
  const change = material.kind === 'reading' ? material.heard.change : null
  const isNews = change !== null && change.add.length + change.retire.length > 0
  const look: Look = { entry, request, decided, isNews, key }
  const isTracked = decided.state.status === 'created' || request.shipmentId !== null
  return {
    ...(isTracked ? foldTracked(fold, said, look) : foldSearched(said, look)),
    happened: decided.happened,
    isUnconfirmed: change !== null && change.missing.length > 0,
  }
}

/** What a request gets: an answer, or a message of a partner. */
export interface Look {
  readonly entry: EntryOf<'look'> | MessageEntry
  /** The request, with the line that is asked for it. */
  readonly request: TrackedRequest
  readonly decided: LifecycleStep
  readonly isNews: boolean
  readonly key: ShipmentKey | null
  /** Adds to the shipment what only this shipment hears. */
  readonly told?: (shipment: ShipmentState) => ShipmentState
}

export type Outcome = Omit<LookFolded, 'happened' | 'isUnconfirmed'>

function takenIn(
  state: JourneyState,
  entry: EntryOf<'look'>,
  request: TrackedRequest,
  { change, issues }: Heard,
): JourneyState {
  const { snapshotId, recordedAt } = entry
  const by = { at: recordedAt, snapshotId, reader: entry.reader ?? 'unknown' }
  const { scac, subjectId, id: trackingRequestId } = request
  const said = takeIn(state.subjects.get(subjectId) ?? new Map(), change, by)
  const of = { scac, subjectId, trackingRequestId, shipmentId: null, snapshotId }
  return countIssues(withSaid(state, subjectId, said), issues, of, recordedAt)
}

function decide(
  fold: Fold,
  { payload, recordedAt }: EntryOf<'look'>,
  request: TrackedRequest,
  outcome: LookOutcome | null,
): LifecycleStep {
  if (outcome === null) return { state: request.lifecycle, happened: [] }
  const { kinds = [], isTripOver = false } = payload
  const looked = { kind: 'looked', outcome, kinds, isTripOver } as const
  return stepLifecycle(foldOf(fold, request), request.lifecycle, looked, recordedAt)
}

/** The test line has no manifests to wait for: what it does not know fails at once, as its numbers promise. */
export function foldOf(fold: Fold, { scac }: { readonly scac: string | null }): Fold {
  if (scac !== testScac) return fold
  return { ...fold, rules: { ...fold.rules, lifecycle: { ...fold.rules.lifecycle, manifestWaitDays: 0 } } }
}

/** For a request without a shipment: its line says nothing of the number yet, or not any more. */
function foldSearched(state: JourneyState, { entry, request, decided }: Look): Outcome {
  const line = lineColumns(request, decided.state)
  const moved = { ...movedTo(request, decided.state, entry.recordedAt), ...line }
  return {
    state: withRequest(state, moved),
    at: entry.recordedAt,
    changes: [],
    changeOf: new Map(),
    events: lifecycleEvents(request, null, decided.happened, entry),
    announced: [],
    ended: [],
    lifecycle: decided.state,
    subjectId: line.subjectId,
    shipmentId: null,
    projection: null,
    opened: null,
  }
}

export function foldTracked(fold: Fold, state: JourneyState, look: Look): Outcome {
  const { entry, request, decided } = look
  const at = entry.recordedAt
  const opened = request.shipmentId === null ? (look.key ?? identified(fold, state, look)) : null
  const linked = opened === null ? null : openShipment(state, entry, request, opened)
  const shipmentId = linked?.shipmentId ?? request.shipmentId ?? ''
  const asking = { ...request, shipmentId }
  // The request is linked before the projection, so that its subject counts among the shipment's.
  const asked = linked === null ? state : withRequest(linked.state, movedTo(asking, decided.state, at))
  const before =
    look.told === undefined ? asked : withShipment(asked, look.told(getShipment(asked, shipmentId)))
  const isQuiet = entry.payload.isQuiet === true
  const projected = project(fold, before, entry, shipmentId, { isQuiet })
  const step = noteJourney(fold, projected, look)
  const moved = withRequest(projected.state, movedTo(asking, step.state, at))
  const facts = step.facts
  const timed =
    requestsOf(moved, shipmentId).length > 1
      ? setTimersOfSiblings(moved, { shipmentId, requestId: request.id, facts, at })
      : moved
  const heard = (happened: LifecycleStep['happened']): readonly DomainEvent[] =>
    lifecycleEvents(request, shipmentId, happened, entry)
  return {
    state: settleTrackingStop(timed, { shipmentId, at }),
    at,
    changes: projected.changes,
    changeOf: projected.announcement.changeOf,
    events: [...heard(decided.happened), ...projected.announcement.events, ...heard(step.happened)],
    announced: projected.announcement.rows,
    ended: projected.announcement.invalidate,
    lifecycle: step.state,
    subjectId: request.subjectId,
    shipmentId,
    projection: projected.projection,
    opened,
  }
}

function identified(fold: Fold, state: JourneyState, { request, entry }: Look): ShipmentKey {
  return identify(fold, request, standingClaims(state.subjects.get(request.subjectId)), entry.recordedAt)
}

/** Notes in the request what its journey says about tracking it. The request may stop or go on because of that. */
function noteJourney(
  fold: Fold,
  { projection, isChanged, state }: ReturnType<typeof project>,
  { entry, request, decided, isNews }: Look,
) {
  const at = entry.recordedAt
  const known = decided.state.facts?.lastUpdateAt
  const facts = trackingFacts(projection, isChanged || known === undefined || isNews ? at : known)
  const read = stepLifecycle(fold, decided.state, { kind: 'journey_read', facts }, at)
  return { facts, ...unlessTrackedElsewhere(state, request, read, decided.state) }
}

/** Writes into the entry which shipment it found, so that whoever folds the entry again finds the same one. */
export function sayOpened(folded: LookFolded): {
  readonly folded: LookFolded
  readonly says: Pick<EntryOf<'look'>['payload'], 'opened'>
} {
  if (folded.opened === null) return { folded, says: {} }
  const { scac: _, ...opened } = folded.opened
  return { folded, says: { opened } }
}
