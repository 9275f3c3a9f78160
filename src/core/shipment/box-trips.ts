/** What the live claims of a shipment say about its boxes, and which trips of a box belong to the shipment. */

import { cutTrips, type FactClaim, type Trip } from '../journey/trip.ts'
import { type NumberedTrip, numberTrips, pickTrips, type ShipmentRequest } from '../journey/trip-choice.ts'
import type { ContainerProjection } from '../shown/projection.ts'
import type { Claim } from '../statements/observation.ts'
import { compareText, placeKeyOf } from '../statements/statement.ts'
import { isPaper } from '../statements/trust.ts'
import { applicableShipWords, type BoxShips, readBoxShips } from './bill-words.ts'
import { readClaims, type SaidOf, type SortedClaims } from './reading.ts'

export interface BillReading {
  readonly reading: SortedClaims
  /** Container numbers, in order. */
  readonly numbers: readonly string[]
  readonly ships: BoxShips
  /**
   * The line's statements of where the boxes are delivered. Empty unless all of them, for any box, name the same place.
   */
  readonly deliveries: readonly FactClaim[]
}

/**
 * `knownNumbers`: boxes that are known so far. A box stays even when no claim names it any more. So a paper, which may
 * be misread, names none: what it says of a box waits until a source names the box.
 */
export function readBill(
  claims: readonly Claim[],
  { knownNumbers, now }: { readonly knownNumbers: readonly string[]; readonly now: string },
): BillReading {
  const reading = readClaims(claims, now)
  const named = [...reading.byBox].filter(([, said]) => isNamed(said)).map(([number]) => number)
  const numbers = [...new Set([...knownNumbers, ...named])].toSorted(compareText)
  return { reading, numbers, ships: readBoxShips(reading), deliveries: agreedDeliveries(reading) }
}

function isNamed({ statements, facts }: SaidOf): boolean {
  return facts.some((fact) => !isPaper(fact)) || statements.some(({ claim }) => !isPaper(claim))
}

/** A bill is delivered at one place, though many lines state the place box by box. */
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
  /** The trips that belong to the shipment, with their ordinals. */
  readonly trips: readonly NumberedTrip[]
  readonly others: readonly Trip[]
}

/** `rows`: the projections of this box so far. A trip keeps the ordinal that it has there. */
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
