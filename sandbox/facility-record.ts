/**
 * What a terminal or railway reports about a box, in its own words. The text stays the same as long as nothing changes.
 */
import { type Ashore, ashoreOf } from './ashore.ts'
import { type Facility, standCode, stationName } from './facilities.ts'
import { storyTime } from './latecomers.ts'
import { LINES } from './lines.ts'
import { DAY, writeLocal, writeZoned } from './local-time.ts'
import { getPlace } from './places.ts'
import type { RailTrip } from './rail-trip.ts'
import type { Shipment } from './shipment.ts'
import { changesOf, type Move, type Standing, type Stay, standingAt } from './stay.ts'
import type { World } from './world.ts'

/** A box that a facility knows. */
export interface KnownBox {
  readonly facility: Facility
  readonly number: string
  readonly shipment: Shipment
  readonly ashore: Ashore
  /** The moments at which the report changes, oldest first. */
  readonly changes: readonly number[]
}

/** How long a facility remembers a box after the last change. */
const REMEMBERED = 20 * DAY

/** The latest trip of the box that the facility knows now; null when it knows none. */
export function findBox(world: World, facility: Facility, number: string, now: number): KnownBox | null {
  return tripsOf(world, facility, number, now).findLast((trip) => isKnown(trip, now)) ?? null
}

/** Like `findBox`, but if the facility knows no trip now, the next one that it will know. */
export function findComing(world: World, facility: Facility, number: string, now: number): KnownBox | null {
  const trips = tripsOf(world, facility, number, now)
  const isAhead = ({ shipment, changes }: KnownBox): boolean => (changes[0] ?? 0) > storyTime(shipment, now)
  return trips.findLast((trip) => isKnown(trip, now)) ?? trips.find(isAhead) ?? null
}

function isKnown({ shipment, changes }: KnownBox, now: number): boolean {
  const at = storyTime(shipment, now)
  return (changes[0] ?? Number.POSITIVE_INFINITY) <= at && at < (changes.at(-1) ?? 0) + REMEMBERED
}

/** The trips that lead through the facility, oldest first. */
function tripsOf(world: World, facility: Facility, number: string, now: number): readonly KnownBox[] {
  return LINES.flatMap((line) => world.find(line, number, now))
    .flatMap((shipment): readonly KnownBox[] => {
      const box = shipment.boxes.findIndex((candidate) => candidate.number === number)
      const ashore = box < 0 || shipment.cancelledAt !== null ? null : ashoreOf(shipment, box)
      if (ashore === null || !concerns(facility, ashore)) return []
      return [{ facility, number, shipment, ashore, changes: changesFor(facility, ashore) }]
    })
    .toSorted((a, b) => (a.changes[0] ?? 0) - (b.changes[0] ?? 0))
}

/** Whether the last change of the report is over. */
export function isOver({ changes, shipment }: KnownBox, now: number): boolean {
  return storyTime(shipment, now) >= (changes.at(-1) ?? 0)
}

function concerns(facility: Facility, { port, rail }: Ashore): boolean {
  if (facility.site === 'port') return facility.serves(port.place)
  return rail !== null && [rail.portCarrier, rail.destinationCarrier].includes(facility.code)
}

function changesFor({ site, code }: Facility, { port, rail, ramp }: Ashore): readonly number[] {
  if (site === 'port') return changesOf(port)
  if (rail === null) return []
  const own = rail.moves.filter(({ carrier }) => carrier === code).map(({ at }) => at)
  const atRamp = ramp === null || code !== rail.destinationCarrier ? [] : changesOf(ramp)
  const all = [rail.departsAt, ...own, ...rail.etas.map(({ from }) => from), ...atRamp]
  return [...new Set(all)].sort((a, b) => a - b)
}

/** The last moment at which the report changed; null before the first. */
export function saidSince({ changes, shipment }: KnownBox, now: number): number | null {
  const at = storyTime(shipment, now)
  return changes.findLast((change) => change <= at) ?? null
}

