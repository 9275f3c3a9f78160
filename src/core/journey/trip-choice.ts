/** Which trips of a box belong to a shipment, and the ordinals by which they stay known. */

import type { ContainerProjection } from '../shown/projection.ts'
import type { Statement } from '../statements/statement.ts'
import { isByLand, type Trip } from './trip.ts'

export interface ShipmentRequest {
  readonly kind: 'bill_of_lading' | 'booking' | 'container'
  readonly number: string
  /** When it was first asked for: trips that were over before are not what was meant. */
  readonly requestedAt?: string | null
}

/**
 * Under a bill or booking there is one trip of each box: the one under way when it was asked for, else the next that
 * the line itself tells of, else the last that was. Under a container number all trips from the one under way on,
 * and whatever was shown before.
 */
export function pickTrips(
  trips: readonly Trip[],
  rows: readonly ContainerProjection[],
  request: ShipmentRequest,
): readonly Trip[] {
  if (trips.length < 2) return trips
  const wanted = Math.max(0, findWanted(trips, request))
  if (request.kind !== 'container') return trips.slice(wanted, wanted + 1)
  return trips.filter((trip, index) => index >= wanted || rows.some((row) => isTripOf(row, trip)))
}

function findWanted(trips: readonly Trip[], request: ShipmentRequest): number {
  const { requestedAt = null } = request
  if (requestedAt === null) return request.kind === 'container' ? 0 : trips.length - 1
  const askedAt = Date.parse(requestedAt)
  const underWay = trips.findIndex((trip, index) => endOf(trip, index === trips.length - 1) >= askedAt)
  if (request.kind === 'container') return underWay < 0 ? trips.length - 1 : underWay
  const toldByLine = trips.findLastIndex(isToldByLine)
  return underWay < 0 || !isToldByLine(trips[underWay]) ? toldByLine : underWay
}

/** A trip that was never seen to end did so before the next one began. */
function endOf(trip: Trip, isLast: boolean): number {
  return trip.completedAt ?? (isLast ? Infinity : (trip.lastActualAt ?? -Infinity))
}

/** By more than moves by land, which a box makes between its trips too. */
function isToldByLine(trip: Trip | undefined): boolean {
  const isTelling = (told: Statement) => told.claim.source.kind === 'shipping_line' && !isByLand(told)
  return trip?.statements.some(isTelling) ?? false
}

export interface NumberedTrip {
  readonly trip: Trip
  readonly ordinal: number
  readonly previous: ContainerProjection | null
}

const noTrip: Trip = { statements: [], strays: [], facts: [], completedAt: null, lastActualAt: null }

/**
 * A trip keeps the ordinal of the row that it shares claims with; a row and a trip left over are taken for one,
 * the last first; new trips count on. A row whose trip is gone stays, empty.
 */
export function numberTrips(
  trips: readonly Trip[],
  rows: readonly ContainerProjection[],
): readonly NumberedTrip[] {
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
  const gone = free().map((row) => ({ trip: noTrip, ordinal: row.trip, previous: row }))
  let ordinalMax = Math.max(0, ...rows.map((row) => row.trip))
  const numbered = trips.map((trip) => {
    const previous = rowOf.get(trip) ?? null
    if (previous === null) ordinalMax += 1
    return { trip, ordinal: previous?.trip ?? ordinalMax, previous }
  })
  return [...numbered, ...gone].toSorted((a, b) => a.ordinal - b.ordinal)
}

function isTripOf(row: ContainerProjection, trip: Trip): boolean {
  const claimIds = new Set(row.milestones.map((milestone) => milestone.claimId))
  return trip.statements.some((told) => claimIds.has(told.claim.id))
}
