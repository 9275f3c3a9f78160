/** What a user does to a shipment, container or request: one ledger entry each, folded like everything else. */

import { compareText } from '../../domain/statements/statement.ts'
import type { EventTime } from '../../domain/values/time.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { DomainEvent } from '../projection/domain-events-sql.ts'
import type { JourneyState, ShipmentState } from '../projection/journey-state-sql.ts'
import type { Fold } from './fold.ts'
import { foldPersonStatement, getContainerTrip } from './fold-person-statement.ts'
import { type FoldResult, toUnpublishedResult } from './fold-result.ts'
import type { PersonStatement, UserAction } from './ledger-payload-sql.ts'
import type { EntryOf } from './ledger-sql.ts'
import { lifecycleEvents, preventDuplicateResume, stepLifecycle, withLifecycleState } from './lifecycle.ts'
import { buildStatementKey } from './person-statements.ts'
import { resolveTrackingStop } from './resolve-tracking-stop.ts'
import { getRequest, getShipment, requestsOf, withRequest, withShipment } from './state-rows.ts'
import type { ContainerTrip } from './update-projection.ts'

type UserActionEntry = EntryOf<'user_action'>

/** The request or shipment that the entry names exists: the caller has checked that. */
export function foldUserAction(fold: Fold, state: JourneyState, entry: UserActionEntry): FoldResult {
  const { payload: done, recordedAt: at } = entry
  if (done.action === 'update_request') {
    const request = getRequest(state, requireId(entry.trackingRequestId, entry))
    return toUnpublishedResult(withRequest(state, { ...request, refNumbers: done.refNumbers, updatedAt: at }), at)
  }
  const shipmentId = requireId(entry.shipmentId, entry)
  const shipment = getShipment(state, shipmentId)
  switch (done.action) {
    case 'stop_tracking':
      return changeTracking(fold, state, entry, 'stopped_by_user')
    case 'resume_tracking':
      return changeTracking(fold, state, entry, 'resumed_by_user')
    case 'update_shipment': {
      const { refNumbers = shipment.row.refNumbers, tags = shipment.row.tags } = done
      const row = { ...shipment.row, refNumbers, tags, updatedAt: at }
      return toUnpublishedResult(withShipment(state, { ...shipment, row }), at)
    }
    case 'update_container':
      return updateContainer(fold, state, entry, { done, shipment })
    case 'state': {
      const source = { kind: 'user', code: done.actor?.id ?? 'api' } as const
      return foldPersonStatement(fold, state, entry, shipmentId, { ...done, source })
    }
  }
}

function requireId(id: string | null, entry: UserActionEntry): string {
  if (id === null) throw new Error(`ledger entry ${entry.position} names nothing`)
  return id
}

function changeTracking(
  fold: Fold,
  state: JourneyState,
  entry: UserActionEntry,
  kind: 'stopped_by_user' | 'resumed_by_user',
): FoldResult {
  const shipmentId = requireId(entry.shipmentId, entry)
  const events: DomainEvent[] = []
  let after = state
  // The newest first: of several requests for one number only one can be resumed.
  for (const request of requestsOf(state, shipmentId).toSorted((a, b) => compareText(b.id, a.id))) {
    const before = request.lifecycle
    const decided = stepLifecycle(fold, before, { kind }, entry.recordedAt)
    const step = preventDuplicateResume(after, request, decided, before)
    if (step.happened.length === 0) continue
    after = withRequest(after, withLifecycleState(request, step.state, entry.recordedAt))
    events.push(...lifecycleEvents(request, shipmentId, step.happened, entry))
  }
  const resolvedState = resolveTrackingStop(after, { shipmentId, at: entry.recordedAt })
  return { ...toUnpublishedResult(resolvedState, entry.recordedAt), events }
}

interface ContainerUpdate {
  readonly done: Extract<UserAction, { action: 'update_container' }>
  readonly shipment: ShipmentState
}

function updateContainer(
  fold: Fold,
  state: JourneyState,
  entry: UserActionEntry,
  { done, shipment }: ContainerUpdate,
): FoldResult {
  const at = entry.recordedAt
  const { refNumbers, delivered, containerId } = done
  const containers =
    refNumbers === undefined
      ? shipment.containers
      : shipment.containers.map((row) => (row.id === containerId ? { ...row, refNumbers, updatedAt: at } : row))
  const updated = withShipment(state, { ...shipment, containers })
  if (delivered === undefined) return toUnpublishedResult(updated, at)
  const add = [buildDeliveredStatement(getContainerTrip(entry, shipment, containerId), entry, { shipment, delivered })]
  const statement = { source: { kind: 'user', code: 'api' }, containerId, add } as const
  return foldPersonStatement(fold, updated, entry, shipment.row.id, statement)
}

/**
 * For old entries, in which a delivery is part of the action and has no entry of its own. They have no id for the
 * claim, so the id is made of the entry.
 */
function buildDeliveredStatement(
  containerTrip: ContainerTrip,
  entry: UserActionEntry,
  { shipment, delivered }: { readonly shipment: ShipmentState; readonly delivered: EventTime | null },
): PersonStatement {
  const key = buildStatementKey('delivered', containerTrip)
  const claimKey = `claim:${shipment.row.id}:${key}:${entry.recordedAt}:${entry.position}`
  return { id: uuidV5(LANDFALL_NAMESPACE, claimKey), key, fact: 'delivered', value: delivered }
}
