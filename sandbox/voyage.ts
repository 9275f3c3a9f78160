/**
 * What really happens to the boxes of a shipment: which sailings they take, and when they pass each gate, ship and
 * train. A pure function of the seed and the booking. `voice.ts` makes the lines' reports from it.
 */
import { between, fraction, nameUuid, pick } from './chance.ts'
import { gateHourFrom, gateHourUntil } from './gate-hours.ts'
import type { Chain, Lane } from './lanes.ts'
import type { Line } from './lines.ts'
import { DAY, HOUR, MINUTE } from './local-time.ts'
import { getPlace, rampOf, terminalOf } from './places.ts'
import type { Sailing } from './sailing.ts'
import { findSailing, firstCall, getSailing, lastCall } from './sailing.ts'
import type { Behaviour, Call, Fact, Mode } from './shipment.ts'

export interface Booking {
  readonly seed: number
  readonly key: string
  readonly line: Line
  readonly lane: Lane
  readonly behaviour: Behaviour
  readonly bookedAt: number
  readonly boxCount: number
}

/** Boxes that travel together: the sailings that were planned for them, and those that they took. */
export interface Party {
  readonly boxes: readonly number[]
  readonly planned: readonly Sailing[]
  readonly taken: readonly Sailing[]
  /** Set when the boxes stayed ashore although their planned ship left. */
  readonly rolledAt: number | null
  readonly facts: readonly Fact[]
}

export function travel(booking: Booking): readonly Party[] {
  const all = Array.from({ length: booking.boxCount }, (_, n) => n)
  if (booking.behaviour === 'rolled') return [takeParty(booking, all, 1)]
  if (booking.behaviour !== 'different_fates') return [takeParty(booking, all, 0)]
  const half = Math.ceil(all.length / 2)
  return [takeParty(booking, all.slice(0, half), 0), takeParty(booking, all.slice(half), 1)]
}

function takeParty(booking: Booking, boxes: readonly number[], weeksLate: number): Party {
  const { seed, lane, key, bookedAt } = booking
  const sea = lane.chains.filter((chain) => chain.mode !== 'R')
  const wished = bookedAt + between(`lead|${key}`, 9 * DAY, 14 * DAY)
  const planned = takeSailings(seed, sea, wished, 0)
  const chosen = weeksLate === 0 ? planned : takeSailings(seed, sea, wished, weeksLate)
  const taken = chosen.flatMap((sailing) => (sailing.parts.length > 0 ? sailing.parts : [sailing]))
  const missed = firstCall(planned[0] as Sailing)
  const facts: Fact[] = []
  for (const box of boxes) gateIn(booking, box, missed.departure, facts)
  taken.forEach((sailing, n) => {
    sail(booking, boxes, sailing, n === taken.length - 1, facts)
  })
  const rail = lane.chains.find((chain) => chain.mode === 'R')
  const groundedAt = Math.max(...facts.filter((fact) => fact.code === 'DISC').map((fact) => fact.at))
  if (rail !== undefined && boxes.length > 0) goByRail(booking, boxes, rail, groundedAt, facts)
  for (const box of boxes) deliver(booking, box, facts)
  return { boxes, planned, taken, rolledAt: weeksLate === 0 ? null : missed.departure + 2 * HOUR, facts }
}

function takeSailings(seed: number, chains: readonly Chain[], from: number, late: number): readonly Sailing[] {
  const sailings: Sailing[] = []
  let ready = from
  for (const chain of chains) {
    const skip = sailings.length === 0 ? late * (chain.mode === 'V' ? 1 : 2) : 0
    const sailing = getSailing(seed, chain, findSailing(seed, chain, ready) + skip)
    sailings.push(sailing)
    ready = lastCall(sailing).arrival + 48 * HOUR
  }
  return sailings
}

