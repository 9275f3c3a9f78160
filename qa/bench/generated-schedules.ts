/**
 * A line's estimates that are as wrong as those of a real schedule: drawn from its table of errors, not from the
 * sandbox. The ships and their arrivals are the sandbox's.
 */

import { type ScheduleErrors, scheduleErrors } from '../../src/reference/schedule-errors.ts'
import type { EtaMoment } from './eta-samples.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** How often the line changes its mind between two moments. */
const redrawn = 0.15

/** Moments with less than a day to go are left out: the table says nothing of them. */
export function withGeneratedLine(moments: readonly EtaMoment[], seed: number): readonly EtaMoment[] {
  const next = randomNumbers(seed)
  let [arrivalMs, chance] = [Number.NaN, 0]
  return moments.flatMap((moment) => {
    if (moment.arrivalMs !== arrivalMs || next() < redrawn) chance = next()
    arrivalMs = moment.arrivalMs
    const errorHours = drawError(chance, (arrivalMs - moment.atMs) / dayMs)
    const etaMs = arrivalMs - errorHours * hourMs
    if (etaMs < moment.atMs + dayMs) return []
    return [{ ...moment, line: { ...moment.line, eta: new Date(etaMs).toISOString() } }]
  })
}

/** The row is that of the days ahead of the estimate, which the error itself moves. */
function drawError(chance: number, daysLeft: number): number {
  const rows = scheduleErrors()
  const first = rowAt(rows, daysLeft)
  const error = errorAt(first, chance)
  return errorAt(rowAt(rows, daysLeft - error / 24), chance)
}

function rowAt(rows: readonly ScheduleErrors[], days: number): ScheduleErrors {
  return rows.findLast(({ daysAheadMin }) => daysAheadMin <= days) ?? (rows[0] as ScheduleErrors)
}

/** Straight lines between the quantiles; beyond the last tenth an exponential tail that gives the mean of the row. */
function errorAt(row: ScheduleErrors, chance: number): number {
  const points = [2 * row.p10, row.p10, row.p25, row.p50, row.p75, row.p90]
  const parts = [0, 0.1, 0.25, 0.5, 0.75, 0.9]
  if (chance >= 0.9) {
    const body = parts.slice(1).reduce((sum, part, n) => {
      const [from, to] = [points[n] ?? 0, points[n + 1] ?? 0]
      return sum + ((part - (parts[n] ?? 0)) * (from + to)) / 2
    }, 0)
    const beyond = Math.max(0, (row.mean - body) / 0.1 - row.p90)
    return row.p90 - beyond * Math.log(1 - (chance - 0.9) / 0.1)
  }
  const n = parts.findLastIndex((part) => part <= chance)
  const [from, to] = [points[n] ?? 0, points[n + 1] ?? 0]
  return from + ((to - from) * (chance - (parts[n] ?? 0))) / ((parts[n + 1] ?? 1) - (parts[n] ?? 0))
}

/** Numbers from 0 to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