/** The report as JSON; null as long as there is none. */
export function recordOf(box: KnownBox, now: number): object | null {
  const since = saidSince(box, now)
  if (since === null) return null
  return box.facility.site === 'port' ? terminalRecord(box, since) : railRecord(box, since)
}

function terminalRecord({ ashore: { port, rail }, number }: KnownBox, since: number): object | null {
  const standing = standingAt(port, since)
  if (standing === null) return null
  const { zone } = getPlace(port.place)
  return {
    container: number,
    terminal: standCode(port.place, port.terminal),
    asOf: new Date(since).toISOString(),
    ...shared(standing, (at) => writeLocal(zone, at)),
    location: standing.yardLocation ?? '-',
    railCarrier: since >= port.landedAt ? (rail?.portCarrier ?? '-') : '-',
    moves: standing.moves.map(({ at, what }) => ({
      move: terminalWords[what] ?? what,
      at: writeLocal(zone, at),
    })),
  }
}

const terminalWords: Readonly<Record<string, string>> = {
  'DISC LADEN VESSEL': 'DISCHARGED',
  'DISC LADEN BARGE': 'OFF BARGE',
  'GTOT LADEN': 'GATE OUT',
  'LOAD LADEN RAIL': 'RAIL LOADED',
}

function railRecord({ facility, ashore: { rail, ramp }, number }: KnownBox, since: number): object | null {
  if (rail === null) return null
  const atRamp = ramp === null || facility.code !== rail.destinationCarrier ? null : ramp
  const standing = atRamp === null ? null : standingAt(atRamp, since)
  const { zone } = getPlace(rail.to)
  const hasArrived = rail.moves.some(({ at, what, place }) => what === 'ARRI RAIL' && place === rail.to && at <= since)
  const eta = hasArrived ? null : (rail.etas.findLast(({ from }) => from <= since)?.value ?? null)
  return {
    initial: number.slice(0, 4),
    number: number.slice(4, 10),
    asOf: new Date(since).toISOString(),
    originCarrier: rail.portCarrier,
    destinationCarrier: rail.destinationCarrier,
    destination: stationName(rail.to),
    ...(eta !== null && { eta: writeZoned(zone, eta) }),
    ...(standing === null ? { holds: [], charges: [] } : shared(standing, (at) => writeZoned(zone, at))),
    ...(standing !== null && { lot: standing.yardLocation ?? '', pickupNumber: standing.pickupNumber ?? '' }),
    events: eventsOf(rail, facility.code, since, atRamp),
  }
}

const railWords: Readonly<Record<string, string>> = {
  'LOAD LADEN RAIL': 'LOADED',
  'DEPA RAIL': 'DEPARTED',
  'ARRI RAIL': 'ARRIVED',
  'DISC LADEN RAIL': 'UNLOADED',
  'GTOT LADEN': 'OUT-GATED',
}

function eventsOf(rail: RailTrip, carrier: string, since: number, ramp: Stay | null): readonly object[] {
  const own: readonly Move[] = rail.moves.filter((move) => move.carrier === carrier)
  return [...own, ...(ramp?.moves ?? []), ...(ramp?.oddMoves ?? [])]
    .filter(({ at }) => at <= since)
    .map(({ at, what, place }) => ({
      event: railWords[what] ?? what,
      at: writeZoned(getPlace(place).zone, at),
      station: stationName(place),
    }))
}

function shared(standing: Standing, write: (at: number) => string): object {
  const { available, lastFreeDay, appointmentAt, chassis } = standing
  return {
    ...(available !== null && { available: available ? 'Y' : 'N' }),
    ...(lastFreeDay !== null && { lastFreeDay }),
    ...(appointmentAt !== null && { appointment: write(appointmentAt) }),
    ...(chassis !== null && { chassis }),
    ...(standing.isSilent ? {} : dues(standing)),
  }
}

function dues({ holds, fees }: Standing): object {
  return {
    holds: holds.map(({ name, status, description }) => ({
      code: name.toUpperCase(),
      status: status.toUpperCase(),
      note: description,
    })),
    charges: fees.map(({ description, amount, currency }) => ({
      type: description,
      amount: amount.toFixed(2),
      currency,
    })),
  }
}
