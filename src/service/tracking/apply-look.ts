/** Folds the entry of a look: what was read is absorbed, the request moves on, its shipment is projected anew. */

import { testScac } from '../../core/identifiers.ts'
import type { ShipmentProjection } from '../../core/projection.ts'
import { rulesVersion } from '../../core/projection-rules.ts'
import type { LookOutcome } from '../../core/tracking-request.ts'
import type { TrackingRequestEvent, TrackingRequestState } from '../../core/tracking-request-state.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { normalizedNumber, tidyNumber } from '../../reference/shipping-lines.ts'
import type { FoldTables } from '../../store/fold-tables.ts'
import type { EntryOf, LedgerEntry } from '../../store/ledger.ts'
import type { TrackedRequest, TrackingRequestRow } from '../../store/tracking-requests.ts'
import { askedType, lineColumns } from '../ledger/asked-request.ts'
import type { Fold } from '../ledger/fold.ts'
import { trackingFacts } from '../ledger/journey-facts.ts'
import { joinTexts } from '../ledger/tidy-texts.ts'
import type { Heard } from './heard.ts'
import {
  type LockedShipment,
  projectAndWrite,
  readProjection,
  requestOf,
  type StandingClaims,
} from './project-shipment.ts'
import { standingAfter } from './standing-claims.ts'
import {
  lifecycleColumns,
  lifecycleEvents,
  stepLifecycle,
  unlessTrackedThere,
  withoutTwin,
} from './step-lifecycle.ts'

/** A look's material: what the reader made of the snapshot, or why there is none. */
export type LookMaterial =
  /** `outcome` null: a second reading, which is no look and moves no request on by itself. */
  | { readonly kind: 'reading'; readonly heard: Heard; readonly outcome: LookOutcome | null }
  | { readonly kind: 'no_answer'; readonly outcome: LookOutcome }

/** What the pipeline needs to know to plan the next look, and what can be learnt from this one. */
export interface LookApplied {
  readonly state: TrackingRequestState
  /** What the answer of the line did to the request. */
  readonly happened: readonly TrackingRequestEvent[]
  /** The subject that is looked at for it from now on. */
  readonly subjectId: string | null
  readonly projection: ShipmentProjection | null
  readonly shipmentId: string | null
  readonly isUnconfirmed: boolean
}

/** The request is locked by the caller, and is given as it is asked. */
export async function applyLook(
  tables: FoldTables,
  fold: Fold,
  look: {
    readonly entry: EntryOf<'look'>
    readonly request: TrackedRequest
    readonly material: LookMaterial
    /** The request's shipment, where the caller holds it. */
    readonly opened: LockedShipment | null
  },
): Promise<LookApplied> {
  const { entry, request, material } = look
  const { outcome } = material
  const change = material.kind === 'reading' ? material.heard.change : null
  const standing =
    material.kind === 'reading' ? await writeHeard(tables, entry, request, material.heard) : null
  const isUnconfirmed = change !== null && change.missing.length > 0
  const state = request.lifecycle
  const decided =
    outcome === null
      ? { state, happened: [] }
      : stepLifecycle(
          foldOf(fold, request),
          state,
          {
            kind: 'looked',
            outcome,
            kinds: entry.payload.kinds ?? [],
            isTripOver: entry.payload.isTripOver ?? false,
          },
          entry.recordedAt,
        )
  const looked = await unlessTrackedThere(tables, fold, request, decided, state, entry.recordedAt)
  const { happened } = looked
  const line = lineColumns(request, looked.state)
  const isTracked = looked.state.status === 'created' || request.shipmentId !== null
  if (!isTracked) {
    await tables.updateTrackingRequestState({
      ...request,
      ...line,
      ...lifecycleColumns(looked.state),
      updatedAt: entry.recordedAt,
    })
    await tables.insertEvents({
      accountId: entry.accountId,
      events: lifecycleEvents(request, null, looked.happened, entry),
      at: entry.recordedAt,
    })
    const { subjectId } = line
    return { state: looked.state, happened, subjectId, projection: null, shipmentId: null, isUnconfirmed }
  }

  const opened = look.opened ?? (await openShipment(tables, fold, entry, request))
  const moveTo = (reached: TrackingRequestState): Promise<void> =>
    tables.updateTrackingRequestState({
      ...request,
      ...lifecycleColumns(reached),
      shipmentId: opened.shipment.id,
      updatedAt: entry.recordedAt,
    })
  // The request is linked before the projection, so that its subject counts among the shipment's.
  const isLinked = request.shipmentId !== null
  if (!isLinked) {
    await moveTo(looked.state)
    const { customerId } = request
    if (customerId !== null && opened.shipment.customerId === null)
      await tables.adoptCustomer({ accountId: entry.accountId, shipmentId: opened.shipment.id, customerId })
    await adoptLabels(tables, entry, request, opened)
  }
  const projected = await projectAndWrite(tables, fold, {
    entry,
    locked: opened,
    standing,
    isQuiet: entry.payload.isQuiet === true,
    heardFirst: lifecycleEvents(request, opened.shipment.id, looked.happened, entry),
  })
  const known = looked.state.facts?.lastUpdateAt
  const isNews =
    projected.isChanged ||
    known === undefined ||
    (change !== null && (change.add.length > 0 || change.retire.length > 0))
  const facts = trackingFacts(projected.projection, isNews ? entry.recordedAt : (known ?? entry.recordedAt))
  const journeyRead = stepLifecycle(fold, looked.state, { kind: 'journey_read', facts }, entry.recordedAt)
  const read = await withoutTwin(tables, request, journeyRead, looked.state)
  if (isLinked || read.happened.length > 0) await moveTo(read.state)
  if (read.happened.length > 0) {
    await tables.insertEvents({
      accountId: entry.accountId,
      events: lifecycleEvents(request, opened.shipment.id, read.happened, entry),
      at: entry.recordedAt,
    })
  }
  const about = { accountId: entry.accountId, shipmentId: opened.shipment.id, at: entry.recordedAt }
  if (projected.requests.length > 1) await tables.ringForSiblings({ ...about, requestId: request.id, facts })
  const isSettled = opened.shipment.trackingStoppedAt === null && read.state.status === 'created'
  if (!isSettled) await tables.settleTrackingStop(about)
  return {
    state: read.state,
    happened,
    subjectId: request.subjectId,
    projection: projected.projection,
    shipmentId: about.shipmentId,
    isUnconfirmed,
  }
}

