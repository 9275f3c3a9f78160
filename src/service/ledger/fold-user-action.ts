/** What a user does to a shipment, container or request: one ledger entry each, folded like everything else. */

import { rulesVersion } from '../../core/projection-rules.ts'
import { compareText } from '../../core/statement.ts'
import type { EventTime } from '../../core/time.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { DomainEvent } from '../../store/domain-events.ts'
import type { JourneyState, ShipmentState } from '../../store/journey-state/state.ts'
import type { EntryOf } from '../../store/ledger.ts'
import type { UserAction } from '../../store/ledger-payload.ts'
import type { Fold } from './fold.ts'
import { foldShipmentTimer } from './fold-timer.ts'
import { type Folded, foldedQuietly } from './folded.ts'
import { lifecycleEvents, movedTo, stepLifecycle, withoutTwin } from './lifecycle.ts'
import { type BoxOfTrip, containerIdOf } from './project.ts'
import { settleTrackingStop } from './settle-requests.ts'
import { getRequest, getShipment, requestsOf, withRequest, withShipment } from './state-rows.ts'
import { takeIn } from './take-in.ts'

type Entry = EntryOf<'user_action'>

/** The request or the shipment it names is there: the verb has looked. */
export function foldUserAction(fold: Fold, state: JourneyState, entry: Entry): Folded {
  const { payload: done, recordedAt: at } = entry
  if (done.action === 'update_request') {
    const request = getRequest(state, named(entry.trackingRequestId, entry))
    return foldedQuietly(withRequest(state, { ...request, refNumbers: done.refNumbers, updatedAt: at }), at)
  }
  const shipmentId = named(entry.shipmentId, entry)
  const shipment = getShipment(state, shipmentId)
  switch (done.action) {
    case 'stop_tracking':
      return changeTracking(fold, state, entry, 'stopped_by_user')
    case 'resume_tracking':
      return changeTracking(fold, state, entry, 'resumed_by_user')
    case 'update_shipment': {
      const { refNumbers = shipment.row.refNumbers, tags = shipment.row.tags } = done
      const row = { ...shipment.row, refNumbers, tags, updatedAt: at }
      return foldedQuietly(withShipment(state, { ...shipment, row }), at)
    }
    case 'update_container':
      return updateContainer(fold, state, entry, { done, shipment })
  }
}

function named(id: string | null, entry: Entry): string {
  if (id === null) throw new Error(`ledger entry ${entry.position} names nothing`)
  return id
}

function changeTracking(
  fold: Fold,
  state: JourneyState,
  entry: Entry,
  kind: 'stopped_by_user' | 'resumed_by_user',
): Folded {
  const shipmentId = named(entry.shipmentId, entry)
  const events: DomainEvent[] = []
  let after = state
  // The newest first: of several requests for one number only one can be resumed.
  for (const request of requestsOf(state, shipmentId).toSorted((a, b) => compareText(b.id, a.id))) {
    const before = request.lifecycle
    const decided = stepLifecycle(fold, before, { kind }, entry.recordedAt)
    const step = withoutTwin(after, request, decided, before)
    if (step.happened.length === 0) continue
    after = withRequest(after, movedTo(request, step.state, entry.recordedAt))
    events.push(...lifecycleEvents(request, shipmentId, step.happened, entry))
  }
  const settled = settleTrackingStop(after, { shipmentId, at: entry.recordedAt })
  return { ...foldedQuietly(settled, entry.recordedAt), events }
}

interface ContainerUpdate {
  readonly done: Extract<UserAction, { action: 'update_container' }>
  readonly shipment: ShipmentState
}

function updateContainer(fold: Fold, state: JourneyState, entry: Entry, update: ContainerUpdate): Folded {
  const { done } = update
  const at = entry.recordedAt
  const { refNumbers, delivered, containerId } = done
  const containers =
    refNumbers === undefined
      ? update.shipment.containers
      : update.shipment.containers.map((row) =>
          row.id === containerId ? { ...row, refNumbers, updatedAt: at } : row,
        )
  const shipment = { ...update.shipment, containers }
  if (delivered === undefined) return foldedQuietly(withShipment(state, shipment), at)
  const box = containers.find((row) => row.id === containerId) ?? findBox(entry, update)
  if (box === null) throw new Error(`container ${containerId} is gone`)
  const said = withDelivery(shipment, entry, box, delivered)
  return foldShipmentTimer(fold, withShipment(state, said), entry, shipment.row.id)
}

const tripsMax = 20

/** Older rules told of a trip of a box that these do not: its id says which. */
function findBox(entry: Entry, { done, shipment }: ContainerUpdate): BoxOfTrip | null {
  if (entry.rules === rulesVersion) return null
  const numbers = [...new Set(shipment.containers.map(({ number }) => number))]
  const boxes = numbers.flatMap((number) =>
    Array.from({ length: tripsMax }, (_, index) => ({ number, trip: index + 1 })),
  )
  return boxes.find((box) => containerIdOf(shipment.row.id, box) === done.containerId) ?? null
}

/** The customer's word is a claim like any other, and replaces the customer's earlier one. */
function withDelivery(
  shipment: ShipmentState,
  entry: Entry,
  { number, trip }: BoxOfTrip,
  delivered: EventTime | null,
): ShipmentState {
  const { recordedAt, position } = entry
  const shipmentId = shipment.row.id
  const key = `delivered ${number}#${trip}`
  const earlier = [...shipment.claims.values()].filter(
    ({ observation, retiredAt }) => observation.key === key && retiredAt === null,
  )
  const claim = {
    id: uuidV5(LANDFALL_NAMESPACE, `claim:${shipmentId}:${key}:${recordedAt}:${position}`),
    source: { kind: 'user', code: 'api' },
    observation: {
      kind: 'fact',
      fact: 'delivered',
      value: delivered,
      key,
      equipment: number,
      statedAt: recordedAt,
      isRetracted: false,
    },
    readAt: recordedAt,
    recordedAt,
    standsAt: recordedAt,
    hand: 'first',
    deliveryKey: null,
    retiredAt: null,
    subjectId: null,
    shipmentId,
    firstSnapshotId: null,
    goneSnapshotId: null,
    missingSince: null,
  } as const
  const change = { add: [claim], retire: earlier.map(({ id }) => id), seen: [], missing: [], left: [] }
  const by = { at: recordedAt, snapshotId: null, reader: 'user/1' }
  return { ...shipment, claims: takeIn(shipment.claims, change, by) }
}