function gateIn(booking: Booking, box: number, departure: number, facts: Fact[]): void {
  const { key, lane } = booking
  const name = `${key}|${box}`
  const turn = between(`turn out|${name}`, 8 * MINUTE, 52 * MINUTE)
  const wished = departure - between(`in|${name}`, 1.4 * DAY, 3.4 * DAY)
  const full = gateHourUntil(lane.from, 'port', wished) + turn
  const empty = Math.min(departure - between(`out|${name}`, 5 * DAY, 7.5 * DAY), full - 20 * HOUR)
  const out = gateHourUntil(lane.from, 'port', empty) + turn
  facts.push(fact(out, 'GTOT', 'EMPTY', gateCall(booking, lane.from, 'out', 'DEPO'), [box]))
  facts.push(fact(full, 'GTIN', 'LADEN', gateCall(booking, lane.from, 'in', 'POTE'), [box]))
}

function sail(booking: Booking, boxes: readonly number[], sailing: Sailing, isLast: boolean, facts: Fact[]): void {
  const calls = sailing.calls.map((_, n) => sailingCall(booking.line, sailing, n))
  const [first, last] = [firstCall(sailing), lastCall(sailing)]
  const slowly = booking.behaviour === 'retracted' && isLast ? 26 * HOUR : 0
  for (const box of boxes) {
    const name = `${booking.key}|${box}|${sailing.key}`
    const loaded = first.departure - between(`load|${name}`, 2 * HOUR, 14 * HOUR)
    facts.push(fact(loaded, 'LOAD', 'LADEN', calls[0] as Call, [box]))
    const landed = last.arrival + slowly + between(`disc|${name}`, 4 * HOUR, 26 * HOUR)
    facts.push(fact(landed, 'DISC', 'LADEN', calls.at(-1) as Call, [box]))
  }
  sailing.calls.forEach((port, n) => {
    const call = calls[n] as Call
    if (n > 0) facts.push(fact(port.arrival, 'ARRI', 'LADEN', call, boxes))
    if (n < calls.length - 1) facts.push(fact(port.departure, 'DEPA', 'LADEN', call, boxes))
  })
}

function goByRail(booking: Booking, boxes: readonly number[], rail: Chain, from: number, facts: Fact[]): void {
  const name = `${booking.key}|${boxes[0] ?? 0}|rail`
  let at = from + between(`wait|${name}`, 1.2 * DAY, 3.5 * DAY)
  rail.places.forEach((place, n) => {
    const call = railCall(booking, place, n, name)
    if (n === 0) {
      for (const box of boxes) {
        facts.push(fact(at - between(`lift|${name}|${box}`, 3 * HOUR, 9 * HOUR), 'LOAD', 'LADEN', call, [box]))
      }
      facts.push(fact(at, 'DEPA', 'LADEN', call, boxes))
      return
    }
    at += (rail.days[n - 1] ?? 1) * DAY * between(`train|${name}|${n}`, 0.85, 1.1)
    facts.push(fact(at, 'ARRI', 'LADEN', call, boxes))
    if (n < rail.places.length - 1) {
      at += between(`yard|${name}|${n}`, 8 * HOUR, 26 * HOUR)
      facts.push(fact(at, 'DEPA', 'LADEN', call, boxes))
      return
    }
    for (const box of boxes) {
      facts.push(fact(at + between(`drop|${name}|${box}`, 2 * HOUR, 8 * HOUR), 'DISC', 'LADEN', call, [box]))
    }
  })
}

function deliver(booking: Booking, box: number, facts: Fact[]): void {
  const { key, lane, behaviour, boxCount } = booking
  const name = `${key}|${box}`
  const landed = Math.max(...facts.filter((f) => f.code === 'DISC' && f.boxes[0] === box).map((f) => f.at))
  const isSlow = behaviour === 'different_fates' && box === boxCount - 1
  const isInland = lane.chains.some((chain) => chain.mode === 'R')
  const isLate = !isSlow && fraction(`late pickup|${name}`) < 0.15
  const wished =
    landed +
    between(`pickup|${name}`, 0.8 * DAY, 5 * DAY) +
    (isSlow ? 9 * DAY : isLate ? between(`later|${name}`, 2 * DAY, 6 * DAY) : 0)
  // A truck enters when the gate is open, some minutes into the hour of its appointment.
  const out =
    gateHourFrom(lane.to, isInland ? 'ramp' : 'port', wished) + between(`turn|${name}`, 8 * MINUTE, 52 * MINUTE)
  const back =
    gateHourFrom(lane.to, 'port', out + between(`back|${name}`, 1 * DAY, 6 * DAY)) +
    between(`turn back|${name}`, 8 * MINUTE, 52 * MINUTE)
  facts.push(fact(out, 'GTOT', 'LADEN', gateCall(booking, lane.to, 'pickup', isInland ? 'RAMP' : 'POTE'), [box]))
  facts.push(fact(back, 'GTIN', 'EMPTY', gateCall(booking, lane.to, 'return', 'DEPO'), [box]))
}

