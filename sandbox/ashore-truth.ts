/** What `/sandbox/journeys/<number>` shows of a box at its terminal, on trains and at its ramp: the present state. */
import { ashoreOf } from './ashore.ts'
import type { RailTrip } from './rail-trip.ts'
import type { Shipment } from './shipment.ts'
import { type Stay, standingAt } from './stay.ts'

export function ashoreSoFar(shipment: Shipment, box: number, now: number): object {
  const ashore = ashoreOf(shipment, box)
  return {
    at_port: ashore === null ? null : stayed(ashore.port, now),
    rail: ashore?.rail == null || now < ashore.rail.departsAt ? null : railed(ashore.rail, now),
    at_ramp: ashore?.ramp == null ? null : stayed(ashore.ramp, now),
    line_last_free_day: ashore === null || now < ashore.lineLastFreeDay.from ? null : ashore.lineLastFreeDay.value,
  }
}

/** Null as long as the facility does not know the box. */
function stayed(stay: Stay, now: number): object | null {
  const standing = standingAt(stay, now)
  if (standing === null) return null
  const isWaiting = now >= stay.landedAt && (stay.leavesAt === null || now < stay.leavesAt)
  return {
    place: stay.place,
    terminal: stay.terminal,
    name: stay.name,
    is_waiting: isWaiting,
    available: standing.available,
    holds: standing.holds,
    fees: standing.fees,
    last_free_day: standing.lastFreeDay,
    yard_location: standing.yardLocation,
    appointment_at: iso(standing.appointmentAt),
    chassis: standing.chassis,
    pickup_number: standing.pickupNumber,
  }
}

function railed({ portCarrier, destinationCarrier, to, etas, moves }: RailTrip, now: number): object {
  const past = moves.filter(({ at }) => at <= now)
  return {
    port_carrier: portCarrier,
    destination_carrier: destinationCarrier,
    to,
    eta: iso(etas.findLast(({ from }) => from <= now)?.value ?? null),
    moves: past.map(({ at, what, place, carrier }) => ({ at: iso(at), what, place, carrier })),
  }
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
