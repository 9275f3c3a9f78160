/**
 * A box is not a trip: one container number comes back on another voyage, often for another shipper. Cuts what was
 * said about one box into trips, so that nothing of an earlier one carries over.
 */

import type { Claim, FactObservation } from '../statements/observation.ts'
import { compareStatements, type Statement, saidAt } from '../statements/statement.ts'
import { isListed } from '../statements/trust.ts'
import { isUnLocode } from '../values/identifiers.ts'
import { instantOf } from '../values/time.ts'
import { advance, newProgress, type Progress, settledGate, settleGates } from './trip-progress.ts'

export interface Trip {
  readonly statements: readonly Statement[]
  /**
   * Moves by land that were reported after the box came back empty. They show no other trip and are not part of the
   * journey.
   */
  readonly strays: readonly Statement[]
  readonly facts: readonly FactClaim[]
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
/** No transshipment waits longer than this. After it, what begins an export begins another trip. */
const gapMsMax = 45 * dayMs
/**
 * A laden box that leaves a country other than that of its port may be called empty by mistake. It never waits longer
 * than this before it leaves: a later gate-out as empty begins another trip.
 */
const emptyOutGapMsMax = 14 * dayMs
/**
 * The same for a box that leaves the port to which its ship went, when nobody reported its discharge: it may be called
 * empty by mistake, but it never waits longer than this.
 */
const sailedGapMsMax = 30 * dayMs
/** After this long, even what could continue the trip begins another, if it can begin an export. */
const longGapMsMax = 150 * dayMs

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
    tripFor((cut) => moment > (bindsDocuments(fact) ? cut.after : cut.factsAfter))?.facts.push(fact)
  }
  return trips.map((trip) => ({
    statements: settleGates(trip.statements),
    strays: trip.aside,
    facts: trip.facts,
    completedAt: trip.completedAt,
    lastActualAt: trip.lastActualAt,
  }))
}

interface Cut {
  /** Events after this moment belong to the trip (or to a later one), facts after `factsAfter`. */
  readonly after: number
  readonly factsAfter: number
  completedAt: number | null
  /** Ids of the claims about moves by land since the return, each with its moment. */
  strays: ReadonlyMap<string, number>
}

function newCut(after: number, factsAfter: number): Cut {
  return { after, factsAfter, completedAt: null, strays: new Map() }
}

function findCuts(statements: readonly Statement[], facts: readonly FactClaim[]): readonly Cut[] {
  const progress = newProgress()
  const cuts = [newCut(-Infinity, -Infinity)]
  const inOrder = statements.toSorted(compareStatements)
  for (const [index, told] of inOrder.entries()) {
    const current = cuts.at(-1)
    if (current === undefined || (!told.isActual && progress.completedAt === null)) continue
    if (isAnotherTrip(told, progress) || isOutToBeFilled(told, progress, { inOrder, index })) {
      const after = told.isActual || progress.lastAt === null ? told.from - 1 : progress.lastAt
      const signs = [told.from, ...(progress.completedAt === null ? [] : current.strays.values())]
      current.strays = new Map()
      cuts.push(newCut(progress.completedAt ?? Math.min(after, told.from - 1), Math.min(...signs) - 1))
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

/**
 * Whether an event cannot belong to the trip so far. Only what begins an export ever starts another trip. After the
 * return, a move by land does not: empty boxes are moved as well, and not every line says that they are empty.
 */
function isAnotherTrip(told: Statement, progress: Progress): boolean {
  const load = settledGate(told, progress)
  const isEmptyOut = told.code === 'GTOT' && load === 'EMPTY'
  const isStart =
    isEmptyOut ||
    told.code === 'STUF' ||
    (told.code === 'GTIN' && load === 'LADEN') ||
    (told.code === 'LOAD' && load === 'LADEN')
  if (!isStart) return false
  if (progress.completedAt !== null) return told.from > progress.completedAt && !isByLand(told)
  if (isEmptyOut && (progress.isFullOut || progress.isEmptied)) return true
  const gapMs = progress.lastAt === null ? 0 : told.from - progress.lastAt
  if (gapMs > longGapMsMax) return true
  if (progress.dischargedAt === null) return isEmptyOut && progress.hasSailed && gapMs > sailedGapMsMax
  if (isEmptyOut && isAbroad(told, progress.dischargedAt)) return gapMs > emptyOutGapMsMax
  return gapMs > gapMsMax && (isEmptyOut || told.placeKey !== progress.dischargedAt)
}

/**
 * Whether a box whose return nobody reported goes out empty to be filled again: later it comes in laden, or is loaded,
 * at the same place. Not at the port of its last discharge: between two terminals of a port where the box changes
 * ships, it may be called empty by mistake.
 */
function isOutToBeFilled(
  told: Statement,
  progress: Progress,
  { inOrder, index }: { readonly inOrder: readonly Statement[]; readonly index: number },
): boolean {
  if (told.code !== 'GTOT' || told.load !== 'EMPTY' || !told.isActual || !progress.hasSailed) return false
  if (progress.completedAt !== null) return false
  if (progress.isAshore && told.placeKey === progress.dischargedAt) return false
  if (told.from - (progress.lastAt ?? told.from) <= emptyOutGapMsMax) return false
  return inOrder.some(
    ({ code, load, isActual, placeKey }, place) =>
      place > index &&
      isActual &&
      load === 'LADEN' &&
      (code === 'GTIN' || code === 'LOAD') &&
      placeKey === told.placeKey,
  )
}

/** Whether both places are known, and lie in two countries. */
function isAbroad({ event }: Statement, dischargedAt: string): boolean {
  const { unlocode } = event.place
  return unlocode !== null && isUnLocode(dischargedAt) && unlocode.slice(0, 2) !== dischargedAt.slice(0, 2)
}

/**
 * Whether a box that is back empty is said to go on by land. A laden gate-out does not count here: it contradicts the
 * return.
 */
function isAfterReturn(told: Statement, progress: Progress): boolean {
  const load = settledGate(told, progress)
  if (progress.completedAt === null || momentOf(told) <= progress.completedAt) return false
  return load !== 'EMPTY' && isByLand(told)
}

/** Moves that empty and laden boxes both make: by train or lorry, and in through a gate. */
export function isByLand(told: Statement): boolean {
  if (told.code === 'GTIN') return true
  if (told.mode === 'RAIL') return true
  return (
    told.mode === 'TRUCK' &&
    (told.code === 'LOAD' || told.code === 'DISC' || told.code === 'ARRI' || told.code === 'DEPA')
  )
}

/** A prediction belongs to the trip in which it was made, even when it looks beyond. */
function momentOf(told: Statement): number {
  if (told.isActual) return told.from
  return told.claim.observation.statedAt === null ? told.from : Math.min(told.from, told.saidAt)
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
