/**
 * A box is not a trip: one container number comes back on another voyage, often for another shipper. Cuts what was
 * said about one box into trips, so that nothing of an earlier one carries over.
 */

import type { Claim, FactObservation } from '../statements/observation.ts'
import { compareStatements, type Statement, saidAt } from '../statements/statement.ts'
import { isListed } from '../statements/trust.ts'
import { instantOf } from '../values/time.ts'
import { advance, newProgress, settleGates } from './trip-progress.ts'
import {
  aftermathOf,
  isAfterReturn,
  isAnotherTrip,
  isDischargedNext,
  isLongAfter,
  isOutToBeFilled,
  momentOf,
} from './trip-signs.ts'

export interface Trip {
  readonly statements: readonly Statement[]
  /**
   * Moves by land that were reported after the box came back empty. They show no other trip and are not part of the
   * journey.
   */
  readonly strays: readonly Statement[]
  readonly facts: readonly FactClaim[]
  /** What terminals and railways say of the box long after it came back empty. It is not of this trip either. */
  readonly strayFacts: readonly FactClaim[]
  /** When the box came back empty; null while it has not. */
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
 * The trips in order of time, at least one. `statements` are about one box; the actual ones are believed to have
 * happened.
 */
export function cutTrips(statements: readonly Statement[], facts: readonly FactClaim[]): readonly Trip[] {
  const cuts = findCuts(statements, facts)
  const trips = cuts.map((cut) => ({
    ...cut,
    statements: [] as Statement[],
    aside: [] as Statement[],
    facts: [] as FactClaim[],
    strayFacts: [] as FactClaim[],
    lastActualAt: null as number | null,
  }))
  const tripFor = (isIn: (cut: Cut) => boolean) => trips.findLast(isIn) ?? trips[0]
  for (const told of cuts.length === 1 ? statements : settleGates(statements)) {
    const trip = tripFor((cut) => momentOf(told) > cut.after)
    if (trip?.strays.has(told.claim.id)) {
      trip.aside.push(told)
      continue
    }
    trip?.statements.push(told)
    if (trip !== undefined && told.isActual) {
      trip.lastActualAt = Math.max(trip.lastActualAt ?? told.from, told.from)
    }
  }
  for (const fact of facts) {
    const moment = momentOfFact(fact)
    const trip = tripFor((cut) => moment > factsBegin(cut, fact))
    const isStray = isAshore(fact) && isLongAfter(moment, trip?.completedAt ?? null)
    trip?.[isStray ? 'strayFacts' : 'facts'].push(fact)
  }
  return trips.map((trip) => ({
    statements: settleGates(trip.statements),
    strays: trip.aside,
    facts: trip.facts,
    strayFacts: trip.strayFacts,
    completedAt: trip.completedAt,
    lastActualAt: trip.lastActualAt,
  }))
}

interface Cut {
  /** Events after this moment belong to the trip (or to a later one), facts after `factsAfter`. */
  readonly after: number
  readonly factsAfter: number
  /** What terminals and railways say after this moment is of the trip. They speak of a box before it is discharged. */
  readonly ashoreAfter: number
  completedAt: number | null
  /** Ids of the claims about moves by land since the return, each with its moment. */
  strays: ReadonlyMap<string, number>
}

function newCut(after: number, factsAfter: number, ashoreAfter = factsAfter): Cut {
  return { after, factsAfter, ashoreAfter, completedAt: null, strays: new Map() }
}

function factsBegin(cut: Cut, fact: FactClaim): number {
  if (bindsDocuments(fact)) return cut.after
  return isAshore(fact) ? cut.ashoreAfter : cut.factsAfter
}

function isAshore({ source }: FactClaim): boolean {
  return source.kind === 'terminal' || source.kind === 'rail'
}

function findCuts(statements: readonly Statement[], facts: readonly FactClaim[]): readonly Cut[] {
  const progress = newProgress()
  const cuts = [newCut(-Infinity, -Infinity)]
  const inOrder = statements.toSorted(compareStatements)
  for (const [index, told] of inOrder.entries()) {
    const current = cuts.at(-1)
    if (current === undefined || (!told.isActual && progress.completedAt === null)) continue
    const isDischarged = isDischargedNext(told, progress, inOrder)
    if (
      isDischarged ||
      isAnotherTrip(told, progress) ||
      isOutToBeFilled(told, progress, { inOrder, index })
    ) {
      const after = told.isActual || progress.lastAt === null ? told.from - 1 : progress.lastAt
      const signs = [told.from, ...(progress.completedAt === null ? [] : current.strays.values())]
      current.strays = new Map()
      const begins = progress.completedAt ?? Math.min(after, told.from - 1)
      const factsAfter = Math.min(...signs) - 1
      cuts.push(newCut(begins, factsAfter, isDischarged ? aftermathOf(progress, factsAfter) : factsAfter))
      Object.assign(progress, newProgress())
    } else if (isAfterReturn(told, progress)) {
      current.strays = new Map([...current.strays, [told.claim.id, momentOf(told)]])
      continue
    }
    if (told.isActual) advance(progress, told)
    const reached = cuts.at(-1) ?? current
    reached.completedAt = progress.completedAt
    reached.strays = straysAfter(reached.strays, progress.completedAt)
  }
  const rebooked = findRebooking(facts, cuts.at(-1))
  if (rebooked !== null) cuts.push(newCut(rebooked - 1, rebooked - 1))
  return cuts
}

/**
 * An event that contradicts the return makes the strays part of the journey again. So does a later return, for the
 * strays before it.
 */
function straysAfter(strays: Cut['strays'], completedAt: number | null): Cut['strays'] {
  if (strays.size === 0) return strays
  return new Map(completedAt === null ? [] : [...strays].filter(([, moment]) => moment > completedAt))
}

/** A deadline of an earlier trip stays there, however late it is repeated. */
function momentOfFact(fact: FactClaim): number {
  const said = saidAt(fact)
  const { value } = fact.observation
  if (value === null || typeof value !== 'object' || !('kind' in value)) return said
  const ends = Date.parse(instantOf(value, null).at) + dayMs
  return Math.min(said, ends)
}

function bindsDocuments(fact: FactClaim): boolean {
  return fact.observation.fact === 'bill_of_lading_number' || fact.observation.fact === 'booking_number'
}

/**
 * Another bill or booking number, stated after the box came back, means another trip, even before anything has happened
 * in it.
 */
function findRebooking(facts: readonly FactClaim[], last: Cut | undefined): number | null {
  const completedAt = last?.completedAt ?? null
  if (completedAt === null) return null
  const documents = facts.filter(
    (fact) => bindsDocuments(fact) && isListed(fact) && fact.observation.equipment !== null,
  )
  const isOld = (fact: FactClaim) => momentOfFact(fact) <= completedAt
  const heard = documents
    .filter((fact) => !isOld(fact) && documents.some((old) => isOld(old) && isOther(fact, old)))
    .map(momentOfFact)
  return heard.length === 0 ? null : Math.min(...heard)
}

function isOther(a: FactClaim, b: FactClaim): boolean {
  return a.observation.fact === b.observation.fact && a.observation.value !== b.observation.value
}
