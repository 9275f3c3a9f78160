/** What a user does to a shipment, container or request: one ledger entry each, folded like everything else. */

import { rulesVersion } from '../../core/projection-rules.ts'
import { compareText } from '../../core/statement.ts'
import type { EventTime } from '../../core/time.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { DomainEvent } from '../../store/domain-events.ts'
import type { JourneyState, ShipmentState } from '../../store/journey-state/state.ts'
import type { EntryOf } from '../../store/ledger.ts'
import type { PersonsWord, UserAction } from '../../store/ledger-payload.ts'
import type { Fold } from './fold.ts'
import { foldShipmentTimer } from './fold-timer.ts'
import { type Folded, foldedQuietly } from './folded.ts'
import { lifecycleEvents, movedTo, stepLifecycle, withoutTwin } from './lifecycle.ts'
import { keyOfWord, withWords } from './persons-words.ts'
import { type BoxOfTrip, containerIdOf } from './project.ts'
import { settleTrackingStop } from './settle-requests.ts'
import { getRequest, getShipment, requestsOf, withRequest, withShipment } from './state-rows.ts'

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
    case 'state':
      return foldWords(fold, state, entry, { done, shipment })
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

interface AboutContainer {
  readonly done: { readonly containerId: string }
  readonly shipment: ShipmentState
}

interface OfContainer<Action extends 'update_container' | 'state'> {
  readonly done: Extract<UserAction, { action: Action }>
  readonly shipment: ShipmentState
}

function updateContainer(
  fold: Fold,
  state: JourneyState,
  entry: Entry,
  update: OfContainer<'update_container'>,
): Folded {
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
  const said = withWords(shipment, entry, {
    box: getBox(entry, update),
    code: 'api',
    add: [deliveryOf(update, entry, delivered)],
  })
  return foldShipmentTimer(fold, withShipment(state, said), entry, shipment.row.id)
}

/** Its id is made of its entry: there were ids before people could state more than this. */
function deliveryOf(
  update: OfContainer<'update_container'>,
  entry: Entry,
  value: EventTime | null,
): PersonsWord {
  const key = keyOfWord('delivered', getBox(entry, update))
  const said = `claim:${update.shipment.row.id}:${key}:${entry.recordedAt}:${entry.position}`
  return { id: uuidV5(LANDFALL_NAMESPACE, said), key, fact: 'delivered', value }
}

function foldWords(fold: Fold, state: JourneyState, entry: Entry, update: OfContainer<'state'>): Folded {
  const { done, shipment } = update
  const said = withWords(shipment, entry, {
    box: getBox(entry, update),
    code: entry.payload.actor?.id ?? 'api',
    add: done.add ?? [],
    withdraw: done.withdraw ?? [],
  })
  return foldShipmentTimer(fold, withShipment(state, said), entry, shipment.row.id)
}

function getBox(entry: Entry, of: AboutContainer): BoxOfTrip {
  const { containerId } = of.done
  const box = of.shipment.containers.find((row) => row.id === containerId) ?? findBox(entry, of)
  if (box === null) throw new Error(`container ${containerId} is gone`)
  return box
}

const tripsMax = 20

/** Older rules told of a trip of a box that these do not: its id says which. */
function findBox(entry: Entry, { done, shipment }: AboutContainer): BoxOfTrip | null {
  if (entry.rules === rulesVersion) return null
  const numbers = [...new Set(shipment.containers.map(({ number }) => number))]
  const boxes = numbers.flatMap((number) =>
    Array.from({ length: tripsMax }, (_, index) => ({ number, trip: index + 1 })),
  )
  return boxes.find((box) => containerIdOf(shipment.row.id, box) === done.containerId) ?? null
}
