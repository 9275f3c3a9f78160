/**
 * A container is not a trip: one container number comes back on another voyage, often for another shipper. Cuts the
 * statements about one container into trips, so that nothing of an earlier one carries over.
 */

import { documentInKey } from '../statements/natural-key.ts'
import type { Claim, FactObservation } from '../statements/observation.ts'
import { compareStatements, type Statement, statedAtMsOf } from '../statements/statement.ts'
import { isBelievableFact } from '../statements/trust.ts'
import { instantOf } from '../values/time.ts'
import { advanceProgress, newProgress, resolveGateLoads } from './trip-progress.ts'
import {
  beginsExport,
  isAfterReturn,
  isAnotherTrip,
  isDischargedNext,
  isEmptyOut,
  isLongAfter,
  isOutToBeFilled,
  momentOf,
  startOfDischargedTrip,
} from './trip-signs.ts'

export interface Trip {
  readonly statements: readonly Statement[]
  /**
   * Moves by land that were reported after the container came back empty. They show no other trip and are not part of
   * the journey.
   */
  readonly strays: readonly Statement[]
  readonly facts: readonly FactClaim[]
  /**
   * The statements of terminals and railways about the container long after it came back empty. They are not of this
   * trip either.
   */
  readonly strayFacts: readonly FactClaim[]
  /** When the container came back empty; null while it has not. */
  readonly completedAt: number | null
  /** The last moment at which something is known to have happened; null when nothing has. */
  readonly lastActualAt: number | null
}

/** A claim whose observation is a fact. */
export interface FactClaim extends Claim {
  readonly observation: FactObservation
}

const dayMs = 86_400_000

/**
 * The trips in order of time, at least one. `statements` are about one container; the actual ones are believed to have
 * happened.
 */
export function splitTrips(statements: readonly Statement[], facts: readonly FactClaim[]): readonly Trip[] {
  const cuts = findTripBoundaries(statements, facts)
  const trips = cuts.map((cut) => ({
    ...cut,
    statements: [] as Statement[],
    aside: [] as Statement[],
    facts: [] as FactClaim[],
    strayFacts: [] as FactClaim[],
    lastActualAt: null as number | null,
  }))
  const tripFor = (isIn: (cut: TripBoundary) => boolean) => trips.findLast(isIn) ?? trips[0]
  for (const statement of cuts.length === 1 ? statements : resolveGateLoads(statements)) {
    const trip = tripFor((cut) => momentOf(statement) > cut.after)
    if (trip?.strays.has(statement.claim.id)) {
      trip.aside.push(statement)
      continue
    }
    trip?.statements.push(statement)
    if (trip !== undefined && statement.isActual) {
      trip.lastActualAt = Math.max(trip.lastActualAt ?? statement.from, statement.from)
    }
  }
  const tripAt = (fact: FactClaim) => tripFor((cut) => momentOfFact(fact) > findFactBoundary(cut, fact))
  const named = new Map<string | null, (typeof trips)[number] | undefined>()
  if (cuts.length > 1) {
    for (const trip of trips) for (const { event } of trip.statements) named.set(documentInKey(event), trip)
    for (const fact of facts.filter(isDocumentNumber)) named.set(String(fact.observation.value), tripAt(fact))
    named.delete(null)
  }
  for (const fact of facts) {
    const moment = momentOfFact(fact)
    const trip = named.get(documentInKey(fact.observation)) ?? tripAt(fact)
    const isStray = isAshore(fact) && isLongAfter(moment, trip?.completedAt ?? null)
    trip?.[isStray ? 'strayFacts' : 'facts'].push(fact)
  }
  return trips.map((trip) => ({
    statements: resolveGateLoads(trip.statements),
    strays: trip.aside,
    facts: trip.facts,
    strayFacts: trip.strayFacts,
    completedAt: trip.completedAt,
    lastActualAt: trip.lastActualAt,
  }))
}

interface TripBoundary {
  /** Events after this moment belong to the trip (or to a later one), facts after `factsAfter`. */
  readonly after: number
  readonly factsAfter: number
  /**
   * Statements of terminals and railways after this moment are of the trip. They may be about a container before it is
   * discharged.
   */
  readonly ashoreAfter: number
  completedAt: number | null
  /** Ids of the claims about moves by land since the return, each with its moment. */
  strays: ReadonlyMap<string, number>
}

function newTripBoundary(after: number, factsAfter: number, ashoreAfter = factsAfter): TripBoundary {
  return { after, factsAfter, ashoreAfter, completedAt: null, strays: new Map() }
}

function findFactBoundary(cut: TripBoundary, fact: FactClaim): number {
  if (isDocumentNumber(fact) || documentInKey(fact.observation) !== null) return cut.after
  return isAshore(fact) ? cut.ashoreAfter : cut.factsAfter
}

