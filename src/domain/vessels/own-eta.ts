/**
 * When a ship will reach a port, as we estimate it: the remaining way at the ship's recent speed, with the known calls
 * before, weighed with the line's statement. It is no line's statement. It is shown beside the line's, with the
 * measured errors of such estimates.
 */

import { distanceNm } from '../geography/great-circle.ts'
import type { VesselFix } from './vessel-arrival.ts'
import type { CallAhead, LineEta } from './voyage-ahead.ts'

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
}

/** `vessel`: made of the ship's positions. `line`: stated by the line. `both`: weighed from the two. */
export const etaKinds = ['vessel', 'line', 'both'] as const
export type EtaKind = (typeof etaKinds)[number]

/** How far off estimates of one kind were found to be, when made at least `daysAheadMin` days ahead. */
export interface EtaErrors {
  readonly of: EtaKind
  /** For the line's estimates: counted from when the line stated it. */
  readonly daysAheadMin: number
  /**
   * How much later ships really came, in hours: one in ten by less than `p10`, one in ten by more than `p90`. For
   * `both`: in multiples of the spread that follows from the two parts.
   */
  readonly p10: number
  readonly p90: number
  /**
   * The same for one in five. Weights are made of these: the outliers of a kind must not decide what its usual estimate
   * is worth.
   */
  readonly p20: number
  readonly p80: number
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
  readonly errors: readonly EtaErrors[]
}

/** Null where the way, the speed or the errors of such estimates are not known: nothing is guessed. */
export function estimateArrival(from: ArrivalEstimateInput): OwnEta | null {
  const { remainingNm, calls, errors } = from
  const last = from.fixes.at(-1)
  const speedKnots = remainingNm === null ? null : speedMadeGood(from.fixes, remainingNm)
  if (last === undefined || speedKnots === null || remainingNm === null) return null
  const sailingHours = remainingNm / speedKnots
  if (sailingHours > coastalHoursMax && speedKnots < oceanKnotsMin) return null
  const nowMs = Date.parse(last.heardAt)
  const vesselMs = nowMs + (sailingHours + calls.reduce((sum, call) => sum + call.stayHours, 0)) * hourMs
  const isPossible = (lineEta: LineEta): boolean =>
    Date.parse(lineEta.eta) > nowMs + (remainingNm / speedKnotsMax) * hourMs
  const line = from.line !== null && isPossible(from.line) ? from.line : null
  const weighed = weighEstimates({ nowMs, vesselMs, calls, line, errors })
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
    },
  }
}

interface WeighedEta {
  readonly etaMs: number
  readonly lineWeight: number
  /** The band: one ship in ten comes earlier by more than this, and one in ten later by more. */
  readonly earlierHours: number
  readonly laterHours: number
}

/** Half a day: when the line gives only a day, the ship may come at any hour of it. */
const dayOnlyHours = 12
/** No estimate counts as more exact than this. */
const offHoursMin = 0.5
/**
 * How many times larger the error to one side may be than the error to the other. Simulated ships are hardly ever early
 * for their line; for real ships, neither side counts as so much more certain than the other.
 */
const sidesMax = 4

/**
 * Weighs each estimate by the inverse square of its usual error, to the side where the other estimate lies. Where the
 * two contradict each other, the band is wider. An old statement of a line has the error of a statement that is made as
 * many days ahead.
 */
function weighEstimates(of: {
  readonly nowMs: number
  readonly vesselMs: number
  readonly calls: readonly CallAhead[]
  readonly line: LineEta | null
  readonly errors: readonly EtaErrors[]
}): WeighedEta | null {
  const { nowMs, vesselMs, line } = of
  const made = errorsAt(of.errors, 'vessel', vesselMs - nowMs)
  if (made === null) return null
  // A stay that nobody stated may be none, or twice as long.
  const unstatedHours = of.calls.filter(({ isStayTold }) => !isStayTold).map(({ stayHours }) => stayHours)
  const alone = {
    etaMs: vesselMs,
    lineWeight: 0,
    earlierHours: combineErrorHours(-made.p10, unstatedHours),
    laterHours: combineErrorHours(made.p90, unstatedHours),
  }
  const lineErrors = line === null ? null : errorsAt(of.errors, 'line', Date.parse(line.eta) - Date.parse(line.saidAt))
  if (line === null || lineErrors === null) return alone
  const apartMs = Date.parse(line.eta) - vesselMs
  const isLineEarlier = apartMs < 0
  const vesselOff = combineErrorHours(isLineEarlier ? earlyErrorHours(made) : lateErrorHours(made), unstatedHours)
  const lineOff = combineErrorHours(
    isLineEarlier ? lateErrorHours(lineErrors) : earlyErrorHours(lineErrors),
    line.isDayOnly ? [dayOnlyHours] : [],
  )
  const lineWeight = vesselOff ** 2 / (vesselOff ** 2 + lineOff ** 2)
  const etaMs = vesselMs + lineWeight * apartMs
  const band = errorsAt(of.errors, 'both', etaMs - nowMs)
  if (band === null) return alone
  const spread = Math.sqrt(lineWeight) * Math.hypot(lineOff, Math.sqrt(1 - lineWeight) * (apartMs / hourMs))
  return { etaMs, lineWeight, earlierHours: -band.p10 * spread, laterHours: band.p90 * spread }
}

function earlyErrorHours({ p20, p80 }: EtaErrors): number {
  return Math.max(-p20, p80 / sidesMax)
}

function lateErrorHours({ p20, p80 }: EtaErrors): number {
  return Math.max(p80, -p20 / sidesMax)
}

function combineErrorHours(hours: number, more: readonly number[]): number {
  return Math.hypot(Math.max(offHoursMin, hours), ...more)
}

/** The row for so much time ahead: the last one that begins at that time or before. */
function errorsAt(errors: readonly EtaErrors[], of: EtaKind, aheadMs: number): EtaErrors | null {
  const daysAhead = Math.max(0, aheadMs / dayMs)
  return errors.findLast((row) => row.of === of && row.daysAheadMin <= daysAhead) ?? null
}
