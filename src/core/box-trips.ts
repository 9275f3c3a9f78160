/** What the live claims of a shipment say of its boxes, and which trips of one of them are meant. */

import { applicableShipWords, type BoxShips, readBoxShips } from './bill-words.ts'
import type { Claim } from './observation.ts'
import type { ContainerProjection } from './projection.ts'
import { type Reading, readClaims } from './reading.ts'
import { compareText } from './statement.ts'
import { cutTrips, type Trip } from './trip.ts'
import { type NumberedTrip, numberTrips, pickTrips, type ShipmentRequest } from './trip-choice.ts'

export interface BillReading {
  readonly reading: Reading
  /** Of the boxes, in order. */
  readonly numbers: readonly string[]
  readonly ships: BoxShips
}

/** `knownNumbers`: a box once told of stays, even when nobody speaks of it any more. */
export function readBill(
  claims: readonly Claim[],
  { knownNumbers, now }: { readonly knownNumbers: readonly string[]; readonly now: string },
): BillReading {
  const reading = readClaims(claims, now)
  const numbers = [...new Set([...knownNumbers, ...reading.byBox.keys()])].toSorted(compareText)
  return { reading, numbers, ships: readBoxShips(reading) }
}

export interface BoxTrips {
  /** Those that are meant, numbered. */
  readonly trips: readonly NumberedTrip[]
  readonly others: readonly Trip[]
}

/** `rows`: what is shown of this box so far, so that a trip keeps its ordinal. */
export function tripsOfBox(
  number: string,
  { reading, numbers, ships }: BillReading,
  { rows, request }: { readonly rows: readonly ContainerProjection[]; readonly request: ShipmentRequest },
): BoxTrips {
  const own = reading.byBox.get(number) ?? { statements: [], facts: [] }
  const isOnlyBox = numbers.length === 1
  const words = applicableShipWords(reading.underBill.statements, { number, ships, isOnlyBox })
  const trips = cutTrips([...own.statements, ...words], [...own.facts, ...reading.underBill.facts])
  const picked = pickTrips(trips, rows, request)
  return { trips: numberTrips(picked, rows), others: trips.filter((trip) => !picked.includes(trip)) }
}