/** The test line has no manifests to wait for: what it does not know fails at once, as its numbers promise. */
export function foldOf(fold: Fold, { scac }: Pick<TrackingRequestRow, 'scac'>): Fold {
  if (scac !== testScac) return fold
  return { ...fold, rules: { ...fold.rules, lifecycle: { ...fold.rules.lifecycle, manifestWaitDays: 0 } } }
}

async function writeHeard(
  tables: FoldTables,
  entry: LedgerEntry,
  request: TrackedRequest,
  heard: Heard,
): Promise<StandingClaims | null> {
  await tables.countIssues({
    accountId: entry.accountId,
    scac: request.scac,
    subjectId: request.subjectId,
    trackingRequestId: request.id,
    shipmentId: null,
    snapshotId: entry.snapshotId,
    issues: heard.issues,
    at: entry.recordedAt,
  })
  const kept = await tables.writeReading({
    accountId: entry.accountId,
    snapshotId: entry.snapshotId,
    reader: entry.reader ?? 'unknown',
    recordedAt: entry.recordedAt,
    ...heard.change,
  })
  return standingAfter(heard, request.subjectId, kept)
}

/** The request's shipment, locked; made, or joined where the account has one of that line and bill. */
async function openShipment(
  tables: FoldTables,
  fold: Fold,
  entry: LedgerEntry,
  request: TrackedRequest,
): Promise<LockedShipment> {
  const id = request.shipmentId ?? (await makeShipment(tables, fold, entry, request))
  const locked = await tables.lockShipment({ accountId: entry.accountId, id })
  if (locked === null) throw new Error(`shipment ${id} of request ${request.id} is gone`)
  return locked
}

async function makeShipment(
  tables: FoldTables,
  fold: Fold,
  entry: LedgerEntry,
  request: TrackedRequest,
): Promise<string> {
  const isContainer = askedType(request) === 'container'
  // These rules might hear another bill than those by which it was made, and everything since is under its id.
  const known =
    isContainer && entry.rules !== rulesVersion
      ? await tables.shipmentOnRecord({ accountId: entry.accountId, trackingRequestId: request.id })
      : null
  const number = isContainer ? await heardBill(tables, fold, entry, request) : request.requestNumber
  const line = fold.findLine(request.scac)
  const asked = isContainer && number !== null ? tidyNumber(line, number) : request.number
  const normalized = line === null ? asked : normalizedNumber(line, asked)
  return tables.ensureShipment({
    accountId: entry.accountId,
    id: uuidV5(LANDFALL_NAMESPACE, `shipment:${entry.accountId}:${request.scac}:${normalized}`),
    scac: request.scac,
    billOfLadingNumber: number ?? request.number,
    normalizedNumber: normalized,
    ...known,
    refNumbers: request.refNumbers,
    tags: request.shipmentTags,
    customerId: request.customerId,
    projection: {} as ShipmentProjection,
    trackingStoppedAt: null,
    trackingStoppedReason: null,
    timerAt: null,
    rules: entry.rules,
    createdAt: entry.recordedAt,
    updatedAt: entry.recordedAt,
  })
}

/** What the request brings for a shipment that was there before it: behind what the shipment has. */
async function adoptLabels(
  tables: FoldTables,
  entry: LedgerEntry,
  request: TrackedRequest,
  { shipment }: LockedShipment,
): Promise<void> {
  const refNumbers = joinTexts(shipment.refNumbers, request.refNumbers)
  const tags = joinTexts(shipment.tags, request.shipmentTags)
  const isMore = refNumbers.length > shipment.refNumbers.length || tags.length > shipment.tags.length
  if (isMore)
    await tables.updateShipmentFields({ ...shipment, refNumbers, tags, updatedAt: entry.recordedAt })
}

/** The bill under which the line says that the container travels; null when it does not say. */
async function heardBill(
  tables: FoldTables,
  fold: Fold,
  entry: LedgerEntry,
  request: TrackedRequest,
): Promise<string | null> {
  const heard = await readProjection(tables, fold, {
    entry,
    scac: request.scac,
    request: requestOf({ ...request, requestType: askedType(request) }),
    subjectIds: [request.subjectId],
    locked: null,
    standing: null,
  })
  return heard.billOfLadingNumber
}
