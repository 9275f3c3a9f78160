/** Finds rows in a journey state, and makes a state with one row changed. Nothing is changed in place. */

import { compareText } from '../../domain/statements/statement.ts'
import { isLive, type RequestType } from '../../domain/tracking-requests/tracking-request-state.ts'
import { testScac } from '../../domain/values/identifiers.ts'
import { laterOf } from '../../domain/values/time.ts'
import type { StoredClaim } from '../projection/claims-sql.ts'
import type { ClaimsById, JourneyState, ShipmentState } from '../projection/journey-state-sql.ts'
import type { TrackedRequest, TrackingRequestRow } from '../projection/tracking-requests-sql.ts'

/** The state of an account before the first entry of its ledger. */
export function emptyState(accountId: string): JourneyState {
  return {
    accountId,
    requests: new Map(),
    shipments: new Map(),
    claimsByTarget: new Map(),
    issues: new Map(),
    absent: 'others',
  }
}

export function getRequest(state: JourneyState, id: string): TrackingRequestRow {
  const request = state.requests.get(id)
  if (request === undefined) throw new Error(`request ${id} is not there`)
  return request
}

export function getShipment(state: JourneyState, id: string): ShipmentState {
  const shipment = state.shipments.get(id)
  if (shipment === undefined) throw new Error(`shipment ${id} is gone`)
  return shipment
}

/** All requests for the shipment, the oldest first. */
export function requestsOf(state: JourneyState, shipmentId: string): readonly TrackedRequest[] {
  return [...state.requests.values()]
    .filter((row) => row.shipmentId === shipmentId)
    .filter(isTracked)
    .toSorted((a, b) => compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id))
}

function isTracked(row: TrackingRequestRow): row is TrackedRequest {
  return row.scac !== null && row.subjectId !== null
}

export interface NumberAtLine {
  readonly scac: string
  readonly requestType: RequestType
  readonly number: string
}

/** The request by which the number is searched for or tracked already, if any. Test numbers may be repeated. */
export function findLiveInState(state: JourneyState, of: NumberAtLine): TrackingRequestRow | null {
  if (of.scac === testScac) return null
  for (const row of state.requests.values()) {
    const isSame = row.number === of.number && row.scac === of.scac && row.requestType === of.requestType
    if (isSame && isLive(row.status)) return row
  }
  return null
}

export function findActiveClaims(statedClaims: ClaimsById | undefined): readonly StoredClaim[] {
  return [...(statedClaims?.values() ?? [])].filter(({ retiredAt }) => retiredAt === null)
}

/** When anything of the shipment was last written: no entry about it may be recorded earlier. */
export function findLastWrittenAt(state: JourneyState, shipmentId: string): string {
  const { row, containers } = getShipment(state, shipmentId)
  const others = [...containers, ...requestsOf(state, shipmentId)]
  return others.reduce((last, { updatedAt }) => laterOf(last, updatedAt), row.updatedAt)
}

export function withRequest(state: JourneyState, row: TrackingRequestRow): JourneyState {
  return { ...state, requests: new Map(state.requests).set(row.id, row) }
}

export function withShipment(state: JourneyState, shipment: ShipmentState): JourneyState {
  return { ...state, shipments: new Map(state.shipments).set(shipment.row.id, shipment) }
}

export function withStatedClaims(state: JourneyState, subjectId: string, statedClaims: ClaimsById): JourneyState {
  return { ...state, claimsByTarget: new Map(state.claimsByTarget).set(subjectId, statedClaims) }
}
