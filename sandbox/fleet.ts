/**
 * The ships that matter: those that carry shipments that somebody asked a line about. They report their positions by
 * AIS. Each time a limited number of ships report, in turn.
 */
import { HOUR, MINUTE } from './local-time.ts'
import type { Vessel } from './places.ts'
import type { Shipment } from './shipment.ts'
import { inPort, type Passage, underWay, type Whereabouts } from './way.ts'

export interface Report extends Whereabouts {
  readonly vessel: Vessel
  readonly mmsi: string
  /** In sandbox time. */
  readonly at: number
  /** True when the report is sent together with the ship's static data. */
  readonly isIntroduced: boolean
}

interface Ship {
  readonly vessel: Vessel
  /** Key: the departure. */
  readonly passages: Map<number, Passage>
  lastSaid: number
  said: number
}

const SHIPS_MAX = 400
const PORT_STAY = 20 * HOUR
const INTRODUCED_EVERY = 20
/** The shortest pause between two reports of one ship, in sandbox time. It matters when sandbox time runs slowly. */
const QUIET = MINUTE

export class Fleet {
  private readonly ships = new Map<string, Ship>()

  /** Called when somebody asks for this shipment: from then on its ships report. */
  watch(shipment: Shipment): void {
    const calls = new Map<string, { arrival: number | null; departure: number | null; place: string; vessel: Vessel }>()
    for (const { at, code, call } of shipment.facts) {
      if (call.vessel === null || (code !== 'ARRI' && code !== 'DEPA')) continue
      const known = calls.get(call.id) ?? {
        arrival: null,
        departure: null,
        place: call.place,
        vessel: call.vessel,
      }
      calls.set(call.id, code === 'ARRI' ? { ...known, arrival: at } : { ...known, departure: at })
    }
    const stops = [...calls.values()].sort((a, b) => (a.arrival ?? a.departure ?? 0) - (b.arrival ?? b.departure ?? 0))
    for (const [n, stop] of stops.entries()) {
      const next = stops.slice(n + 1).find((other) => other.vessel.imo === stop.vessel.imo)
      if (stop.departure === null || next === undefined || next.arrival === null) continue
      this.launch(stop.vessel).passages.set(stop.departure, {
        from: stop.place,
        to: next.place,
        departure: stop.departure,
        arrival: next.arrival,
      })
    }
  }

  private launch(vessel: Vessel): Ship {
    const known = this.ships.get(vessel.imo)
    this.ships.delete(vessel.imo)
    const ship = known ?? { vessel, passages: new Map(), lastSaid: Number.NEGATIVE_INFINITY, said: 0 }
    this.ships.set(vessel.imo, ship)
    const oldest = this.ships.keys().next().value
    if (this.ships.size > SHIPS_MAX && oldest !== undefined) this.ships.delete(oldest)
    return ship
  }

  /** The reports at this moment, at most `most`: from the ships that have been silent for longest. */
  speak(now: number, most: number): readonly Report[] {
    const due = [...this.ships.values()].filter((ship) => now - ship.lastSaid >= QUIET)
    due.sort((a, b) => a.lastSaid - b.lastSaid)
    const reports: Report[] = []
    for (const ship of due) {
      if (reports.length >= most) break
      const where = whereIs(ship, now)
      ship.lastSaid = now
      if (where === null) continue
      const isIntroduced = ship.said % INTRODUCED_EVERY === 0
      ship.said += 1
      reports.push({ ...where, vessel: ship.vessel, mmsi: mmsiOf(ship.vessel), at: now, isIntroduced })
    }
    return reports
  }
}

/** Null when the position is unknown: before the ship's first passage, or long after its last one. */
function whereIs({ vessel, passages }: Ship, now: number): Whereabouts | null {
  for (const passage of passages.values()) {
    if (passage.arrival + PORT_STAY < now) passages.delete(passage.departure)
  }
  const all = [...passages.values()].sort((a, b) => a.departure - b.departure)
  const current = all.find(({ departure, arrival }) => departure <= now && now < arrival)
  if (current !== undefined) return underWay(`${vessel.imo}|${current.departure}`, current, now)
  const arrived = all.findLast(({ arrival }) => arrival <= now)
  if (arrived !== undefined) return inPort(arrived.to)
  const waiting = all.find(({ departure }) => departure > now && departure - PORT_STAY <= now)
  return waiting === undefined ? null : inPort(waiting.from)
}

/** No country has the prefixes 298 and 299, so no real radio has such a number. */
export function mmsiOf(vessel: Vessel): string {
  return `29${vessel.imo}`
}
