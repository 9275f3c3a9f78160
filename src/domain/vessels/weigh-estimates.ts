/** Weighs the estimate from a ship's positions with the line's, and says how wrong the result may be. */

import { blend, type EtaErrors, type EtaKind, type PastErrors, pastAt } from './eta-errors.ts'
import type { CallAhead, LineEta } from './voyage-ahead.ts'

export interface WeighedEta {
  readonly etaMs: number
  readonly lineWeight: number
  /** The band: one ship in ten comes earlier by more than this, and one in ten later by more. */
  readonly earlierHours: number
  readonly laterHours: number
  /** How many arrivals of the account's past the band is made of. */
  readonly arrivals: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Half a day: when the line gives only a day, the ship may come at any hour of it. */
const dayOnlyHours = 12
/** No estimate counts as more exact than this, and the hour of a line no more than that. */
const offHoursMin = 0.5
const lineHoursMin = 3
/** How many times larger the error of positions to one side may be than that to the other. */
const sidesMax = 4
/** So many times its usual error apart from the line, the ship counts as much as the line. */
const errorsApart = 3

/**
 * A line's estimate is most often nearly right, and sometimes days off. So the line counts while the ship's positions
 * are within their usual error of it, and the ship the more, the further it is beyond, as far as lines are ever so
 * wrong: more to the late side than to the early. Where the two contradict each other, the band is wider.
 */
export function weighEstimates(of: {
  readonly nowMs: number
  readonly vesselMs: number
  readonly calls: readonly CallAhead[]
  readonly line: LineEta | null
  readonly errors: readonly EtaErrors[]
  readonly past: readonly PastErrors[]
}): WeighedEta | null {
  const { nowMs, vesselMs, line, past } = of
  const made = errorsAt(of.errors, 'vessel', vesselMs - nowMs)
  if (made === null) return null
  // A stay that nobody stated may be none, or twice as long.
  const unstatedHours = of.calls.filter(({ isStayTold }) => !isStayTold).map(({ stayHours }) => stayHours)
  const alone = {
    etaMs: vesselMs,
    lineWeight: 0,
    earlierHours: combineErrorHours(-made.p10, unstatedHours),
    laterHours: combineErrorHours(made.p90, unstatedHours),
    arrivals: pastAt(past, { of: 'vessel', scac: null, daysAhead: (vesselMs - nowMs) / dayMs })?.arrivals ?? 0,
  }
  // A line that still gives an estimate makes it now.
  const stated = line === null ? null : errorsAt(of.errors, 'line', Date.parse(line.eta) - nowMs)
  if (line === null || stated === null) return alone
  const apartHours = (vesselMs - Date.parse(line.eta)) / hourMs
  const isShipLater = apartHours > 0
  const vesselOff = combineErrorHours(isShipLater ? earlyErrorHours(made) : lateErrorHours(made), unstatedHours)
  const lineOff = Math.max(offHoursMin, stated.p80, -stated.p20)
  const lineMost = Math.max(0, isShipLater ? stated.p90 : -stated.p10)
  const beyond = share(lineMost, vesselOff) * share(apartHours, errorsApart * vesselOff)
  const vesselWeight = Math.max(beyond, share(line.isDayOnly ? dayOnlyHours : lineHoursMin, vesselOff))
  const etaMs = Date.parse(line.eta) + vesselWeight * apartHours * hourMs
  const band = errorsAt(of.errors, 'both', etaMs - nowMs)
  if (band === null) return alone
  const lineWeight = 1 - vesselWeight
  const spread = Math.hypot(
    lineWeight * lineOff,
    vesselWeight * vesselOff,
    Math.sqrt(lineWeight * vesselWeight) * apartHours,
    line.isDayOnly ? dayOnlyHours / 2 : 0,
  )
  const own = pastAt(past, { of: 'own', scac: line.sourceCode, daysAhead: (etaMs - nowMs) / dayMs })
  const arrivals = own?.arrivals ?? 0
  return {
    etaMs,
    lineWeight,
    earlierHours: -blend(band.p10 * spread, own?.p10 ?? 0, arrivals),
    laterHours: blend(band.p90 * spread, own?.p90 ?? 0, arrivals),
    arrivals,
  }
}

/** From 0 for no hours to nearly 1 for many: a half where both are the same. */
function share(hours: number, halfAt: number): number {
  return hours ** 2 / (hours ** 2 + halfAt ** 2)
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
