/** What a user does to a shipment, container or request: one ledger entry each, folded like everything else. */

import { rulesVersion } from '../../core/projection-rules.ts'
import type { EventTime } from '../../core/time.ts'
import { evolve } from '../../core/tracking-request-state.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { FoldTables } from '../../store/fold-tables.ts'
import type { EntryOf, LedgerEntry } from '../../store/ledger.ts'
import type { UserAction } from '../../store/ledger-payload.ts'
import type { TrackingRequestRow } from '../../store/tracking-requests.ts'
import type { Fold } from '../ledger/fold.ts'
import { type BoxOfTrip, containerIdOf, type LockedShipment, projectAndWrite } from './project-shipment.ts'
import { lifecycleColumns, lifecycleEvents, stepLifecycle, withoutTwin } from './step-lifecycle.ts'

/** Folds the entry. The request or the shipment it names is there: the verb has looked. */
export async function applyUserAction(
  tables: FoldTables,
  fold: Fold,
  entry: EntryOf<'user_action'>,
): Promise<void> {
  const done = entry.payload
  if (done.action === 'update_request') {
    await tables.setRequestReferences({
      accountId: entry.accountId,
      id: named(entry.trackingRequestId, entry),
      refNumbers: done.refNumbers,
      updatedAt: entry.recordedAt,
    })
    return
  }
  const shipmentId = named(entry.shipmentId, entry)
  // Requests first, then the shipment: the order in which every entry locks.
  const requests = await tables.lockRequestsOfShipment({ accountId: entry.accountId, shipmentId })
  const locked = await tables.lockShipment({ accountId: entry.accountId, id: shipmentId })
  if (locked === null) throw new Error(`shipment ${shipmentId} is gone`)
  switch (done.action) {
    case 'stop_tracking':
      return changeTracking(tables, fold, entry, requests, 'stopped_by_user')
    case 'resume_tracking':
      return changeTracking(tables, fold, entry, requests, 'resumed_by_user')
    case 'update_shipment':
      return tables.updateShipmentFields({
        ...locked.shipment,
        refNumbers: done.refNumbers ?? locked.shipment.refNumbers,
        tags: done.tags ?? locked.shipment.tags,
        updatedAt: entry.recordedAt,
      })
    case 'update_container':
      return updateContainer(tables, fold, { entry, done, locked })
  }
}

function named(id: string | null, entry: LedgerEntry): string {
  if (id === null) throw new Error(`ledger entry ${entry.position} names nothing`)
  return id
}

async function changeTracking(
  tables: FoldTables,
  fold: Fold,
  entry: LedgerEntry,
  requests: readonly TrackingRequestRow[],
  kind: 'stopped_by_user' | 'resumed_by_user',
): Promise<void> {
  // The newest first: of several requests for one number only one can be resumed.
  for (const request of requests.toReversed()) {
    const state = request.lifecycle
    const decided = stepLifecycle(fold, state, { kind }, entry.recordedAt)
    const { happened } = await withoutTwin(tables, request, decided, state)
    if (happened.length === 0) continue
    await tables.updateTrackingRequestState({
      ...request,
      ...lifecycleColumns(happened.reduce(evolve, state)),
      updatedAt: entry.recordedAt,
    })
    await tables.insertEvents({
      accountId: entry.accountId,
      events: lifecycleEvents(request, request.shipmentId, happened, entry),
      at: entry.recordedAt,
    })
  }
  await tables.settleTrackingStop({
    accountId: entry.accountId,
    shipmentId: named(entry.shipmentId, entry),
    at: entry.recordedAt,
  })
}

async function updateContainer(
  tables: FoldTables,
  fold: Fold,
  input: {
    readonly entry: LedgerEntry
    readonly done: Extract<UserAction, { action: 'update_container' }>
    readonly locked: LockedShipment
  },
): Promise<void> {
  const { entry, done, locked } = input
  if (done.refNumbers !== undefined) {
    await tables.setContainerReferences({
      accountId: entry.accountId,
      id: done.containerId,
      refNumbers: done.refNumbers,
      updatedAt: entry.recordedAt,
    })
  }
  if (done.delivered === undefined) return
  const container = locked.containers.find((row) => row.id === done.containerId) ?? findBox(input)
  if (container === null) throw new Error(`container ${done.containerId} is gone`)
  await recordDelivery(tables, entry, container, done.delivered)
  await projectAndWrite(tables, fold, { entry, locked, heardFirst: [] })
}

const tripsMax = 20

/** Older rules told of a trip of a box that these do not: its id says which. */
function findBox({ entry, done, locked }: Parameters<typeof updateContainer>[2]): BoxOfTrip | null {
  if (entry.rules === rulesVersion) return null
  const numbers = [...new Set(locked.containers.map(({ number }) => number))]
  const boxes = numbers.flatMap((number) =>
    Array.from({ length: tripsMax }, (_, index) => ({ number, trip: index + 1 })),
  )
  return boxes.find((box) => containerIdOf(locked.shipment.id, box) === done.containerId) ?? null
}

/** The customer's word is a claim like any other, and replaces the customer's earlier one. */
async function recordDelivery(
  tables: FoldTables,
  entry: LedgerEntry,
  container: BoxOfTrip,
  delivered: EventTime | null,
): Promise<void> {
  const shipmentId = named(entry.shipmentId, entry)
  const key = `delivered ${container.number}#${container.trip}`
  const live = await tables.liveClaims({ accountId: entry.accountId, subjectIds: [], shipmentId })
  await tables.writeReading({
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
