/** The sandbox's estimates, read once a day as a published schedule is, beside those of a real line. */

import { LANES } from '../../sandbox/lanes.ts'
import { expectedAt, findSailing, firstCall, getSailing, lastCall, type Sailing } from '../../sandbox/sailing.ts'
import { type ScheduleErrors, scheduleErrors } from '../../src/reference/schedule-errors.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Cargo is booked so many days before the ship leaves. */
const bookedDays = 11.5

export interface ReadingsBeside {
  readonly real: ScheduleErrors
  readonly sandbox: Omit<ScheduleErrors, 'daysAheadMin' | 'daysAheadMax'>
}

export function readingsBeside(seeds: readonly number[], sailingsOfEach: number): readonly ReadingsBeside[] {
  const readings = seeds.flatMap((seed) => seaSailings(seed, sailingsOfEach)).flatMap(readDaily)
  return scheduleErrors().map((real) => {
    const errors = readings
      .filter(({ daysAhead }) => daysAhead >= real.daysAheadMin && daysAhead < real.daysAheadMax)
      .map(({ errorHours }) => errorHours)
      .toSorted((a, b) => a - b)
    const at = (part: number): number => errors[Math.floor(part * (errors.length - 1))] ?? 0
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
    return {
      real,
      sandbox: {
        readings: errors.length,
        meanAbsolute: mean(errors.map(Math.abs)),
        mean: mean(errors),
        p10: at(0.1),
        p25: at(0.25),
        p50: at(0.5),
        p75: at(0.75),
        p90: at(0.9),
      },
    }
  })
}

/** Sailings of every service by sea. The same seed gives the same ones. */
export function seaSailings(seed: number, sailingsOfEach: number): readonly Sailing[] {
  const chains = new Map(
    LANES.flatMap(({ chains }) => chains)
      .filter(({ mode }) => mode === 'V' || mode === 'F')
      .map((chain) => [chain.key, chain]),
  )
  return [...chains.values()].flatMap((chain) => {
    const first = findSailing(seed, chain, Date.UTC(2026, 0, 5))
    return Array.from({ length: sailingsOfEach }, (_, n) => getSailing(seed, chain, first + n))
  })
}

function readDaily(sailing: Sailing): readonly { readonly daysAhead: number; readonly errorHours: number }[] {
  const { arrival } = lastCall(sailing)
  const from = firstCall(sailing).plannedDeparture - bookedDays * dayMs
  return Array.from({ length: Math.floor((arrival - from) / dayMs) }, (_, day) => {
    const at = from + day * dayMs
    const eta = expectedAt(sailing, at)
    return { daysAhead: (eta - at) / dayMs, errorHours: (arrival - eta) / hourMs }
  })
}
