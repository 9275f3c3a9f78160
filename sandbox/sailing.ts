/**
 * The timetable and what really happened: every sailing of every service, planned and true, and how the estimate of its
 * last arrival changed on the way. All shipments of all lines on one sailing share it.
 */
import { between, fraction, wholeBetween } from './chance.ts'
import { type Expectation, expectationsOf, whenLeft } from './delays.ts'
import type { Chain } from './lanes.ts'
import { DAY, HOUR, MINUTE } from './local-time.ts'
import type { Vessel } from './places.ts'
import { standInOf, vesselOf } from './places.ts'

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
  /** The ship that was planned for it, and the ship that sailed. */
  readonly plannedVessel: Vessel | null
  readonly vessel: Vessel | null
  readonly voyage: string
  readonly temper: Temper
  readonly calls: readonly PortCall[]
  /** Estimates of the arrival at the last place, oldest first. */
  readonly estimates: readonly Estimate[]
  /** Two when another ship takes the cargo on from a call, else none. */
  readonly parts: readonly Sailing[]
}

const PORT_STAY = 20 * HOUR
const SHORTEST_STAY = 12 * HOUR
/** Plans change from so long before the departure. Earlier no cargo is booked. */
const EXPECTED_FROM = 8.5 * DAY
/** How long before and after its plan a ship leaves the first port at most. */
const EARLIEST = 8 * HOUR
const LATEST = 4 * DAY
/** A leg takes at least this share of its planned time. */
const FASTEST = 0.8
/** An estimate is at most this far off what the line knows. */
const OFF = 4 * HOUR
/** Of so many sailings of a service one is changed in each way. */
const CHANGES_EVERY = 32
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

/** A few sailings leave out a call, sail with another ship, or are split: another ship takes the cargo on from a call. */
type Change = 'omits' | 'swaps' | 'splits' | null

function changeOf(chain: Chain, number: number): Change {
  const turn =
    (((number + Math.floor(fraction(`change|${chain.key}`) * CHANGES_EVERY)) % CHANGES_EVERY) + CHANGES_EVERY) %
    CHANGES_EVERY
  if (turn === 0) return standInOf(chain) === null ? null : 'swaps'
  if (chain.places.length < 3) return null
  return turn === 10 ? 'omits' : turn === 21 && standInOf(chain) !== null ? 'splits' : null
}

function makeSailing(seed: number, chain: Chain, number: number, key: string): Sailing {
  const { every, phase } = rhythm(seed, chain)
  const change = changeOf(chain, number)
  const plans: { readonly place: string; readonly arrival: number; readonly departure: number }[] = []
  let planned = number * every + phase
  chain.places.forEach((place, n) => {
    if (n > 0) planned += (chain.days[n - 1] ?? 0) * DAY + (n > 1 ? PORT_STAY : 0)
    const [arrival, departure] = n === 0 ? [planned - PORT_STAY, planned] : [planned, planned + PORT_STAY]
    if (n !== 1 || change !== 'omits') plans.push({ place, arrival, departure })
  })
  const [first, last] = [plans[0], plans.at(-1)] as [(typeof plans)[0], (typeof plans)[0]]
  const expected = expectationsOf(key, first.departure - EXPECTED_FROM, last.arrival)
  const calls: PortCall[] = []
  for (const [n, plan] of plans.entries()) {
    const before = calls.at(-1)
    const atLeast =
      before === undefined
        ? first.arrival
        : before.departure + FASTEST * (plan.arrival - (plans[n - 1]?.departure ?? 0))
    const arrival = Math.max(atLeast, whenLeft(expected, last.arrival - plan.arrival))
    const departure = Math.max(arrival + SHORTEST_STAY, whenLeft(expected, last.arrival - plan.departure))
    const isFirst = n === 0
    const leaves = isFirst
      ? Math.min(Math.max(departure, plan.departure - EARLIEST), plan.departure + LATEST)
      : departure
    calls.push(
      makeCall(plan, isFirst ? leaves - PORT_STAY : arrival, n === plans.length - 1 ? arrival + PORT_STAY : leaves),
    )
  }
  const plannedVessel = vesselOf(chain, number)
  const { temper, estimates } = estimatesOf(key, calls, expected)
  const sailing = {
    key,
    chain,
    plannedVessel,
    vessel: change === 'swaps' ? standInOf(chain) : plannedVessel,
    voyage: `${String(100 + (((number % 900) + 900) % 900))}${'EWNS'.charAt(wholeBetween(`bound|${chain.key}`, 0, 3))}`,
    temper,
    calls,
    estimates,
  }
  return { ...sailing, parts: change === 'splits' ? split(sailing) : [] }
}

