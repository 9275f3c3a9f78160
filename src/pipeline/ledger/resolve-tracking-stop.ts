/**
 * What the journeys of a shipment mean for its requests, and what the requests mean for the tracking of the shipment.
 */

import { compareText } from '../../domain/statements/statement.ts'
import type { TrackingFacts } from '../../domain/tracking-requests/stop-tracking.ts'
import { isSameJson } from '../../domain/values/json-value.ts'
import type { JourneyState } from '../projection/journey-state-sql.ts'
import { getShipment, requestsOf, withShipment } from './state-rows.ts'

/**
 * Makes the timers of a shipment's other requests due, when its journeys now mean something else for tracking than
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
  const { lastUpdateAt: _, ...current } = of.facts
  const timed = new Map(state.requests)
  for (const request of requestsOf(state, of.shipmentId)) {
    const { id, status, lifecycle } = request
    const isPolled = status === 'created' || lifecycle.stoppedReason === 'all_containers_terminated'
    if (id === of.requestId || !isPolled || lifecycle.facts === null) continue
    const { lastUpdateAt: __, ...noted } = lifecycle.facts
    if (!isSameJson(noted, current)) timed.set(id, { ...request, timerAt: of.at })
  }
  return { ...state, requests: timed }
}

/** A shipment is tracked while one of its requests is tracked, and stops with the last one. */
export function resolveTrackingStop(
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
