/**
 * What has happened to a container on its trip so far, and the load states that follow for gate moves without a stated
 * one.
 */

import { compareStatements, type Statement } from '../statements/statement.ts'

/** What has happened to the container since the trip began, as far as `splitTrips` needs it. */
export interface Progress {
  isLoaded: boolean
  /**
   * A ship loaded the container or left with it, and no source stated that the container was empty. Many lines do not
   * state that it was laden.
   */
  hasSailed: boolean
  dischargedAt: string | null
  /** The container was discharged at least once on this trip. */
  isAshore: boolean
  isFullOut: boolean
  isEmptied: boolean
  completedAt: number | null
  lastAt: number | null
}

export function newProgress(): Progress {
  return {
    isLoaded: false,
    hasSailed: false,
    dischargedAt: null,
    isAshore: false,
    isFullOut: false,
    isEmptied: false,
    completedAt: null,
    lastAt: null,
  }
}

export function advanceProgress(progress: Progress, statement: Statement): void {
  const load = resolveGateLoad(statement, progress)
  progress.lastAt = Math.max(progress.lastAt ?? statement.from, statement.from)
  const isByShip = statement.mode !== 'RAIL' && statement.mode !== 'TRUCK'
  if ((statement.code === 'LOAD' || statement.code === 'DEPA') && isByShip && load !== 'EMPTY')
    progress.hasSailed = true
  if (statement.code === 'LOAD' && load === 'LADEN') {
    progress.isLoaded = true
    progress.isFullOut = false
    progress.completedAt = null
  }
  if (statement.code === 'DISC' && load === 'LADEN') {
    progress.dischargedAt = statement.placeKey
    progress.isAshore = true
  }
  if (statement.code === 'GTOT' && load === 'LADEN' && hasTravelled(progress, statement)) {
    progress.isFullOut = true
    progress.completedAt = null
  }
  if (statement.code === 'STRP') progress.isEmptied = true
  if (statement.code === 'GTIN' && load === 'EMPTY') {
    if (progress.isFullOut) progress.completedAt = statement.from
    else if (progress.dischargedAt !== null) progress.isEmptied = true
  }
}

function hasTravelled(progress: Progress, statement: Statement): boolean {
  return progress.dischargedAt !== null || (progress.isLoaded && statement.mode !== 'RAIL')
}

/**
 * What came before decides the load state of a gate move that has none. Where a doubt remains, the load state stays
 * unknown.
 */
export function resolveGateLoads(statements: readonly Statement[]): Statement[] {
  const progress = newProgress()
  return statements.toSorted(compareStatements).map((statement) => {
    const load = resolveGateLoad(statement, progress)
    if (statement.isActual) advanceProgress(progress, statement)
    return load === statement.load ? statement : { ...statement, load }
  })
}

export function resolveGateLoad(statement: Statement, progress: Progress): Statement['load'] {
  if (statement.load !== null || (statement.code !== 'GTOT' && statement.code !== 'GTIN')) return statement.load
  if (statement.code === 'GTOT') {
    if (progress.dischargedAt !== null) return progress.isFullOut || progress.isEmptied ? null : 'LADEN'
    return progress.isLoaded ? null : 'EMPTY'
  }
  if (progress.isFullOut) return isWayStation(statement) ? null : 'EMPTY'
  return progress.isLoaded || progress.dischargedAt !== null ? null : 'LADEN'
}

/** Places that a container also passes laden on its way inland. */
function isWayStation(statement: Statement): boolean {
  const { facilityType } = statement.event.place
  return statement.mode === 'RAIL' || (facilityType !== null && ['RAMP', 'INTE', 'OFFD', 'COFS'].includes(facilityType))
}
