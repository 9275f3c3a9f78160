/** Which trips of a container belong to a shipment, and which ordinals they have. */

import type { Statement } from '../statements/statement.ts'
import type { ContainerProjection } from '../view/projection.ts'
import type { Trip } from './trip.ts'
import { isByLand } from './trip-signs.ts'

export interface ShipmentRequest {
  readonly kind: 'bill_of_lading' | 'booking' | 'container'
  readonly number: string
  /** When the shipment was first requested. Trips that had ended before do not count. */
  readonly requestedAt?: string | null
}

/**
 * Under a bill or booking, one trip of each container counts: the one under way at the request, if the line itself
 * reports it, else the last trip that the line reports. Under a container number, all trips from the one under way on
 * count, and those that were shown before.
 */
export function pickTrips(
  trips: readonly Trip[],
  rows: readonly ContainerProjection[],
  request: ShipmentRequest,
): readonly Trip[] {
  if (trips.length < 2) return trips
  const first = Math.max(
    0,
    trips.findIndex(({ statements }) => statements.length > 0),
  )
  const wanted = Math.max(first, findWanted(trips, request))
  if (request.kind !== 'container') return trips.slice(wanted, wanted + 1)
  return trips.filter((trip, index) => index >= wanted || rows.some((row) => isTripOf(row, trip)))
}

function findWanted(trips: readonly Trip[], request: ShipmentRequest): number {
  const { requestedAt = null } = request
  if (requestedAt === null) return request.kind === 'container' ? 0 : trips.length - 1
  const requestedAtMs = Date.parse(requestedAt)
  const underWay = trips.findIndex((trip, index) => endOf(trip, index === trips.length - 1) >= requestedAtMs)
  if (request.kind === 'container') return underWay < 0 ? trips.length - 1 : underWay
  const reportedByLine = trips.findLastIndex(isReportedByLine)
  return underWay < 0 || !isReportedByLine(trips[underWay]) ? reportedByLine : underWay
}

/** A trip whose end nobody reported ended with its last actual, before the next trip began. */
function endOf(trip: Trip, isLast: boolean): number {
  return trip.completedAt ?? (isLast ? Infinity : (trip.lastActualAt ?? -Infinity))
}

/** Whether the line reports more of the trip than moves by land, which a container also makes between its trips. */
function isReportedByLine(trip: Trip | undefined): boolean {
  const isLineStatement = (statement: Statement) =>
    statement.claim.source.kind === 'shipping_line' && !isByLand(statement)
  return trip?.statements.some(isLineStatement) ?? false
}

export interface NumberedTrip {
  readonly trip: Trip
  readonly ordinal: number
  readonly previous: ContainerProjection | null
}

const noTrip: Trip = {
  statements: [],
  strays: [],
  facts: [],
  strayFacts: [],
  completedAt: null,
  lastActualAt: null,
}

/**
 * A trip has the ordinal of the row with which it shares claims. The rows and trips that remain are paired, the last
 * first. New trips get the next ordinals. A row whose trip is gone stays, empty.
 */
export function numberTrips(trips: readonly Trip[], rows: readonly ContainerProjection[]): readonly NumberedTrip[] {
  const rowOf = new Map<Trip, ContainerProjection>()
  const free = () => rows.filter((row) => ![...rowOf.values()].includes(row))
  for (const trip of trips) {
    const row = free().find((candidate) => isTripOf(candidate, trip))
    if (row !== undefined) rowOf.set(trip, row)
  }
  for (const trip of trips.toReversed()) {
    const row = rowOf.has(trip) ? undefined : free().at(-1)
    if (row !== undefined) rowOf.set(trip, row)
  }
  const orphaned = free().map((row) => ({ trip: noTrip, ordinal: row.trip, previous: row }))
  let ordinalMax = Math.max(0, ...rows.map((row) => row.trip))
  const numbered = trips.map((trip) => {
    const previous = rowOf.get(trip) ?? null
    if (previous === null) ordinalMax += 1
    return { trip, ordinal: previous?.trip ?? ordinalMax, previous }
  })
  return [...numbered, ...orphaned].toSorted((a, b) => a.ordinal - b.ordinal)
}

function isTripOf(row: ContainerProjection, trip: Trip): boolean {
  const claimIds = new Set(row.milestones.map((milestone) => milestone.claimId))
  return trip.statements.some((statement) => claimIds.has(statement.claim.id))
}
