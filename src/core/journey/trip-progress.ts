/**
 * What has happened to a box on its trip so far, and what follows from it for gate moves whose load state nobody said.
 */

import { compareStatements, type Statement } from '../statements/statement.ts'

/** What has happened to the box since the trip began, as far as `cutTrips` needs it. */
export interface Progress {
  isLoaded: boolean
  /**
   * A ship took the box or left with it, and nobody said that the box was empty. Many lines do not say that it was
   * laden.
   */
  hasSailed: boolean
  dischargedAt: string | null
  /** The box was discharged at least once on this trip. */
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

export function advance(progress: Progress, told: Statement): void {
  const load = settledGate(told, progress)
  progress.lastAt = Math.max(progress.lastAt ?? told.from, told.from)
  const isByShip = told.mode !== 'RAIL' && told.mode !== 'TRUCK'
  if ((told.code === 'LOAD' || told.code === 'DEPA') && isByShip && load !== 'EMPTY')
    progress.hasSailed = true
  if (told.code === 'LOAD' && load === 'LADEN') {
    progress.isLoaded = true
    progress.isFullOut = false
    progress.completedAt = null
  }
  if (told.code === 'DISC' && load === 'LADEN') {
    progress.dischargedAt = told.placeKey
    progress.isAshore = true
  }
  if (told.code === 'GTOT' && load === 'LADEN' && hasTravelled(progress, told)) {
    progress.isFullOut = true
    progress.completedAt = null
  }
  if (told.code === 'STRP') progress.isEmptied = true
  if (told.code === 'GTIN' && load === 'EMPTY') {
    if (progress.isFullOut) progress.completedAt = told.from
    else if (progress.dischargedAt !== null) progress.isEmptied = true
  }
}

function hasTravelled(progress: Progress, told: Statement): boolean {
  return progress.dischargedAt !== null || (progress.isLoaded && told.mode !== 'RAIL')
}

/**
 * What came before decides the load state of a gate move that has none. Where a doubt remains, the load state stays
 * unknown.
 */
export function settleGates(statements: readonly Statement[]): Statement[] {
  const progress = newProgress()
  return statements.toSorted(compareStatements).map((told) => {
    const load = settledGate(told, progress)
    if (told.isActual) advance(progress, told)
    return load === told.load ? told : { ...told, load }
  })
}

export function settledGate(told: Statement, progress: Progress): Statement['load'] {
  if (told.load !== null || (told.code !== 'GTOT' && told.code !== 'GTIN')) return told.load
  if (told.code === 'GTOT') {
    if (progress.dischargedAt !== null) return progress.isFullOut || progress.isEmptied ? null : 'LADEN'
    return progress.isLoaded ? null : 'EMPTY'
  }
  if (progress.isFullOut) return isWayStation(told) ? null : 'EMPTY'
  return progress.isLoaded || progress.dischargedAt !== null ? null : 'LADEN'
}

/** Places that a box also passes laden on its way inland. */
function isWayStation(told: Statement): boolean {
  const { facilityType } = told.event.place
  return (
    told.mode === 'RAIL' || (facilityType !== null && ['RAMP', 'INTE', 'OFFD', 'COFS'].includes(facilityType))
  )
}
