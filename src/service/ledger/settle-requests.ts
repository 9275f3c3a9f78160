/**
 * What the journeys of a shipment mean for its requests, and what the requests mean for the tracking of the shipment.
 */

import type { TrackingFacts } from '../../core/requests/stop-tracking.ts'
import { compareText } from '../../core/statements/statement.ts'
import { isSameJson } from '../../core/values/json-value.ts'
import type { JourneyState } from '../../store/journey-state/state.ts'
import { getShipment, requestsOf, withShipment } from './state-rows.ts'

/**
 * Makes the timers of a shipment's other requests due, when its journeys now say something else about tracking than
 * these requests have noted. Each decides for itself, in an entry of its own.
 */
export function setTimersOfSiblings(
  state: JourneyState,
  of: {
    readonly shipmentId: string
    /** The request that has decided already; null when none has. */
    readonly requestId: string | null
    readonly facts: TrackingFacts
    readonly at: string
  },
): JourneyState {
  const { lastUpdateAt: _, ...told } = of.facts
  const timed = new Map(state.requests)
  for (const request of requestsOf(state, of.shipmentId)) {
    const { id, status, lifecycle } = request
    const isAsked = status === 'created' || lifecycle.stoppedReason === 'all_containers_terminated'
    if (id === of.requestId || !isAsked || lifecycle.facts === null) continue
    const { lastUpdateAt: __, ...noted } = lifecycle.facts
    if (!isSameJson(noted, told)) timed.set(id, { ...request, timerAt: of.at })
  }
  return { ...state, requests: timed }
}

/** A shipment is tracked while one of its requests is tracked, and stops with the last one. */
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