/** A line's own id of a port call. All its shipments on that ship share it. */
export function sailingCall(line: Line, sailing: Sailing, n: number): Call {
  const key = `${line.scac}|${sailing.key}|${n}`
  const known = calls.get(key)
  if (known !== undefined) return known
  if (calls.size > CALLS_KEPT) calls.clear()
  const call = makeSailingCall(line, sailing, n)
  calls.set(key, call)
  return call
}

const CALLS_KEPT = 20_000
const calls = new Map<string, Call>()

function makeSailingCall(line: Line, sailing: Sailing, n: number): Call {
  const place = sailing.calls[n]?.place ?? ''
  const terminal = terminalOf(place, line.scac)
  const feeder = line.quirks.has('feeder_mode') ? 'FEEDER' : 'VESSEL'
  const modes: Readonly<Record<string, Mode>> = { V: 'VESSEL', F: feeder, B: 'BARGE' }
  return {
    id: nameUuid(`call|${line.scac}|${sailing.key}|${n}`),
    place,
    mode: modes[sailing.chain.mode] ?? 'VESSEL',
    vessel: sailing.vessel,
    voyage: sailing.voyage,
    service: sailing.chain.service,
    sequence: n + 1,
    facilityType: 'POTE',
    terminalCode: terminal?.[0] ?? null,
    facilityName: terminal?.[1] ?? null,
  }
}

function railCall(booking: Booking, place: string, n: number, name: string): Call {
  const ramp = rampOf(place, booking.key)
  const terminal = n === 0 ? terminalOf(place, booking.line.scac) : null
  return {
    id: nameUuid(`call|${booking.line.scac}|${name}|${n}`),
    place,
    mode: 'RAIL',
    vessel: null,
    voyage: null,
    service: null,
    sequence: n + 1,
    facilityType: n === 0 ? 'POTE' : 'RAMP',
    terminalCode: terminal?.[0] ?? null,
    facilityName: ramp === null ? (terminal?.[1] ?? null) : `${ramp[0]} ${ramp[1]}`,
  }
}

function gateCall(booking: Booking, place: string, name: string, type: Call['facilityType']): Call {
  const terminal = type === 'POTE' ? terminalOf(place, booking.line.scac) : null
  const ramp = type === 'RAMP' ? rampOf(place, booking.key) : null
  const depot = pick(`depot|${place}`, ['Container Depot', 'Empty Park', 'Depot 2'])
  const rampName = ramp === null ? null : `${ramp[0]} ${ramp[1]}`
  return {
    id: nameUuid(`gate|${booking.line.scac}|${booking.key}|${place}|${name}`),
    place,
    mode: 'TRUCK',
    vessel: null,
    voyage: null,
    service: null,
    sequence: 1,
    facilityType: type,
    terminalCode: terminal?.[0] ?? null,
    facilityName: type === 'DEPO' ? `${getPlace(place).name} ${depot}` : (terminal?.[1] ?? rampName),
  }
}

function fact(at: number, code: Fact['code'], load: Fact['load'], call: Call, boxes: readonly number[]): Fact {
  return { at: Math.round(at / MINUTE) * MINUTE, code, load, call, boxes }
}

/** How many boxes a booking has: usually one, sometimes several. */
export function boxCountOf(key: string, behaviour: Behaviour): number {
  if (behaviour === 'cancelled') return 0
  const chance = fraction(`boxes|${key}`)
  if (behaviour === 'different_fates') return chance < 0.5 ? 3 : 4
  return chance < 0.55 ? 1 : chance < 0.75 ? 2 : chance < 0.9 ? 3 : 5 + Math.floor(fraction(`many|${key}`) * 4)
}
