/**
 * When a ship will reach a port, by what is known of it: the way that remains at the speed that it made lately, with
 * the calls before that are told of, weighed with what the line says. No line says so; it stands beside what the line
 * says, with how far off such estimates were found to be.
 */

import { distanceNm } from '../geography/great-circle.ts'
import type { CallAhead, LineWord } from './told-calls.ts'
import type { VesselFix } from './vessel-arrival.ts'

export interface OwnEta {
  /** ISO instants. */
  readonly eta: string
  readonly earliest: string
  readonly latest: string
  readonly fixAt: string
  readonly remainingNm: number
  readonly speedKnots: number
  /** Of estimates made before it was kept there is none. */
  readonly madeOf?: EtaParts | null
}

/** `eta` is what the ship and the line say, each by its weight. */
export interface EtaParts {
  /** By the way that remains, the speed and the stays at the ports before. */
  readonly vesselEta: string
  /** Null where no line says when its ship comes, or where the ship's position gives it the lie. */
  readonly line: LineWord | null
  /** From 0 to 1: the line's part; the rest is the ship's. */
  readonly lineWeight: number
  readonly calls: readonly CallAhead[]
}

/** Made of the ship's positions, said by the line, or weighed of both. */
export const etaKinds = ['vessel', 'line', 'both'] as const
export type EtaKind = (typeof etaKinds)[number]

/** How far off estimates of a kind were found to be, so many days ahead and more. */
export interface EtaErrors {
  readonly of: EtaKind
  /** Of the line's: from when it said so. */
  readonly daysAheadMin: number
  /**
   * How much later ships really came: one in ten by less than the first, one in ten by more than the last. In hours; of
   * `both` in spreads as they follow from the parts.
   */
  readonly p10: number
  readonly p90: number
  /** The same of one in five: the outliers of a kind are not to decide what its usual word is worth. */
  readonly p20: number
  readonly p80: number
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

/** What an estimate is made of. */
export interface Approach {
  /** Oldest first; the last is where the ship is. */
  readonly fixes: readonly VesselFix[]
  /** By sea, by way of the calls. */
  readonly remainingNm: number | null
  readonly calls: readonly CallAhead[]
  readonly line: LineWord | null
  readonly errors: readonly EtaErrors[]
}

/** Null where the way, the speed or the errors of such estimates are not known: nothing is guessed. */
export function estimateArrival(from: Approach): OwnEta | null {
  const { remainingNm, calls, errors } = from
  const last = from.fixes.at(-1)
  const speedKnots = remainingNm === null ? null : speedMadeGood(from.fixes, remainingNm)
  if (last === undefined || speedKnots === null || remainingNm === null) return null
  const sailingHours = remainingNm / speedKnots
  if (sailingHours > coastalHoursMax && speedKnots < oceanKnotsMin) return null
  const nowMs = Date.parse(last.heardAt)
  const vesselMs = nowMs + (sailingHours + calls.reduce((sum, call) => sum + call.stayHours, 0)) * hourMs
  const isPossible = (word: LineWord): boolean =>
    Date.parse(word.eta) > nowMs + (remainingNm / speedKnotsMax) * hourMs
  const line = from.line !== null && isPossible(from.line) ? from.line : null
  const weighed = weigh({ nowMs, vesselMs, calls, line, errors })
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

interface Weighed {
  readonly etaMs: number
  readonly lineWeight: number
  /** The band: how much earlier and later one in ten comes. */
  readonly earlierHours: number
  readonly laterHours: number
}

/** Of a day the half: within it the ship may come at any hour. */
const dayOnlyHours = 12
/** Nothing is surer than that. */
const offHoursMin = 0.5
/** Simulated ships are hardly ever early for their line; of real ones neither side is taken to be so much surer than the other. */
const sidesMax = 4

/**
 * Each by how far off it usually is to the side where the other one is, as its inverse square; where the two contradict
 * each other, the band is wider. What a line said long ago counts as far off as what is said as many days ahead.
 */
function weigh(of: {
  readonly nowMs: number
  readonly vesselMs: number
  readonly calls: readonly CallAhead[]
  readonly line: LineWord | null
  readonly errors: readonly EtaErrors[]
}): Weighed | null {
  const { nowMs, vesselMs, line } = of
  const made = errorsAt(of.errors, 'vessel', vesselMs - nowMs)
  if (made === null) return null
  // A stay that nobody told may be none or twice as long.
  const untold = of.calls.filter(({ isStayTold }) => !isStayTold).map(({ stayHours }) => stayHours)
  const alone = {
    etaMs: vesselMs,
    lineWeight: 0,
    earlierHours: offHours(-made.p10, untold),
    laterHours: offHours(made.p90, untold),
  }
  const said =
    line === null ? null : errorsAt(of.errors, 'line', Date.parse(line.eta) - Date.parse(line.saidAt))
  if (line === null || said === null) return alone
  const apartMs = Date.parse(line.eta) - vesselMs
  const isLineEarlier = apartMs < 0
  const vesselOff = offHours(isLineEarlier ? earlyBy(made) : lateBy(made), untold)
  const lineOff = offHours(isLineEarlier ? lateBy(said) : earlyBy(said), line.isDayOnly ? [dayOnlyHours] : [])
  const lineWeight = vesselOff ** 2 / (vesselOff ** 2 + lineOff ** 2)
  const etaMs = vesselMs + lineWeight * apartMs
  const band = errorsAt(of.errors, 'both', etaMs - nowMs)
  if (band === null) return alone
  const spread = Math.sqrt(lineWeight) * Math.hypot(lineOff, Math.sqrt(1 - lineWeight) * (apartMs / hourMs))
  return { etaMs, lineWeight, earlierHours: -band.p10 * spread, laterHours: band.p90 * spread }
}

function earlyBy({ p20, p80 }: EtaErrors): number {
  return Math.max(-p20, p80 / sidesMax)
}

function lateBy({ p20, p80 }: EtaErrors): number {
  return Math.max(p80, -p20 / sidesMax)
}

function offHours(hours: number, more: readonly number[]): number {
  return Math.hypot(Math.max(offHoursMin, hours), ...more)
}

/** The row for so much time ahead: the last one that begins at or before. */
function errorsAt(errors: readonly EtaErrors[], of: EtaKind, aheadMs: number): EtaErrors | null {
  const daysAhead = Math.max(0, aheadMs / dayMs)
  return errors.findLast((row) => row.of === of && row.daysAheadMin <= daysAhead) ?? null
}
