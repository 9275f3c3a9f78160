/** A box's trip by rail: which railway carries it, what happens where, and when it is expected at its destination. */
import { between, fraction, pick } from './chance.ts'
import { HOUR, MINUTE } from './local-time.ts'
import type { Fact, Shipment } from './shipment.ts'
import type { Move, Said } from './stay.ts'

export interface RailTrip {
  /**
   * The SCAC of the railway that takes the box from the port, and of the railway that delivers it. They may be the
   * same; otherwise they interchange.
   */
  readonly portCarrier: string
  readonly destinationCarrier: string
  readonly from: string
  readonly to: string
  readonly departsAt: number
  readonly etas: readonly Said<number>[]
  /** Each move with the railway that makes it. */
  readonly moves: readonly (Move & { readonly carrier: string })[]
}

/** Which railways serve the ports of the world's lanes. */
const SERVES: Readonly<Record<string, readonly string[]>> = {
  USLAX: ['BNSF', 'UPRR'],
  USLGB: ['BNSF', 'UPRR'],
  USTIW: ['BNSF', 'UPRR'],
  USOAK: ['BNSF', 'UPRR'],
  USSEA: ['BNSF', 'UPRR'],
  USORF: ['CSXT', 'NSRR'],
  USSAV: ['CSXT', 'NSRR'],
  USNYC: ['CSXT', 'NSRR'],
  CAPRR: ['CNRU'],
  CAVAN: ['CNRU', 'CPRS'],
  CAHAL: ['CNRU'],
}

export const RAILWAYS = ['BNSF', 'UPRR', 'CSXT', 'NSRR', 'CNRU', 'CPRS'] as const

/** `after`: what happens to the box once it is discharged. Null for a box that goes by truck. */
export function byRail(shipment: Shipment, box: number, after: readonly Fact[]): RailTrip | null {
  const rail = after.filter(({ call }) => call.mode === 'RAIL')
  const [first, last] = [rail[0], rail.at(-1)]
  const arrival = rail.findLast(({ code }) => code === 'ARRI')
  const departure = rail.find(({ code }) => code === 'DEPA')
  if (first === undefined || last === undefined || arrival === undefined || departure === undefined) return null
  const [from, to] = [first.call.place, last.call.place]
  const key = `${shipment.key}|${from}|${to}`
  const destinationCarrier = carrierIn(last.call.facilityName) ?? pick(`railway|${key}`, SERVES[from] ?? RAILWAYS)
  const serving = SERVES[from] ?? [destinationCarrier]
  const portCarrier = serving.includes(destinationCarrier) ? destinationCarrier : pick(`from port|${key}`, serving)
  // The railways interchange where the train stops on the way, or else halfway, where no source reports it.
  const stop = rail.find(({ code, call }) => code === 'ARRI' && call.place !== to)
  const handover = stop?.at ?? (departure.at + arrival.at) / 2
  const name = `${key}|${box}`
  return {
    portCarrier,
    destinationCarrier,
    from,
    to,
    departsAt: first.at - 12 * HOUR,
    etas: etasOf(name, departure.at, arrival.at),
    moves: rail.map(({ at, code, load, call }) => ({
      at,
      what: code === 'LOAD' || code === 'DISC' ? `${code} ${load} RAIL` : `${code} RAIL`,
      place: call.place,
      carrier: at <= handover ? portCarrier : destinationCarrier,
    })),
  }
}

/** One estimate when the train has left, and a better one when it is near. */
function etasOf(name: string, left: number, arrives: number): readonly Said<number>[] {
  const miss = (hours: number, n: number): number =>
    Math.round((arrives + between(`rail eta|${name}|${n}`, -hours, hours) * HOUR) / (30 * MINUTE)) * 30 * MINUTE
  const middle = left + (arrives - left) * (0.5 + 0.2 * fraction(`rail news|${name}`))
  return [
    { from: left + HOUR, value: miss(9, 1) },
    { from: middle, value: miss(1.5, 2) },
  ].filter(({ from }) => from < arrives)
}

function carrierIn(facilityName: string | null): string | null {
  return RAILWAYS.find((scac) => facilityName?.startsWith(`${scac} `)) ?? null
}