function isAshore({ source }: FactClaim): boolean {
  return source.kind === 'terminal' || source.kind === 'rail'
}

function findTripBoundaries(statements: readonly Statement[], facts: readonly FactClaim[]): readonly TripBoundary[] {
  const progress = newProgress()
  const cuts = [newTripBoundary(-Infinity, -Infinity)]
  const inOrder = statements.toSorted(compareStatements)
  for (const [index, statement] of inOrder.entries()) {
    const current = cuts.at(-1)
    // A plan is a sign only when it is of an empty gate-out, or of a move after the return.
    const isSign = statement.isActual || progress.completedAt !== null || isEmptyOut(statement)
    if (current === undefined || !isSign) continue
    const isDischarged = isDischargedNext(statement, progress, inOrder)
    if (
      isDischarged ||
      isAnotherTrip(statement, progress) ||
      isOutToBeFilled(statement, progress, { inOrder, index })
    ) {
      const after = statement.isActual || progress.lastAt === null ? statement.from - 1 : progress.lastAt
      const signs = [statement.from, ...(progress.completedAt === null ? [] : current.strays.values())]
      current.strays = new Map()
      const begins = progress.completedAt ?? Math.min(after, statement.from - 1)
      const factsAfter = Math.min(...signs) - 1
      cuts.push(
        newTripBoundary(begins, factsAfter, isDischarged ? startOfDischargedTrip(progress, factsAfter) : factsAfter),
      )
      Object.assign(progress, newProgress())
    } else if (isAfterReturn(statement, progress)) {
      current.strays = new Map([...current.strays, [statement.claim.id, momentOf(statement)]])
      continue
    }
    if (statement.isActual) advanceProgress(progress, statement)
    const reached = cuts.at(-1) ?? current
    reached.completedAt = progress.completedAt
    reached.strays = straysAfter(reached.strays, progress.completedAt)
  }
  const rebooked = findRebooking(facts, cuts.at(-1))
  if (rebooked !== null) cuts.push(newTripBoundary(rebooked - 1, rebooked - 1))
  const [first] = inOrder
  const isWholeTrip = first !== undefined && first.mode !== 'RAIL' && beginsExport(first, newProgress())
  return isWholeTrip ? addEarlierTripBoundary(cuts, facts, first.from) : cuts
}

/**
 * The statements of terminals and railways from before the container went out to be filled are of a trip before, even
 * if nothing else is known of that trip.
 */
function addEarlierTripBoundary(
  cuts: readonly TripBoundary[],
  facts: readonly FactClaim[],
  begins: number,
): readonly TripBoundary[] {
  const isEarlier = (fact: FactClaim) =>
    isAshore(fact) && documentInKey(fact.observation) === null && momentOfFact(fact) < begins
  const [first, ...others] = cuts
  if (first === undefined || !facts.some(isEarlier)) return cuts
  return [newTripBoundary(-Infinity, -Infinity), { ...first, ashoreAfter: begins - 1 }, ...others]
}

/**
 * An event that contradicts the return makes the strays part of the journey again. So does a later return, for the
 * strays before it.
 */
function straysAfter(strays: TripBoundary['strays'], completedAt: number | null): TripBoundary['strays'] {
  if (strays.size === 0) return strays
  return new Map(completedAt === null ? [] : [...strays].filter(([, moment]) => moment > completedAt))
}

/** A deadline of an earlier trip stays there, however late it is repeated. */
function momentOfFact(fact: FactClaim): number {
  const statedMs = statedAtMsOf(fact)
  const { value } = fact.observation
  if (value === null || typeof value !== 'object' || !('kind' in value)) return statedMs
  const ends = Date.parse(instantOf(value, null).at) + dayMs
  return Math.min(statedMs, ends)
}

function isDocumentNumber(fact: FactClaim): boolean {
  return fact.observation.fact === 'bill_of_lading_number' || fact.observation.fact === 'booking_number'
}

/**
 * Another bill or booking number, stated after the container came back, means another trip, even before anything has
 * happened in it.
 */
function findRebooking(facts: readonly FactClaim[], last: TripBoundary | undefined): number | null {
  const completedAt = last?.completedAt ?? null
  if (completedAt === null) return null
  const documents = facts.filter(
    (fact) => isDocumentNumber(fact) && isBelievableFact(fact) && fact.observation.equipment !== null,
  )
  const isOld = (fact: FactClaim) => momentOfFact(fact) <= completedAt
  const rebookedMoments = documents
    .filter((fact) => !isOld(fact) && documents.some((old) => isOld(old) && hasOtherValue(fact, old)))
    .map(momentOfFact)
  return rebookedMoments.length === 0 ? null : Math.min(...rebookedMoments)
}

function hasOtherValue(a: FactClaim, b: FactClaim): boolean {
  return a.observation.fact === b.observation.fact && a.observation.value !== b.observation.value
}
