/** Voyages of the sandbox as AIS hears them: at many moments of each, what we expect, what the line says, what becomes true. */

import { LANES } from '../sandbox/lanes.ts'
import { findSailing, getSailing, type Sailing } from '../sandbox/sailing.ts'
import { underWay } from '../sandbox/way.ts'
import { estimateArrival } from '../src/core/own-eta.ts'
import type { VesselFix } from '../src/core/vessel-arrival.ts'
import { distanceToPort } from '../src/service/positions/own-etas.ts'

export interface EtaSample {
  /** Days from the moment of the estimate to the true arrival. */
  readonly daysAhead: number
  /** Days to the arrival that we expected. */
  readonly expectedDays: number
  /** How many hours later than ours, and than the line's, the ship really came. */
  readonly ownErrorHours: number
  readonly lineErrorHours: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const everyMs = 22 * hourMs
const fixEveryMs = 2 * hourMs
const speedOverMs = 10 * dayMs
const start = Date.UTC(2026, 0, 5)
/** Any row will do: only the estimate itself is looked at. */
const anyErrors = [{ daysAheadMin: 0, p10Hours: 0, p90Hours: 0 }]

/** The same seed gives the same samples. */
export function sampleEtas(seed: number, sailingsOfEach: number): readonly EtaSample[] {
  const chains = new Map(
    LANES.flatMap(({ chains }) => chains)
      .filter(({ mode }) => mode === 'V' || mode === 'F')
      .map((chain) => [chain.key, chain]),
  )
  return [...chains.values()].flatMap((chain) => {
    const first = findSailing(seed, chain, start)
    return Array.from({ length: sailingsOfEach }, (_, n) => getSailing(seed, chain, first + n)).flatMap(
      samplesOf,
    )
  })
}

function samplesOf(sailing: Sailing): readonly EtaSample[] {
  const [first, last] = [sailing.calls[0], sailing.calls.at(-1)]
  if (first === undefined || last === undefined || sailing.vessel === null) return []
  const samples: EtaSample[] = []
  for (let at = first.departure + 12 * hourMs; at < last.arrival - 2 * hourMs; at += everyMs) {
    const fixes = fixesOf(sailing, at)
    const here = fixes.at(-1)
    const line = sailing.estimates.findLast((estimate) => estimate.at <= at)
    if (here === undefined || line === undefined) continue
    const ship = { latitude: here.latitude, longitude: here.longitude }
    const remainingNm = distanceToPort({ ship, from: first.place, to: last.place })
    const own = estimateArrival({ fixes, remainingNm, errors: anyErrors })
    if (own === null) continue
    samples.push({
      daysAhead: (last.arrival - at) / dayMs,
      expectedDays: (Date.parse(own.eta) - at) / dayMs,
      ownErrorHours: (last.arrival - Date.parse(own.eta)) / hourMs,
      lineErrorHours: (last.arrival - line.eta) / hourMs,
    })
  }
  return samples
}

/** What was heard of the ship in the days before, the last word at this moment. */
function fixesOf({ calls, vessel }: Sailing, until: number): readonly VesselFix[] {
  const imo = vessel?.imo ?? ''
  const from = Math.max(until - speedOverMs, calls[0]?.departure ?? until)
  const fixes: VesselFix[] = []
  for (let at = until - Math.floor((until - from) / fixEveryMs) * fixEveryMs; at <= until; at += fixEveryMs) {
    const left = calls.findLastIndex(({ departure }) => departure <= at)
    const [a, b] = [calls[left], calls[left + 1]]
    if (a === undefined || b === undefined) continue
    const passage = { from: a.place, to: b.place, departure: a.departure, arrival: b.arrival }
    // In port it says the same place all the time.
    const where = underWay(`${imo}|${a.departure}`, passage, Math.min(at, b.arrival))
    fixes.push({ imo, heardAt: new Date(at).toISOString(), ...where })
  }
  return fixes
}
