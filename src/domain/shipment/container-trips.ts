/**
 * The statements of the active claims of a shipment about its containers, and which trips of a container belong to the
 * shipment.
 */

import { type FactClaim, splitTrips, type Trip } from '../journey/trip.ts'
import { type NumberedTrip, numberTrips, pickTrips, type ShipmentRequest } from '../journey/trip-choice.ts'
import { momentOf } from '../journey/trip-signs.ts'
import type { Claim } from '../statements/observation.ts'
import type { Statement } from '../statements/statement.ts'
import { compareText, placeKeyOf, statedAtMsOf } from '../statements/statement.ts'
import { isBelievableFact } from '../statements/trust.ts'
import { type EventTime, instantOf } from '../values/time.ts'
import type { ContainerProjection, FirstFreeDay, FirstFreeDays } from '../view/projection.ts'
import { applicableShipStatements, type ContainerShips, readContainerShips } from './container-ships.ts'
import { readClaims, type SortedClaims, type StatementGroup } from './read-claims.ts'

export interface BillReading {
  readonly reading: SortedClaims
  /** Container numbers, in order. */
  readonly numbers: readonly string[]
  readonly ships: ContainerShips
  /**
   * The line's statements of where the containers are delivered. Empty unless all of them, for any container, name the
   * same place.
   */
  readonly deliveries: readonly FactClaim[]
}

/** `knownNumbers`: containers that are known so far. A container stays even when no claim names it any more. */
export function readBill(
  claims: readonly Claim[],
  { knownNumbers, now }: { readonly knownNumbers: readonly string[]; readonly now: string },
): BillReading {
  const reading = readClaims(claims, now)
  const numbers = [...new Set([...knownNumbers, ...reading.byContainer.keys()])].toSorted(compareText)
  return { reading, numbers, ships: readContainerShips(reading), deliveries: agreedDeliveries(reading) }
}

/** A bill is delivered at one place, though many lines state the place container by container. */
function agreedDeliveries({ byContainer }: SortedClaims): readonly FactClaim[] {
  const lineDeliveries = [...byContainer.values()].flatMap(({ facts }) => facts.filter(isLinesDelivery))
  return new Set(lineDeliveries.map(deliveredAt)).size === 1 ? lineDeliveries : []
}

function isLinesDelivery({ source, observation }: FactClaim): boolean {
  return source.kind === 'shipping_line' && observation.fact === 'place_of_delivery'
}

function deliveredAt({ observation }: FactClaim): string | null {
  return observation.fact === 'place_of_delivery' ? placeKeyOf(observation.value) : null
}

export interface ContainerTrips {
  /** The trips that belong to the shipment, with their ordinals. */
  readonly trips: readonly NumberedTrip[]
  readonly others: readonly Trip[]
}

/** `rows`: the projections of this container so far. A trip has the ordinal that it has there. */
export function tripsOfContainer(
  number: string,
  { reading, numbers, ships, deliveries }: BillReading,
  { rows, request }: { readonly rows: readonly ContainerProjection[]; readonly request: ShipmentRequest },
): ContainerTrips {
  const ownGroup = reading.byContainer.get(number) ?? { statements: [], facts: [] }
  const isOnlyContainer = numbers.length === 1
  const shipStatements = applicableShipStatements(reading.underBill.statements, {
    number,
    ships,
    isOnlyContainer,
  })
  const facts = [...ownGroup.facts, ...reading.underBill.facts]
  const shared = facts.some(isLinesDelivery) ? [] : deliveries
  const trips = splitTrips([...ownGroup.statements, ...shipStatements], [...facts, ...shared])
  const picked = pickTrips(trips, rows, request)
  return { trips: numberTrips(picked, rows), others: trips.filter((trip) => !picked.includes(trip)) }
}

/**
 * Those of `overtaken` that are of this trip of the container: of the last one that had begun when they were written.
 */
export function selectOvertaken(
  { number, trip }: { readonly number: string; readonly trip: Trip },
  { reading: { overtaken } }: BillReading,
  trips: readonly Trip[],
): StatementGroup {
  if (overtaken.statements.length + overtaken.facts.length === 0) return overtaken
  const isOfNumber = (equipment: string | null): boolean => equipment === null || equipment === number
  const isWritten = writtenDuring(trip, trips)
  return {
    statements: overtaken.statements.filter((each) => isOfNumber(each.event.equipment) && isWritten(momentOf(each))),
    facts: overtaken.facts.filter((each) => isOfNumber(each.observation.equipment) && isWritten(statedAtMsOf(each))),
  }
}

/** What was stated under the bill of ships on which no trip of the container is, such as the plan before a rollover. */
export function selectOfOtherShips(
  trip: Trip,
  { reading: { underBill } }: BillReading,
  trips: readonly Trip[],
): readonly Statement[] {
  const ofTrips = new Set(trips.flatMap(({ statements }) => statements.map(({ claim }) => claim.id)))
  const isWritten = writtenDuring(trip, trips)
  return underBill.statements.filter((each) => !ofTrips.has(each.claim.id) && isWritten(momentOf(each)))
}

/** Whether the trip was the last that had begun then. */
function writtenDuring(trip: Trip, trips: readonly Trip[]): (writtenAtMs: number) => boolean {
  const beginOf = ({ statements }: Trip) => Math.min(...statements.map(({ from }) => from))
  const inOrder = trips.toSorted((a, b) => beginOf(a) - beginOf(b))
  return (writtenAtMs) => (inOrder.findLast((each) => beginOf(each) <= writtenAtMs) ?? inOrder[0]) === trip
}

/** Of the last free days at the port. */
const freeDayFacts = { line: 'pickup_lfd_line', terminal: 'pickup_lfd_terminal' } as const

/**
 * The first statements of the last free days at the port: of each the one that was written first.
 *
 * `stated`: the facts of one trip, also those that their sources replaced. The member is left out where it is empty.
 */
export function firstFreeDaysOf(
  stated: readonly FactClaim[],
  previous: Pick<ContainerProjection, 'freeTime' | 'firstFreeDays'> | null,
): { readonly firstFreeDays?: FirstFreeDays } {
  const firstDays = (['line', 'terminal'] as const).flatMap((of) => {
    const before = previous?.firstFreeDays?.[of]
    // The day was stated before first days were recorded. Nobody knows whether another one was stated before it.
    if (before === undefined && previous !== null && previous.freeTime[of] !== null) return []
    const [first] = stated
      .filter((claim) => claim.observation.fact === freeDayFacts[of] && isBelievableFact(claim))
      .map(toFirstFreeDay)
      .concat(before ?? [])
      .toSorted(compareFirst)
    return first === undefined ? [] : [[of, first] as const]
  })
  return firstDays.length === 0 ? {} : { firstFreeDays: Object.fromEntries(firstDays) }
}

function toFirstFreeDay(claim: FactClaim): FirstFreeDay {
  // The name of the fact determines the type of its value (FactOf).
  return { time: claim.observation.value as EventTime, writtenAt: new Date(statedAtMsOf(claim)).toISOString() }
}

function compareFirst(a: FirstFreeDay, b: FirstFreeDay): number {
  const timeOf = ({ time }: FirstFreeDay): string => `${instantOf(time, null).at} ${time.kind}`
  return compareText(a.writtenAt, b.writtenAt) || compareText(timeOf(a), timeOf(b))
}
