/** What the live claims of a shipment say of its boxes, and which trips of one of them are meant. */

import { applicableShipWords, type BoxShips, readBoxShips } from './bill-words.ts'
import type { Claim } from './observation.ts'
import type { ContainerProjection } from './projection.ts'
import { readClaims, type SortedClaims } from './reading.ts'
import { compareText, placeKeyOf } from './statement.ts'
import { cutTrips, type FactClaim, type Trip } from './trip.ts'
import { type NumberedTrip, numberTrips, pickTrips, type ShipmentRequest } from './trip-choice.ts'

export interface BillReading {
  readonly reading: SortedClaims
  /** Of the boxes, in order. */
  readonly numbers: readonly string[]
  readonly ships: BoxShips
  /** The line's words on where the boxes are delivered, where all that it said of any of them agree. */
  readonly deliveries: readonly FactClaim[]
}

/** `knownNumbers`: a box once told of stays, even when nobody speaks of it any more. */
export function readBill(
  claims: readonly Claim[],
  { knownNumbers, now }: { readonly knownNumbers: readonly string[]; readonly now: string },
): BillReading {
  const reading = readClaims(claims, now)
  const numbers = [...new Set([...knownNumbers, ...reading.byBox.keys()])].toSorted(compareText)
  return { reading, numbers, ships: readBoxShips(reading), deliveries: agreedDeliveries(reading) }
}

/** A bill is delivered at one place, though many a line tells it box by box. */
function agreedDeliveries({ byBox }: SortedClaims): readonly FactClaim[] {
  const told = [...byBox.values()].flatMap(({ facts }) => facts.filter(isLinesDelivery))
  return new Set(told.map(deliveredAt)).size === 1 ? told : []
}

function isLinesDelivery({ source, observation }: FactClaim): boolean {
  return source.kind === 'shipping_line' && observation.fact === 'place_of_delivery'
}

function deliveredAt({ observation }: FactClaim): string | null {
  return observation.fact === 'place_of_delivery' ? placeKeyOf(observation.value) : null
}

export interface BoxTrips {
  /** Those that are meant, numbered. */
  readonly trips: readonly NumberedTrip[]
  readonly others: readonly Trip[]
}

/** `rows`: what is shown of this box so far, so that a trip keeps its ordinal. */
export function tripsOfBox(
  number: string,
  { reading, numbers, ships, deliveries }: BillReading,
  { rows, request }: { readonly rows: readonly ContainerProjection[]; readonly request: ShipmentRequest },
): BoxTrips {
  const own = reading.byBox.get(number) ?? { statements: [], facts: [] }
  const isOnlyBox = numbers.length === 1
  const words = applicableShipWords(reading.underBill.statements, { number, ships, isOnlyBox })
  const facts = [...own.facts, ...reading.underBill.facts]
  const shared = facts.some(isLinesDelivery) ? [] : deliveries
  const trips = cutTrips([...own.statements, ...words], [...facts, ...shared])
  const picked = pickTrips(trips, rows, request)
  return { trips: numberTrips(picked, rows), others: trips.filter((trip) => !picked.includes(trip)) }
}
