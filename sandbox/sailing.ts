/**
 * The timetable and what really happened: every sailing of every service, planned and true, and how the estimate of its
 * last arrival changed on the way. All shipments of all lines on one sailing share it.
 */
import { between, fraction, wholeBetween } from './chance.ts'
import type { Chain } from './lanes.ts'
import { DAY, HOUR, MINUTE } from './local-time.ts'
import type { Vessel } from './places.ts'
import { vesselOf } from './places.ts'

export const TEMPERS = ['steady', 'jitter', 'slips'] as const
export type Temper = (typeof TEMPERS)[number]

export interface PortCall {
  readonly place: string
  readonly plannedArrival: number
  readonly plannedDeparture: number
  readonly arrival: number
  readonly departure: number
}

export interface Estimate {
  /** When the estimate was made. */
  readonly at: number
  readonly eta: number
}

export interface Sailing {
  readonly key: string
  readonly chain: Chain
  readonly vessel: Vessel | null
  readonly voyage: string
  readonly temper: Temper
  readonly calls: readonly PortCall[]
  /** Estimates of the arrival at the last place, oldest first. */
  readonly estimates: readonly Estimate[]
}

const PORT_STAY = 20 * HOUR
const known = new Map<string, Sailing>()

/** The first sailing that is planned to leave at or after this moment. */
export function findSailing(seed: number, chain: Chain, after: number): number {
  const { every, phase } = rhythm(seed, chain)
  return Math.ceil((after - phase) / every)
}

export function getSailing(seed: number, chain: Chain, number: number): Sailing {
  const key = `${seed}|${chain.key}|${number}`
  const seen = known.get(key)
  if (seen !== undefined) return seen
  if (known.size > 5000) known.clear()
  const sailing = makeSailing(seed, chain, number, key)
  known.set(key, sailing)
  return sailing
}

export function firstCall(sailing: Sailing): PortCall {
  return sailing.calls[0] as PortCall
}

export function lastCall(sailing: Sailing): PortCall {
  return sailing.calls.at(-1) as PortCall
}

function makeSailing(seed: number, chain: Chain, number: number, key: string): Sailing {
  const { every, phase } = rhythm(seed, chain)
  const temperament = fraction(`temper|${key}`)
  const isLong = chain.days.reduce((sum, leg) => sum + leg, 0) >= 8
  const temper: Temper = temperament < 0.25 && isLong ? 'slips' : temperament < 0.5 ? 'jitter' : 'steady'
  const slip = temper === 'slips' ? between(`slip|${key}`, 20 * HOUR, 110 * HOUR) : 0
  let planned = number * every + phase
  let actual = planned + fraction(`late|${key}`) ** 3 * 36 * HOUR
  const calls = [makeCall(chain, 0, planned - PORT_STAY, planned, actual - PORT_STAY, actual)]
  chain.days.forEach((days, leg) => {
    const isLast = leg === chain.days.length - 1
    planned += days * DAY
    actual += days * DAY + between(`weather|${key}|${leg}`, -5 * HOUR, 9 * HOUR) + (isLast ? slip : 0)
    calls.push(makeCall(chain, leg + 1, planned, planned + PORT_STAY, actual, actual + PORT_STAY))
    planned += PORT_STAY
    actual += PORT_STAY
  })
  return {
    key,
    chain,
    vessel: vesselOf(chain, number),
    voyage: `${String(100 + (((number % 900) + 900) % 900))}${'EWNS'.charAt(wholeBetween(`bound|${chain.key}`, 0, 3))}`,
    temper,
    calls,
    estimates: estimatesOf(key, temper, calls),
  }
}

function makeCall(chain: Chain, n: number, planArr: number, planDep: number, arr: number, dep: number): PortCall {
  return {
    place: chain.places[n] ?? '',
    plannedArrival: minute(planArr),
    plannedDeparture: minute(planDep),
    arrival: minute(arr),
    departure: minute(dep),
  }
}

function estimatesOf(key: string, temper: Temper, calls: readonly PortCall[]): readonly Estimate[] {
  const first = calls[0] as PortCall
  const last = calls.at(-1) as PortCall
  const span = last.arrival - first.departure
  const opening = last.plannedArrival + (first.departure - first.plannedDeparture)
  const estimates: Estimate[] = [{ at: first.departure + Math.min(3 * HOUR, span / 10), eta: opening }]
  const steps = temper === 'slips' ? wholeBetween(`steps|${key}`, 3, 5) : 0
  for (let n = 1; n <= steps; n++) {
    const eta = opening + ((last.arrival - opening) * n) / steps + between(`step|${key}|${n}`, -2 * HOUR, 2 * HOUR)
    estimates.push({ at: first.departure + span * (0.15 + (0.65 * n) / steps), eta })
  }
  if (temper === 'jitter') {
    for (let at = first.departure + 30 * HOUR, n = 0; at < last.arrival - 24 * HOUR; at += 31 * HOUR, n++) {
      estimates.push({ at, eta: opening + between(`jitter|${key}|${n}`, -25 * MINUTE, 25 * MINUTE) })
    }
  }
  const closing = last.arrival + between(`closing|${key}`, -40 * MINUTE, 40 * MINUTE)
  estimates.push({ at: last.arrival - Math.min(16 * HOUR, span / 4), eta: closing })
  return estimates.map(({ at, eta }) => ({ at: minute(at), eta: minute(Math.max(eta, at + 2 * HOUR)) }))
}

/** Mother vessels sail weekly, feeders and barges twice a week. */
function rhythm(seed: number, chain: Chain): { readonly every: number; readonly phase: number } {
  const every = chain.mode === 'V' ? 7 * DAY : 3.5 * DAY
  return { every, phase: Math.floor((fraction(`phase|${seed}|${chain.key}`) * every) / HOUR) * HOUR }
}

function minute(at: number): number {
  return Math.round(at / MINUTE) * MINUTE
}
