/**
 * When a ship will reach a port, by what AIS heard of it: the way that remains at the speed that it made lately. No
 * line says so; it stands beside what the line says, with how far off such estimates were found to be.
 */

import { distanceNm } from './great-circle.ts'
import type { VesselFix } from './vessel-arrival.ts'

export interface OwnEta {
  /** ISO instants. */
  readonly eta: string
  readonly earliest: string
  readonly latest: string
  readonly fixAt: string
  readonly remainingNm: number
  readonly speedKnots: number
}

/** How much later than such an estimate ships really came: one in ten by less than the first, one in ten by more than the last. */
export interface EtaErrors {
  readonly daysAheadMin: number
  readonly p10Hours: number
  readonly p90Hours: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A ship that makes less is in port, at anchor or in a canal: that is no speed to go on with. */
const underWayKnotsMin = 4
const speedKnotsMax = 30
/** Along a coast ships go slowly; nobody crosses an ocean so, and a speed made there is no guide to days of open sea. */
const coastalHoursMax = 72
const oceanKnotsMin = 9
/** The least and the most that is looked back. */
const recentMs = 2 * dayMs
const longMs = 10 * dayMs

/**
 * The mean speed made good between fixes, ports and anchorages left out, over a time as long as the one that lies
 * ahead: weather evens out over days. Null where the fixes do not tell.
 */
export function speedMadeGood(fixes: readonly VesselFix[], remainingNm: number): number | null {
  const last = fixes.at(-1)
  if (last === undefined) return null
  const nowMs = Date.parse(last.heardAt)
  const lately = speedSince(fixes, nowMs - recentMs) ?? speedSince(fixes, nowMs - longMs)
  if (lately === null) return null
  const aheadMs = (remainingNm / lately) * hourMs
  return speedSince(fixes, nowMs - Math.min(longMs, Math.max(recentMs, aheadMs))) ?? lately
}

function speedSince(fixes: readonly VesselFix[], sinceMs: number): number | null {
  let miles = 0
  let hours = 0
  for (const [index, fix] of fixes.entries()) {
    const before = fixes[index - 1]
    if (before === undefined || Date.parse(before.heardAt) < sinceMs) continue
    const legHours = (Date.parse(fix.heardAt) - Date.parse(before.heardAt)) / hourMs
    const legNm = distanceNm(before, fix)
    // Between fixes far apart the ship did not go straight; between two of one moment there is no speed.
    if (legHours <= 0 || legHours > 30) continue
    const speed = legNm / legHours
    if (speed < underWayKnotsMin || speed > speedKnotsMax) continue
    miles += legNm
    hours += legHours
  }
  return hours < 1 ? null : miles / hours
}

/** Null where the way, the speed or the errors of such estimates are not known: nothing is guessed. */
export function estimateArrival(from: {
  readonly fixes: readonly VesselFix[]
  readonly remainingNm: number | null
  readonly errors: readonly EtaErrors[]
}): OwnEta | null {
  const { remainingNm } = from
  const last = from.fixes.at(-1)
  const speedKnots = remainingNm === null ? null : speedMadeGood(from.fixes, remainingNm)
  if (last === undefined || speedKnots === null || remainingNm === null) return null
  const hours = remainingNm / speedKnots
  if (hours > coastalHoursMax && speedKnots < oceanKnotsMin) return null
  const errors = errorsAt(from.errors, hours / 24)
  if (errors === null) return null
  const etaMs = Date.parse(last.heardAt) + hours * hourMs
  const at = (ms: number): string => new Date(Math.round(ms / 60_000) * 60_000).toISOString()
  return {
    eta: at(etaMs),
    earliest: at(Math.max(Date.parse(last.heardAt), etaMs + Math.min(0, errors.p10Hours) * hourMs)),
    latest: at(etaMs + Math.max(0, errors.p90Hours) * hourMs),
    fixAt: last.heardAt,
    remainingNm: Math.round(remainingNm),
    speedKnots: Math.round(speedKnots * 10) / 10,
  }
}

/** The row for so many days ahead: the last one that begins at or before. */
function errorsAt(errors: readonly EtaErrors[], daysAhead: number): EtaErrors | null {
  return errors.findLast(({ daysAheadMin }) => daysAheadMin <= daysAhead) ?? null
}
