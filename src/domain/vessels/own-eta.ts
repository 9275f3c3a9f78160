/**
 * When a ship will reach a port, as we estimate it: the remaining way at the ship's recent speed, with the known calls
 * before, weighed with the line's statement. It is no line's statement. It is shown beside the line's, with the
 * measured errors of such estimates.
 */

import { distanceNm } from '../geography/great-circle.ts'
import { type EtaErrors, learnErrors, type PastErrors } from './eta-errors.ts'
import type { VesselFix } from './vessel-arrival.ts'
import type { CallAhead, LineEta } from './voyage-ahead.ts'
import { weighEstimates } from './weigh-estimates.ts'

export interface OwnEta {
  /** ISO instants. */
  readonly eta: string
  readonly earliest: string
  readonly latest: string
  readonly fixAt: string
  readonly remainingNm: number
  readonly speedKnots: number
  /** Missing for estimates that were made before the parts were stored. */
  readonly madeOf?: EtaComponents | null
}

/** The parts of `eta`: from the ship's positions and from the line, each with its weight. */
export interface EtaComponents {
  /** From the way that remains, the speed and the stays at the ports before. */
  readonly vesselEta: string
  /** Null when no line states when its ship comes, or when the ship's position shows that the line is wrong. */
  readonly line: LineEta | null
  /** The weight of the line, from 0 to 1. The rest is the ship's. */
  readonly lineWeight: number
  readonly calls: readonly CallAhead[]
  /** Median time that the ship took from there on earlier voyages. Null when none is known. */
  readonly earlierHours?: number | null
  /** How many arrivals of the account's past count in the band, beside the shipped errors. */
  readonly arrivals?: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A slower ship is in port, at anchor or in a canal: such a speed shows nothing about the remaining way. */
const underWayKnotsMin = 4
const speedKnotsMax = 30
/**
 * Along a coast ships go slowly. Nobody crosses an ocean so slowly, so a speed made there is no guide to days of open
 * sea.
 */
const coastalHoursMax = 72
const oceanKnotsMin = 9
/** The shortest and the longest time over which the speed is measured. */
const recentMs = 2 * dayMs
const longMs = 10 * dayMs

/**
 * The mean speed made good between fixes, without ports and anchorages. It is measured over a time as long as the time
 * ahead, because weather evens out over days. Null where the fixes do not show a speed.
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
    // Between fixes far apart the ship did not go straight. Between two fixes of one moment there is no speed.
    if (legHours <= 0 || legHours > 30) continue
    const speed = legNm / legHours
    if (speed < underWayKnotsMin || speed > speedKnotsMax) continue
    miles += legNm
    hours += legHours
  }
  return hours < 1 ? null : miles / hours
}

/** What an estimate is made of. */
export interface ArrivalEstimateInput {
  /** Oldest first; the last is where the ship is. */
  readonly fixes: readonly VesselFix[]
  /** The way by sea that remains, through the calls. */
  readonly remainingNm: number | null
  readonly calls: readonly CallAhead[]
  readonly line: LineEta | null
  /** Hours that the ship took from here to the port on its earlier voyages. */
  readonly earlierHours?: readonly number[]
  readonly errors: readonly EtaErrors[]
  /** How wrong estimates for this account were. */
  readonly past?: readonly PastErrors[]
}

/** Null where the way, the speed or the errors of such estimates are not known: nothing is guessed. */
export function estimateArrival(from: ArrivalEstimateInput): OwnEta | null {
  const { remainingNm, calls } = from
  const last = from.fixes.at(-1)
  const speedKnots = remainingNm === null ? null : speedMadeGood(from.fixes, remainingNm)
  if (last === undefined || speedKnots === null || remainingNm === null) return null
  const sailingHours = remainingNm / speedKnots
  if (sailingHours > coastalHoursMax && speedKnots < oceanKnotsMin) return null
  const nowMs = Date.parse(last.heardAt)
  const bySpeedHours = sailingHours + calls.reduce((sum, call) => sum + call.stayHours, 0)
  const isPossible = (lineEta: LineEta): boolean =>
    Date.parse(lineEta.eta) > nowMs + (remainingNm / speedKnotsMax) * hourMs
  const line = from.line !== null && isPossible(from.line) ? from.line : null
  // A line knows how its ships usually sail. Only without its estimate the earlier voyages add something.
  const earlierHours = line === null ? median(from.earlierHours ?? []) : null
  const vesselHours = earlierHours === null ? bySpeedHours : (bySpeedHours + earlierHours) / 2
  const vesselMs = nowMs + vesselHours * hourMs
  const past = from.past ?? []
  const errors = learnErrors(from.errors, past, line?.sourceCode ?? null)
  const weighed = weighEstimates({ nowMs, vesselMs, calls, line, errors, past })
  if (weighed === null) return null
  const { etaMs } = weighed
  const at = (ms: number): string => new Date(Math.round(ms / 60_000) * 60_000).toISOString()
  return {
    eta: at(etaMs),
    earliest: at(Math.max(nowMs, etaMs - Math.max(0, weighed.earlierHours) * hourMs)),
    latest: at(etaMs + Math.max(0, weighed.laterHours) * hourMs),
    fixAt: last.heardAt,
    remainingNm: Math.round(remainingNm),
    speedKnots: Math.round(speedKnots * 10) / 10,
    madeOf: {
      vesselEta: at(vesselMs),
      line: weighed.lineWeight > 0 ? line : null,
      lineWeight: Math.round(weighed.lineWeight * 100) / 100,
      calls,
      earlierHours: earlierHours === null ? null : Math.round(earlierHours),
      arrivals: weighed.arrivals,
    },
  }
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}