/** The first ship takes the cargo to the first call, and another ship from there on. */
function split(sailing: Omit<Sailing, 'parts'>): readonly Sailing[] {
  const { key, chain, calls, estimates } = sailing
  const [first, call] = calls as [PortCall, PortCall]
  const told = { at: minute(first.departure + 2 * HOUR), eta: call.plannedArrival }
  const onward = estimates.filter(({ at }) => at > call.arrival)
  const loads = { ...call, departure: Math.max(call.departure, call.arrival + 42 * HOUR) }
  return [
    { ...sailing, temper: 'steady', calls: [first, call], estimates: [told], parts: [] },
    {
      ...sailing,
      key: `${key}/2`,
      plannedVessel: standInOf(chain),
      vessel: standInOf(chain),
      calls: [loads, ...calls.slice(2)],
      estimates: onward,
      parts: [],
    },
  ]
}

function makeCall(
  plan: { readonly place: string; readonly arrival: number; readonly departure: number },
  arrival: number,
  departure: number,
): PortCall {
  return {
    place: plan.place,
    plannedArrival: minute(plan.arrival),
    plannedDeparture: minute(plan.departure),
    arrival: minute(arrival),
    departure: minute(departure),
  }
}

/** The line states each change when it knows it, some hours off. Its last estimate is nearly exact. */
function estimatesOf(
  key: string,
  calls: readonly PortCall[],
  expected: readonly Expectation[],
): Pick<Sailing, 'temper' | 'estimates'> {
  const first = calls[0] as PortCall
  const last = calls.at(-1) as PortCall
  const span = last.arrival - first.departure
  const sails = first.departure + Math.min(3 * HOUR, span / 10)
  const off = (n: number): number => between(`off|${key}|${n}`, -1, 1) * between(`far|${key}|${n}`, 0, OFF)
  const told = expected.slice(0, -1).map(({ at, eta }, n) => ({ at, eta: eta + off(n) }))
  const opening = told.findLast(({ at }) => at <= sails) ?? { at: sails, eta: last.plannedArrival }
  const closesAt = last.arrival - Math.min(16 * HOUR, span / 4)
  const before = told.filter(({ at }, n) => n > 0 && at < sails)
  const moves = told.filter(({ at }) => at > sails && at < closesAt)
  const slipped = (moves.at(-1)?.eta ?? opening.eta) - opening.eta
  const temper: Temper =
    slipped >= 12 * HOUR ? 'slips' : moves.length === 0 && fraction(`temper|${key}`) < 0.33 ? 'jitter' : 'steady'
  const again: Estimate[] = []
  if (temper === 'jitter') {
    for (let at = first.departure + 30 * HOUR, n = 0; at < last.arrival - 24 * HOUR; at += 31 * HOUR, n++) {
      again.push({ at, eta: opening.eta + between(`jitter|${key}|${n}`, -25 * MINUTE, 25 * MINUTE) })
    }
  }
  const closing = { at: closesAt, eta: last.arrival + between(`closing|${key}`, -40 * MINUTE, 40 * MINUTE) }
  const estimates = [...before, { at: sails, eta: opening.eta }, ...moves, ...again, closing]
  return {
    temper,
    estimates: estimates.map(({ at, eta }) => ({ at: minute(at), eta: minute(Math.max(eta, at + 2 * HOUR)) })),
  }
}

/** What the line expects of the last arrival at a moment: its newest estimate, else its plan. */
export function expectedAt(sailing: Sailing, moment: number): number {
  return sailing.estimates.findLast(({ at }) => at <= moment)?.eta ?? lastCall(sailing).plannedArrival
}

/** Mother vessels sail weekly, feeders and barges twice a week. */
function rhythm(seed: number, chain: Chain): { readonly every: number; readonly phase: number } {
  const every = chain.mode === 'V' ? 7 * DAY : 3.5 * DAY
  return { every, phase: Math.floor((fraction(`phase|${seed}|${chain.key}`) * every) / HOUR) * HOUR }
}

function minute(at: number): number {
  return Math.round(at / MINUTE) * MINUTE
}
