/**
 * Which statements are about one visit of a place: the transport calls of a container. The same place twice is two
 * calls, a transshipment (one ship in, another out) is one.
 */

import { compareStatements, isIncoming, isOutgoing, type Statement } from '../statements/statement.ts'

export interface Visit {
  readonly placeKey: string
  readonly statements: Statement[]
}

const dayMs = 86_400_000
/**
 * Ships' papers and terminals' clocks disagree by hours. So an event elsewhere that seems to be between two events
 * here, within a day, shows no journey.
 */
const elsewhereMsMin = dayMs
/** A prediction this long after its own actual is about another visit. */
const anotherVisitMs = 2 * dayMs

/** Total and independent of the order of `statements`, each of which ends up in exactly one visit. */
export function groupVisits(statements: readonly Statement[]): readonly Visit[] {
  const sorted = statements.toSorted(compareStatements)
  const actuals = sorted.filter((statement) => statement.isActual)
  const predictions = sorted.filter((statement) => !statement.isActual)
  const byPlace = new Map<string, Visit[]>()
  for (const [placeKey, ofPlace] of groupBy(actuals, (statement) => statement.placeKey)) {
    byPlace.set(placeKey, joinCalls(splitActuals(placeKey, ofPlace, actuals)))
  }
  for (const prediction of predictions) placePrediction(prediction, byPlace, sorted)
  return [...byPlace.values()].flat()
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

/**
 * Consecutive actuals of one place are one visit, unless the container was elsewhere between them, or sailed and came
 * back.
 */
function splitActuals(placeKey: string, ofPlace: readonly Statement[], all: readonly Statement[]): Visit[] {
  const visits: Visit[] = []
  let current: Visit | null = null
  let previous: Statement | null = null
  for (const statement of ofPlace) {
    const isNew =
      current === null ||
      (previous !== null && isElsewhereBetween(previous, statement, all)) ||
      hasSailedBefore(current, statement)
    if (isNew || current === null) {
      current = { placeKey, statements: [] }
      visits.push(current)
    }
    current.statements.push(statement)
    previous = statement
  }
  return visits
}

function isElsewhereBetween(a: Statement, b: Statement, all: readonly Statement[]): boolean {
  if (b.from - a.from < elsewhereMsMin) return false
  return all.some((x) => x.placeKey !== a.placeKey && isStrictlyBetween(x, a, b))
}

function isStrictlyBetween(x: Statement, a: Statement, b: Statement): boolean {
  return x.from > a.from && x.from >= a.until && x.until <= b.from && x.from < b.from
}

function hasSailedBefore(visit: Visit, statement: Statement): boolean {
  if (!isIncoming(statement)) return false
  const loaded = visit.statements.find((reported) => reported.code === 'LOAD' && reported.isActual)
  if (loaded === undefined) return false
  return visit.statements.some(
    (reported) =>
      reported.code === 'DEPA' &&
      reported.isActual &&
      reported.mode === loaded.mode &&
      reported.until >= loaded.from &&
      statement.from >= reported.until + dayMs,
  )
}

/** Statements with one transport call of a source are one visit, whatever their times are. */
function joinCalls(visits: Visit[]): Visit[] {
  for (let index = visits.length - 1; index > 0; index -= 1) {
    const visit = visits[index]
    if (visit === undefined) continue
    const home = visits.slice(0, index).find((earlier) => sharesCall(earlier, visit))
    if (home === undefined) continue
    home.statements.push(...visit.statements)
    visits.splice(index, 1)
  }
  return visits
}

function sharesCall(a: Visit, b: Visit): boolean {
  return b.statements.some((reported) => reported.callRef !== null && hasCall(a, reported.callRef))
}

function hasCall(visit: Visit, callRef: string): boolean {
  return visit.statements.some((reported) => reported.callRef === callRef)
}

function placePrediction(reported: Statement, byPlace: Map<string, Visit[]>, all: readonly Statement[]): void {
  const visits = byPlace.get(reported.placeKey) ?? []
  const home = findVisit(reported, visits, all)
  if (home !== null) {
    home.statements.push(reported)
    return
  }
  byPlace.set(reported.placeKey, [...visits, { placeKey: reported.placeKey, statements: [reported] }])
}

/**
 * The visit with the source's call, else the one with the same ship and voyage, else the last visit of the place if the
 * prediction may still mean it.
 */
function findVisit(reported: Statement, visits: readonly Visit[], all: readonly Statement[]): Visit | null {
  const { callRef } = reported
  const byCall = callRef === null ? undefined : visits.findLast((visit) => hasCall(visit, callRef))
  if (byCall !== undefined) return byCall
  const byVoyage = visits.findLast((visit) => visit.statements.some((other) => isSameVoyage(reported, other)))
  if (byVoyage !== undefined && !comesBackTo(byVoyage, reported, all)) return byVoyage
  const last = visits.at(-1)
  return last === undefined || isAboutAnotherVisit(reported, last, all) ? null : last
}

function isSameVoyage(a: Statement, b: Statement): boolean {
  const isOneVoyage = a.event.voyage !== null && a.event.voyage === b.event.voyage
  return isOneVoyage && a.vesselKey !== null && a.vesselKey === b.vesselKey
}

/** A ship may come back on the same voyage on which it left. Then it has been elsewhere in between. */
function comesBackTo(visit: Visit, reported: Statement, all: readonly Statement[]): boolean {
  return (
    isIncoming(reported) &&
    visit.statements.some((other) => isOutgoing(other) && isElsewhereBetween(other, reported, all))
  )
}

function isAboutAnotherVisit(reported: Statement, visit: Visit, all: readonly Statement[]): boolean {
  return visit.statements.some((other) => {
    if (other.isActual) {
      const isSameSlot = other.code === reported.code && other.load === reported.load && other.mode === reported.mode
      const hasLeft = isIncoming(reported) && isOutgoing(other)
      return (isSameSlot || hasLeft) && reported.from > other.until + anotherVisitMs
    }
    const comesBack = isIncoming(reported) && isOutgoing(other)
    const isSecondCall = isIncoming(reported) && other.code === reported.code && other.callRef !== reported.callRef
    return (comesBack || isSecondCall) && reported.from > other.from && isElsewhereBetween(other, reported, all)
  })
}
