/** The itinerary of a container: its stops in order, read from the active claims, as the projection is. */

import { isNear } from '../../domain/journey/rail-area.ts'
import { type BillReading, readBill } from '../../domain/shipment/container-trips.ts'
import { readItinerary, type Stop } from '../../domain/shipment/itinerary.ts'
import { placeKeyOf } from '../../domain/statements/statement.ts'
import { kindOfType } from '../../domain/tracking-requests/tracking-request-state.ts'
import type { ContainerProjection } from '../../domain/view/projection.ts'
import { liveClaims } from '../../pipeline/projection/claims-sql.ts'
import { findPlaceByCode, type Place } from '../../reference/places.ts'
import { railroadScac } from '../../reference/railroads.ts'
import { rampAreaOf } from '../../reference/ramps.ts'
import type { Context } from '../access/context.ts'
import { journeyNow, type Service } from '../service.ts'
import type { ContainerJourneyRow } from './container-journeys-sql.ts'

/** A stop with the place of the reference data, null for one that is not in it. */
export interface RouteStop extends Stop {
  /** From 1. */
  readonly sequence: number
  readonly at: Place | null
  readonly inboundScac: string | null
  readonly outboundScac: string | null
}

/**
 * Planned moves are in the claims and not in the projection, so the claims are read again: about 0.3 ms for one
 * container.
 */
export async function readContainerItinerary(
  service: Service,
  context: Context,
  row: ContainerJourneyRow,
): Promise<readonly RouteStop[]> {
  const { id: accountId, isSandbox } = context.account
  const [first] = row.requests
  if (first === undefined) return []
  const pollTargetIds = [...new Set(row.requests.map(({ subjectId: pollTargetId }) => pollTargetId))].toSorted()
  const claims = await liveClaims(service.pool, {
    accountId,
    subjectIds: pollTargetIds,
    shipmentId: row.shipmentId,
  })
  const bill: BillReading = readBill(claims, {
    knownNumbers: row.numbers,
    now: journeyNow(service, isSandbox),
  })
  const stops = readItinerary({
    bill,
    number: row.number,
    trip: row.trip,
    rows: row.rows,
    areaOf: rampAreaOf,
    request: {
      kind: kindOfType[first.requestType],
      number: first.number,
      requestedAt: new Date(first.createdAt).toISOString(),
    },
  })
  const projection = row.rows.find(({ trip }) => trip === row.trip) ?? null
  return stops.map((stop, index) => ({
    ...stop,
    sequence: index + 1,
    at: stop.place.unlocode === null ? null : findPlaceByCode(stop.place.unlocode),
    inboundScac: carrierOf(stop, 'inbound', row.scac, projection),
    outboundScac: carrierOf(stop, 'outbound', row.scac, projection),
  }))
}

/**
 * Ships and feeders count as those of the line that was polled. A railway is known only where a source named it: from
 * the port of discharge, and to the destination. No source names the company of a truck.
 */
function carrierOf(
  stop: Stop,
  way: 'inbound' | 'outbound',
  scac: string,
  projection: ContainerProjection | null,
): string | null {
  switch (stop[way]?.mode) {
    case 'VESSEL':
    case 'BARGE':
      return scac
    case 'RAIL':
      return projection === null ? null : railwayOf(stop, way, projection)
    default:
      return null
  }
}

function railwayOf(
  { key }: Stop,
  way: 'inbound' | 'outbound',
  { portOfDischarge, destination, podRailCarrier, destinationRailCarrier }: ContainerProjection,
): string | null {
  const end = way === 'outbound' ? portOfDischarge.place : (destination?.place ?? null)
  const isThere = end !== null && isNear(key.split('#')[0] ?? key, placeKeyOf(end), rampAreaOf)
  const mark = way === 'outbound' ? podRailCarrier : destinationRailCarrier
  return isThere && mark !== null ? railroadScac(mark) : null
}
