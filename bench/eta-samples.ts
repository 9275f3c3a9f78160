/**
 * Voyages of the sandbox as AIS receives them. At many moments of each voyage: our estimate, the line's estimate, and
 * the true arrival.
 */

import { LANES } from '../sandbox/lanes.ts'
import { findSailing, getSailing, type Sailing } from '../sandbox/sailing.ts'
import { underWay } from '../sandbox/way.ts'
import {
  type ArrivalEstimateInput,
  type EtaErrors,
  estimateArrival,
  type OwnEta,
} from '../src/domain/vessels/own-eta.ts'
import type { VesselFix } from '../src/domain/vessels/vessel-arrival.ts'
import { distanceToPort } from '../src/pipeline/positions/distance-to-port.ts'

/** What could be known at one moment of a voyage, and the true arrival. */
export interface EtaMoment {
  readonly atMs: number
  readonly arrivalMs: number
  readonly line: NonNullable<ArrivalEstimateInput['line']>
  /** The input of the estimate, without the table of errors and the line's estimate. */
  readonly known: Omit<ArrivalEstimateInput, 'errors' | 'line'>
}

export interface EtaSample {
  /** Days from the moment of the estimate to the true arrival. */
  readonly daysAhead: number
  /**
   * How many hours later than estimated the ship really arrived: by our estimate, by our estimate from its positions
   * alone, and by the line's.
   */
  readonly ownErrorHours: number
  readonly vesselErrorHours: number
  readonly lineErrorHours: number
  /** Whether the ship arrived within the band of the estimate. */
  readonly isWithin: boolean
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const everyMs = 22 * hourMs
const fixEveryMs = 2 * hourMs
const speedOverMs = 10 * dayMs
const start = Date.UTC(2026, 0, 5)

/** The same seed gives the same moments. */
export function etaMoments(seed: number, sailingsOfEach: number): readonly EtaMoment[] {
  const chains = new Map(
    LANES.flatMap(({ chains }) => chains)
      .filter(({ mode }) => mode === 'V' || mode === 'F')
      .map((chain) => [chain.key, chain]),
  )
  return [...chains.values()].flatMap((chain) => {
    const first = findSailing(seed, chain, start)
    return Array.from({ length: sailingsOfEach }, (_, n) => getSailing(seed, chain, first + n)).flatMap(momentsOf)
  })
}

/** Null when we make no estimate. */
export function sampleEta({ atMs, arrivalMs, line, known }: EtaMoment, errors: readonly EtaErrors[]): EtaSample | null {
  const own = estimateArrival({ ...known, line, errors })
  const alone = estimateArrival({ ...known, line: null, errors })
  if (own === null || alone === null) return null
  const laterHours = (eta: string): number => (arrivalMs - Date.parse(eta)) / hourMs
  return {
    daysAhead: (arrivalMs - atMs) / dayMs,
    ownErrorHours: laterHours(own.eta),
    vesselErrorHours: laterHours(alone.eta),
    lineErrorHours: laterHours(line.eta),
    isWithin: isWithin(own, arrivalMs),
  }
}

function isWithin({ earliest, latest }: OwnEta, arrivalMs: number): boolean {
  return arrivalMs >= Date.parse(earliest) && arrivalMs <= Date.parse(latest)
}

function momentsOf(sailing: Sailing): readonly EtaMoment[] {
  const [first, last] = [sailing.calls[0], sailing.calls.at(-1)]
  if (first === undefined || last === undefined || sailing.vessel === null) return []
  const moments: EtaMoment[] = []
  for (let at = first.departure + 12 * hourMs; at < last.arrival - 2 * hourMs; at += everyMs) {
    const fixes = fixesOf(sailing, at)
    const here = fixes.at(-1)
    const said = sailing.estimates.findLast((estimate) => estimate.at <= at)
    if (here === undefined || said === undefined) continue
    const ship = { latitude: here.latitude, longitude: here.longitude }
    const remainingNm = distanceToPort({ ship, from: first.place, via: [], to: last.place })
    const line = {
      eta: new Date(said.eta).toISOString(),
      isDayOnly: false,
      saidAt: new Date(said.at).toISOString(),
      sourceCode: 'line',
    }
    // No line of the sandbox reports the calls before, and no other boxes are on board, so `calls` is empty.
    moments.push({ atMs: at, arrivalMs: last.arrival, line, known: { fixes, remainingNm, calls: [] } })
  }
  return moments
}

/** The positions of the ship in the days before. The last one is at this moment. */
function fixesOf({ calls, vessel }: Sailing, until: number): readonly VesselFix[] {
  const imo = vessel?.imo ?? ''
  const from = Math.max(until - speedOverMs, calls[0]?.departure ?? until)
  const fixes: VesselFix[] = []
  for (let at = until - Math.floor((until - from) / fixEveryMs) * fixEveryMs; at <= until; at += fixEveryMs) {
    const left = calls.findLastIndex(({ departure }) => departure <= at)
    const [a, b] = [calls[left], calls[left + 1]]
    if (a === undefined || b === undefined) continue
    const passage = { from: a.place, to: b.place, departure: a.departure, arrival: b.arrival }
    // In port the position stays the same.
    const where = underWay(`${imo}|${a.departure}`, passage, Math.min(at, b.arrival))
    fixes.push({ imo, heardAt: new Date(at).toISOString(), ...where })
  }
  return fixes
}
