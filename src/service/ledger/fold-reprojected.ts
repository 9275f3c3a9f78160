/**
 * Folds the entry by which newer merge rules take over a shipment. What these rules change is announced as corrections.
 */

import { asKept } from '../../core/values/json-value.ts'
import type { JourneyState } from '../../store/journey-state/state.ts'
import type { AnnouncedTransportEvent } from '../../store/journeys/transport-events.ts'
import type { EntryOf } from '../../store/ledger/ledger.ts'
import type { Fold } from './fold.ts'
import type { Folded } from './folded.ts'
import { trackingFacts } from './journey-facts.ts'
import { project } from './project.ts'
import { setTimersOfSiblings } from './settle-requests.ts'
import { getRequest, withRequest, withShipment } from './state-rows.ts'

/**
 * The fold begins with the shipment as it stood before the entry. Requests that must stop or continue because of it
 * decide in separate entries.
 */
export function foldReprojected(
  fold: Fold,
  state: JourneyState,
  entry: EntryOf<'reprojected'>,
  shipmentId: string,
): Folded & { readonly isChanged: boolean } {
  const { recordedAt: at, payload } = entry
  const projected = project(fold, state, entry, shipmentId, { isQuiet: payload.isQuiet === true })
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
    announced: announcement.rows,
    ended: announcement.invalidate,
    isChanged,
  }
}

/** Takes the result of the older rules as it was, and does not compute it again. */
export function putBackStood(
  state: JourneyState,
  { payload }: EntryOf<'reprojected'>,
  announced: readonly AnnouncedTransportEvent[],
): JourneyState {
  const { stood } = payload
  const { shipment: row, containers, requests } = stood
  const known = state.shipments.get(row.id)
  const stands = new Set(stood.transportEvents.standing)
  const standing = announced.flatMap(({ id, containerId, event, callKey }) =>
    callKey !== null && stands.has(id) ? [{ id, containerId, event, callKey }] : [],
  )
  const others = [...state.issues].filter(([, issue]) => issue.shipmentId !== row.id)
  const issues = new Map([...others, ...stood.issues.map((issue) => [issue.id, issue] as const)])
  let after: JourneyState = withShipment(
    { ...state, issues },
    {
      row: { ...row, projection: asKept(row.projection) },
      containers: containers.map((box) => ({ ...box, projection: asKept(box.projection) })),
      standing,
      claims: known?.claims ?? new Map(),
    },
  )
  for (const { id, ...was } of requests)
    after = withRequest(after, { ...getRequest(state, id), ...was, lifecycle: asKept(was.lifecycle) })
  return after
}
