/**
 * Folds the entry by which newer merge rules take over a shipment. What these rules change is published as corrections.
 */

import { asStored } from '../../domain/values/json-value.ts'
import type { JourneyState } from '../projection/journey-state-sql.ts'
import type { PublishedTransportEvent } from '../projection/transport-events-sql.ts'
import type { Fold } from './fold.ts'
import type { FoldResult } from './fold-result.ts'
import { trackingFacts } from './journey-facts.ts'
import type { EntryOf } from './ledger-sql.ts'
import { setTimersOfSiblings } from './resolve-tracking-stop.ts'
import { getRequest, withRequest, withShipment } from './state-rows.ts'
import { updateProjection } from './update-projection.ts'

/**
 * The fold begins with the shipment as it was before the entry. Requests that must stop or continue because of it
 * decide in separate entries.
 */
export function foldReprojected(
  fold: Fold,
  state: JourneyState,
  entry: EntryOf<'reprojected'>,
  shipmentId: string,
): FoldResult & { readonly isChanged: boolean } {
  const { recordedAt: at, payload } = entry
  const projected = updateProjection(fold, state, entry, shipmentId, { isQuiet: payload.isQuiet === true })
  const { announcement, changes, isChanged, projection } = projected
  const facts = trackingFacts(projection, at)
  return {
    at,
    // When nothing has changed, no request has anything to decide.
    state: isChanged
      ? setTimersOfSiblings(projected.state, { shipmentId, requestId: null, facts, at })
      : projected.state,
    changes,
    changeOf: announcement.changeOf,
    projection,
    events: announcement.events,
    published: announcement.rows,
    ended: announcement.invalidate,
    isChanged,
  }
}

/** Uses the result of the older rules as it was, and does not compute it again. */
export function restorePreviousRows(
  state: JourneyState,
  { payload }: EntryOf<'reprojected'>,
  published: readonly PublishedTransportEvent[],
): JourneyState {
  const { stood: previous } = payload
  const { shipment: row, containers, requests } = previous
  const known = state.shipments.get(row.id)
  const activeIds = new Set(previous.transportEvents.standing)
  const activeEvents = published.flatMap(({ id, containerId, event, callKey }) =>
    callKey !== null && activeIds.has(id) ? [{ id, containerId, event, callKey }] : [],
  )
  const others = [...state.issues].filter(([, issue]) => issue.shipmentId !== row.id)
  const issues = new Map([...others, ...previous.issues.map((issue) => [issue.id, issue] as const)])
  let after: JourneyState = withShipment(
    { ...state, issues },
    {
      row: { ...row, projection: asStored(row.projection) },
      containers: containers.map((container) => ({
        ...container,
        projection: asStored(container.projection),
      })),
      activeEvents,
      claims: known?.claims ?? new Map(),
    },
  )
  for (const { id, ...was } of requests)
    after = withRequest(after, { ...getRequest(state, id), ...was, lifecycle: asStored(was.lifecycle) })
  return after
}
