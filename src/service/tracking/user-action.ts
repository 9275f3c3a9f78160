/** What a user does to a shipment, container or request: one ledger entry each, folded like everything else. */

import type { EventTime } from '../../core/time.ts'
import { evolve, type TrackingRequestState } from '../../core/tracking-request-state.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { liveClaims, writeReading } from '../../store/claims.ts'
import type { Db } from '../../store/database.ts'
import { insertEvents } from '../../store/domain-events.ts'
import type { LedgerEntry } from '../../store/ledger.ts'
import {
  type ContainerRow,
  lockShipment,
  setContainerReferences,
  settleTrackingStop,
  updateShipmentFields,
} from '../../store/shipments.ts'
import {
  lockRequestsOfShipment,
  setRequestReferences,
  type TrackingRequestRow,
  updateTrackingRequestState,
} from '../../store/tracking-requests.ts'
import type { Fold } from './fold.ts'
import { type LockedShipment, projectAndWrite } from './project-shipment.ts'
import { lifecycleColumns, lifecycleEvents, stepLifecycle, withoutTwin } from './step-lifecycle.ts'

/** The payload of a `user_action` entry. */
export type UserAction =
  | { readonly action: 'stop_tracking' }
  | { readonly action: 'resume_tracking' }
  | {
      readonly action: 'update_shipment'
      readonly refNumbers?: readonly string[]
      readonly tags?: readonly string[]
    }
  | {
      readonly action: 'update_container'
      readonly containerId: string
      readonly refNumbers?: readonly string[]
      /** Null takes it back. */
      readonly delivered?: EventTime | null
    }
  | { readonly action: 'update_request'; readonly refNumbers: readonly string[] }

/** Folds the entry. The request or the shipment it names is there: the verb has looked. */
export async function applyUserAction(db: Db, fold: Fold, entry: LedgerEntry): Promise<void> {
  const done = entry.payload as unknown as UserAction
  if (done.action === 'update_request') {
    await setRequestReferences(db, {
      accountId: entry.accountId,
      id: named(entry.trackingRequestId, entry),
      refNumbers: done.refNumbers,
      updatedAt: entry.recordedAt,
    })
    return
  }
  const shipmentId = named(entry.shipmentId, entry)
  // Requests first, then the shipment: the order in which every entry locks.
  const requests = await lockRequestsOfShipment(db, { accountId: entry.accountId, shipmentId })
  const locked = await lockShipment(db, { accountId: entry.accountId, id: shipmentId })
  if (locked === null) throw new Error(`shipment ${shipmentId} is gone`)
  switch (done.action) {
    case 'stop_tracking':
      return changeTracking(db, fold, entry, requests, 'stopped_by_user')
    case 'resume_tracking':
      return changeTracking(db, fold, entry, requests, 'resumed_by_user')
    case 'update_shipment':
      return updateShipmentFields(db, {
        ...locked.shipment,
        refNumbers: done.refNumbers ?? locked.shipment.refNumbers,
        tags: done.tags ?? locked.shipment.tags,
        updatedAt: entry.recordedAt,
      })
    case 'update_container':
      return updateContainer(db, fold, { entry, done, locked })
  }
}

function named(id: string | null, entry: LedgerEntry): string {
  if (id === null) throw new Error(`ledger entry ${entry.position} names nothing`)
  return id
}

async function changeTracking(
  db: Db,
  fold: Fold,
  entry: LedgerEntry,
  requests: readonly TrackingRequestRow[],
  kind: 'stopped_by_user' | 'resumed_by_user',
): Promise<void> {
  // The newest first: of several requests for one number only one can be resumed.
  for (const request of requests.toReversed()) {
    const state = request.lifecycle as TrackingRequestState
    const decided = stepLifecycle(fold, state, { kind }, entry.recordedAt)
    const { happened } = await withoutTwin(db, request, decided, state)
    if (happened.length === 0) continue
    await updateTrackingRequestState(db, {
      ...request,
      ...lifecycleColumns(happened.reduce(evolve, state)),
      updatedAt: entry.recordedAt,
    })
    await insertEvents(db, {
      accountId: entry.accountId,
      events: lifecycleEvents(request, request.shipmentId, happened, entry),
      at: entry.recordedAt,
    })
  }
  await settleTrackingStop(db, {
    accountId: entry.accountId,
    shipmentId: named(entry.shipmentId, entry),
    at: entry.recordedAt,
  })
}

async function updateContainer(
  db: Db,
  fold: Fold,
  input: {
    readonly entry: LedgerEntry
    readonly done: Extract<UserAction, { action: 'update_container' }>
    readonly locked: LockedShipment
  },
): Promise<void> {
  const { entry, done, locked } = input
  if (done.refNumbers !== undefined) {
    await setContainerReferences(db, {
      accountId: entry.accountId,
      id: done.containerId,
      refNumbers: done.refNumbers,
      updatedAt: entry.recordedAt,
    })
  }
  if (done.delivered === undefined) return
  const container = locked.containers.find((row) => row.id === done.containerId)
  if (container === undefined) throw new Error(`container ${done.containerId} is gone`)
  await recordDelivery(db, entry, container, done.delivered)
  await projectAndWrite(db, fold, { entry, locked, heardFirst: [] })
}

/** The customer's word is a claim like any other, and replaces the customer's earlier one. */
async function recordDelivery(
  db: Db,
  entry: LedgerEntry,
  container: ContainerRow,
  delivered: EventTime | null,
): Promise<void> {
  const shipmentId = named(entry.shipmentId, entry)
  const key = `delivered ${container.number}#${container.trip}`
  const live = await liveClaims(db, { accountId: entry.accountId, subjectIds: [], shipmentId })
  await writeReading(db, {
    accountId: entry.accountId,
    snapshotId: null,
    reader: 'user/1',
    recordedAt: entry.recordedAt,
    retire: live.filter((claim) => claim.observation.key === key).map((claim) => claim.id),
    seen: [],
    missing: [],
    left: [],
    add: [
      {
        id: uuidV5(LANDFALL_NAMESPACE, `claim:${shipmentId}:${key}:${entry.recordedAt}:${entry.position}`),
        source: { kind: 'user', code: 'api' },
        observation: {
          kind: 'fact',
          fact: 'delivered',
          value: delivered,
          key,
          equipment: container.number,
          statedAt: entry.recordedAt,
          isRetracted: false,
        },
        readAt: entry.recordedAt,
        recordedAt: entry.recordedAt,
        retiredAt: null,
        subjectId: null,
        shipmentId,
        firstSnapshotId: null,
        goneSnapshotId: null,
        missingSince: null,
      },
    ],
  })
}
