/** What a shipment's journeys mean for the requests that ask for it, and what becomes of those for the shipment. */

import type { TrackingFacts } from '../../core/requests/stop-tracking.ts'
import { compareText } from '../../core/statements/statement.ts'
import { isSameJson } from '../../core/values/json-value.ts'
import type { JourneyState } from '../../store/journey-state/state.ts'
import { getShipment, requestsOf, withShipment } from './state-rows.ts'

/**
 * Rings for the other requests of a shipment whose journeys now say something else about tracking it than they have
 * noted: each decides for itself, in an entry of its own.
 */
export function ringForSiblings(
  state: JourneyState,
  of: {
    readonly shipmentId: string
    /** The one that has decided already, if one has. */
    readonly requestId: string | null
    readonly facts: TrackingFacts
    readonly at: string
  },
): JourneyState {
  const { lastUpdateAt: _, ...told } = of.facts
  const rung = new Map(state.requests)
  for (const request of requestsOf(state, of.shipmentId)) {
    const { id, status, lifecycle } = request
    const isAsked = status === 'created' || lifecycle.stoppedReason === 'all_containers_terminated'
    if (id === of.requestId || !isAsked || lifecycle.facts === null) continue
    const { lastUpdateAt: __, ...noted } = lifecycle.facts
    if (!isSameJson(noted, told)) rung.set(id, { ...request, timerAt: of.at })
  }
  return { ...state, requests: rung }
}

/** Whether a shipment is tracked follows from its requests: it is while one of them is, and stops with the last. */
export function settleTrackingStop(
  state: JourneyState,
  of: { readonly shipmentId: string; readonly at: string },
): JourneyState {
  const shipment = getShipment(state, of.shipmentId)
  const requests = requestsOf(state, of.shipmentId)
  const isTracked = requests.some(({ status }) => status === 'created')
  const [last] = requests
    .filter(({ status }) => status === 'tracking_stopped')
    .toSorted((a, b) => compareText(b.updatedAt, a.updatedAt) || compareText(a.id, b.id))
  const reason = last?.lifecycle.stoppedReason ?? null
  const isStopped = !isTracked && reason !== null
  const { row } = shipment
  if ((row.trackingStoppedAt !== null) === isStopped) return state
  return withShipment(state, {
    ...shipment,
    row: {
      ...row,
      trackingStoppedAt: isStopped ? (row.trackingStoppedAt ?? of.at) : null,
      trackingStoppedReason: isTracked ? null : (row.trackingStoppedReason ?? reason),
    },
  })
}
