/**
 * Voyages of the sandbox as AIS receives them. At many moments of each voyage: our estimate, the line's estimate, and
 * the true arrival.
 */

import { getPlace } from '../../sandbox/places.ts'
import { firstCall, getSailing, lastCall, type Sailing } from '../../sandbox/sailing.ts'
import { inPort, underWay } from '../../sandbox/way.ts'
import { hoursOnEarlierVoyages } from '../../src/domain/vessels/earlier-voyages.ts'
import type { EtaErrors, PastErrors } from '../../src/domain/vessels/eta-errors.ts'
import { type ArrivalEstimateInput, estimateArrival, type OwnEta } from '../../src/domain/vessels/own-eta.ts'
import type { VesselFix } from '../../src/domain/vessels/vessel-arrival.ts'
import { distanceToPort } from '../../src/pipeline/positions/distance-to-port.ts'
import { seaSailings } from './schedule-readings.ts'

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
  /** Days from the moment of the estimate to the arrival that it told. */
  readonly toldDaysAhead: number
  readonly arrivalMs: number
  /** How many hours later than estimated the ship really arrived: by our estimate, and by the line's. */
  readonly ownErrorHours: number
  readonly lineErrorHours: number
  /** Whether the ship arrived within the band of the estimate. */
  readonly isWithin: boolean
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const everyMs = 22 * hourMs
const fixEveryMs = 2 * hourMs
const speedOverMs = 10 * dayMs
/** As long as an installation stores positions, unless it is told otherwise. */
const keptMs = 90 * dayMs

/** The same seed gives the same moments. */
export function etaMoments(seed: number, sailingsOfEach: number): readonly EtaMoment[] {
  return seaSailings(seed, sailingsOfEach).flatMap((sailing) => momentsOf(seed, sailing))
}

/** What an estimate may use. */
export interface EtaParts {
  readonly errors: readonly EtaErrors[]
  /** Of the account; empty for a new one. */
  readonly past: readonly PastErrors[]
  readonly hasLine: boolean
  readonly hasEarlierVoyages: boolean
}

/** Null when we make no estimate. */
export function sampleEta({ atMs, arrivalMs, line, known }: EtaMoment, parts: EtaParts): EtaSample | null {
  const { errors, past } = parts
  const earlierHours = parts.hasEarlierVoyages ? (known.earlierHours ?? []) : []
  const own = estimateArrival({ ...known, earlierHours, line: parts.hasLine ? line : null, errors, past })
  if (own === null) return null
  const laterHours = (eta: string): number => (arrivalMs - Date.parse(eta)) / hourMs
  return {
    daysAhead: (arrivalMs - atMs) / dayMs,
    toldDaysAhead: (Date.parse(own.eta) - atMs) / dayMs,
    arrivalMs,
    ownErrorHours: laterHours(own.eta),
    lineErrorHours: laterHours(line.eta),
    isWithin: isWithin(own, arrivalMs),
  }
}

/** What an account knows after these voyages, as `past-errors-sql.ts` reads it. */
export function pastOf(
  samples: readonly EtaSample[],
  of: PastErrors['of'],
  rowsFrom: readonly number[],
): readonly PastErrors[] {
  return rowsFrom.map((daysAheadMin, row) => {
    const until = rowsFrom[row + 1] ?? Number.POSITIVE_INFINITY
    const some = samples.filter(
      ({ toldDaysAhead: days }) => Math.max(0, days) >= daysAheadMin && Math.max(0, days) < until,
    )
    const sorted = some.map(({ ownErrorHours }) => ownErrorHours).toSorted((a, b) => a - b)
    const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? 0
    const arrivals = new Set(some.map(({ arrivalMs }) => arrivalMs)).size
    const scac = of === 'vessel' ? null : 'line'
    return { of, scac, daysAheadMin, arrivals, p10: at(0.1), p20: at(0.2), p80: at(0.8), p90: at(0.9) }
  })
}

function isWithin({ earliest, latest }: OwnEta, arrivalMs: number): boolean {
  return arrivalMs >= Date.parse(earliest) && arrivalMs <= Date.parse(latest)
}

function momentsOf(seed: number, sailing: Sailing): readonly EtaMoment[] {
  const { calls, vessel } = sailing
  const [first, last] = [calls[0], calls.at(-1)]
  if (first === undefined || last === undefined || vessel === null || sailing.parts.length > 0) return []
  const earlier = earlierVoyages(seed, sailing).map((voyage) =>
    fixesOf(voyage, firstCall(voyage).departure, lastCall(voyage).arrival + fixEveryMs),
  )
  const [latitude, longitude] = getPlace(last.place).at
  const port = { unlocode: last.place, port: { latitude, longitude }, terminals: [] }
  const moments: EtaMoment[] = []
  for (let at = first.departure + 12 * hourMs; at < last.arrival - 2 * hourMs; at += everyMs) {
    const fixes = fixesOf(sailing, Math.max(at - speedOverMs, first.departure), at)
    const here = fixes.at(-1)
    const said = sailing.estimates.findLast((estimate) => estimate.at <= at)
    if (here === undefined || said === undefined) continue
    const remainingNm = distanceToPort({ ship: here, from: first.place, via: [], to: last.place })
    const line = {
      eta: new Date(said.eta).toISOString(),
      isDayOnly: false,
      saidAt: new Date(said.at).toISOString(),
      sourceCode: 'line',
    }
    const earlierHours = earlier.flatMap((before) => hoursOnEarlierVoyages(before, { here, port }))
    // No line of the sandbox reports the calls before, and no other boxes are on board, so `calls` is empty.
    moments.push({ atMs: at, arrivalMs: last.arrival, line, known: { fixes, remainingNm, calls: [], earlierHours } })
  }
  return moments
}

/** The voyages of the same ship on this service whose positions are still stored when it sails. */
function earlierVoyages(seed: number, { chain, key, vessel, calls }: Sailing): readonly Sailing[] {
  const number = Number(key.slice(key.lastIndexOf('|') + 1))
  const since = (calls[0]?.departure ?? 0) - keptMs
  return Array.from({ length: 26 }, (_, n) => getSailing(seed, chain, number - n - 1)).filter(
    (sailing) => sailing.vessel?.imo === vessel?.imo && firstCall(sailing).departure > since,
  )
}

/** The positions of the ship between two moments. The last one is at `until`. */
function fixesOf({ calls, vessel }: Sailing, from: number, until: number): readonly VesselFix[] {
  const imo = vessel?.imo ?? ''
  const fixes: VesselFix[] = []
  for (let at = until - Math.floor((until - from) / fixEveryMs) * fixEveryMs; at <= until; at += fixEveryMs) {
    const left = calls.findLastIndex(({ departure }) => departure <= at)
    const [a, b] = [calls[left], calls[left + 1]]
    if (a === undefined) continue
    const passage = b === undefined ? null : { from: a.place, to: b.place, departure: a.departure, arrival: b.arrival }
    // In port the position stays the same.
    const where =
      passage === null || at >= passage.arrival
        ? inPort(passage?.to ?? a.place)
        : underWay(`${imo}|${a.departure}`, passage, at)
    fixes.push({ imo, heardAt: new Date(at).toISOString(), ...where })
  }
  return fixes
}
