/**
 * Which numbers can be tracked right now, and the truth behind them: `/sandbox/numbers` and
 * `/sandbox/journeys/<number>`.
 */
import { ashoreSoFar } from './ashore-truth.ts'
import { fraction } from './chance.ts'
import { storyTime } from './latecomers.ts'
import type { Line, NumberKind } from './lines.ts'
import { LINES } from './lines.ts'
import type { Fact, Scenario, Shipment } from './shipment.ts'
import { boxKnownAt } from './shipment.ts'
import type { World } from './world.ts'

/** The order in the catalogue: shipments that move come first. */
export const STAGES = [
  'sailing',
  'at_transshipment',
  'arrived',
  'discharged',
  'rail',
  'loaded',
  'gated_in',
  'gated_out',
  'empty_out',
  'booked',
  'empty_returned',
  'cancelled',
  'not_manifested',
] as const
export type Stage = (typeof STAGES)[number]

export interface Listed {
  readonly scac: string
  readonly kind: NumberKind
  readonly number: string
  readonly scenario: Scenario
  readonly stage: Stage
  readonly containers: readonly string[]
  readonly from: string
  readonly to: string
  /** The shipment began a moment ago and runs at a day per second. Good for watching. */
  readonly lively: boolean
}

const DAYS_SHOWN = 75

export interface CatalogueFilter {
  readonly line: Line | null
  readonly kind: string | null
  readonly stage: string | null
  readonly scenario: string | null
  /** Only shipments that run fast at the moment. */
  readonly isLively: boolean
}

export function listNumbers(world: World, now: number, filter: CatalogueFilter): readonly Listed[] {
  const listed = world.recent(now, DAYS_SHOWN, filter.line).flatMap((shipment) => numbersOf(shipment, now))
  // A box with several trips is listed once, with the latest trip.
  const latest = new Map(listed.map((entry) => [`${entry.scac}|${entry.kind}|${entry.number}`, entry]))
  return [...latest.values()]
    .filter(({ stage }) => (filter.stage === null ? stage !== 'not_manifested' : stage === filter.stage))
    .filter(({ kind }) => filter.kind === null || kind === filter.kind)
    .filter(({ scenario }) => filter.scenario === null || scenario === filter.scenario)
    .filter(({ lively }) => lively || !filter.isLively)
    .map((entry) => ({ entry, rank: rankOf(entry) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry)
}

/** Lively entries come first. They all have the same rank and are already sorted, the newest first. */
function rankOf({ lively, stage, number }: Listed): number {
  return lively ? -1 : STAGES.indexOf(stage) + fraction(`rank|${number}`)
}

function numbersOf(shipment: Shipment, realNow: number): readonly Listed[] {
  const now = storyTime(shipment, realNow)
  const { line, booking, bill, scenario, from, to } = shipment
  if (now < shipment.bookingKnownAt) return []
  const isNamed = (box: number): boolean => (boxKnownAt(shipment, box) ?? Number.POSITIVE_INFINITY) <= now
  const isSaid = shipment.statements.some(({ created, until }) => created <= now && (until === null || now < until))
  const containers = shipment.boxes.filter((_, n) => isNamed(n)).map((box) => box.number)
  const base = { scac: line.scac, scenario, containers, from, to, lively: now < realNow }
  const stage = stageOf(shipment, 0, now)
  const listed: Listed[] = []
  if (line.kinds.includes('bill_of_lading') && shipment.billKnownAt !== null) {
    const isManifested = shipment.billKnownAt <= now && isSaid
    listed.push({
      ...base,
      kind: 'bill_of_lading',
      number: bill,
      stage: isManifested ? stage : 'not_manifested',
    })
  }
  if (line.kinds.includes('booking') && isSaid) listed.push({ ...base, kind: 'booking', number: booking, stage })
  if (line.kinds.includes('container')) {
    shipment.boxes.forEach((box, n) => {
      const own = { kind: 'container' as const, number: box.number, stage: stageOf(shipment, n, now) }
      if (isNamed(n)) listed.push({ ...base, ...own, containers: [box.number] })
    })
  }
  return listed
}

export function stageOf(shipment: Shipment, box: number, now: number): Stage {
  if (shipment.cancelledAt !== null && shipment.cancelledAt <= now) return 'cancelled'
  const past = shipment.facts.filter(({ at, boxes }) => at <= now && boxes.includes(box))
  const last = past.at(-1)
  if (last === undefined) return 'booked'
  const { code, load, call } = last
  if (code === 'GTOT') return load === 'EMPTY' ? 'empty_out' : 'gated_out'
  if (code === 'GTIN') return load === 'EMPTY' ? 'empty_returned' : 'gated_in'
  if (call.mode === 'RAIL') return 'rail'
  const isFinal = call.id === lastSeaCall(shipment, box)
  if (code === 'LOAD') return past.some((fact) => fact.code === 'DISC') ? 'at_transshipment' : 'loaded'
  if (code === 'DEPA') return 'sailing'
  if (code === 'DISC') return isFinal ? 'discharged' : 'at_transshipment'
  return isFinal ? 'arrived' : 'at_transshipment'
}

/** The truth so far, in plain terms. A tester compares it with what a tracker made of the line's answers. */
export function journeys(world: World, number: string, line: Line | null, now: number): readonly object[] {
  return (line === null ? LINES : [line])
    .flatMap((candidate) => world.find(candidate, number, now))
    .map((shipment) => ({ shipment, at: storyTime(shipment, now) }))
    .filter(({ shipment, at }) => shipment.bookingKnownAt <= at)
    .map(({ shipment, at }) => ({
      scac: shipment.line.scac,
      booking: shipment.booking,
      bill_of_lading: shipment.bill,
      scenario: shipment.scenario,
      from: shipment.from,
      to: shipment.to,
      containers: shipment.boxes.flatMap((box, n) => {
        if (box.number !== number && shipment.boxes.some((other) => other.number === number)) return []
        return [{ number: box.number, stage: stageOf(shipment, n, at), ...soFar(shipment, n, at) }]
      }),
    }))
}

function soFar(shipment: Shipment, box: number, now: number): object {
  const past = shipment.facts.filter(({ at, boxes }) => at <= now && boxes.includes(box))
  const final = lastSeaCall(shipment, box)
  const hasArrived = past.some(({ code, call }) => code === 'ARRI' && call.id === final)
  const port = shipment.facts.find(({ call }) => call.id === final)?.call.place
  const estimates = shipment.statements.filter(
    ({ about, boxes, created, until, classifier }) =>
      about.kind === 'TRANSPORT' &&
      about.code === 'ARRI' &&
      classifier !== 'ACT' &&
      boxes.includes(box) &&
      created <= now &&
      (until === null || now < until) &&
      about.call.place === port,
  )
  const latest = estimates.at(-1)
  return {
    events: past.map(plain),
    eta: hasArrived || latest === undefined ? null : new Date(latest.at).toISOString(),
    ...ashoreSoFar(shipment, box, now),
  }
}

function plain({ at, code, load, call }: Fact): object {
  const vessel = call.vessel?.name ?? null
  return { event: code, load, mode: call.mode, place: call.place, at: new Date(at).toISOString(), vessel }
}

function lastSeaCall({ facts }: Shipment, box: number): string | null {
  const calls = facts.filter(({ code, call, boxes }) => code === 'DISC' && call.mode !== 'RAIL' && boxes.includes(box))
  return calls.at(-1)?.call.id ?? null
}
