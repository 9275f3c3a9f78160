/** The ports, terminals, rail ramps and ships of the simulated world. `data/SOURCE.json` names their sources. */
import { readFileSync } from 'node:fs'
import { fraction, pick } from './chance.ts'
import type { Chain } from './lanes.ts'
import { LANES } from './lanes.ts'

export interface Place {
  readonly name: string
  readonly zone: string
  /** Latitude and longitude. */
  readonly at: readonly [number, number]
  /** SMDG code and name. */
  readonly terminals?: readonly (readonly [string, string])[]
  /** Railroad (SCAC) and name of the ramp. */
  readonly ramps?: readonly (readonly [string, string])[]
}

export interface Vessel {
  readonly imo: string
  readonly name: string
}

const places = readJson<Record<string, Place>>('places.json')
const ships = readJson<Record<string, readonly (readonly [string, string])[]>>('vessels.json')

export function getPlace(code: string): Place {
  const place = places[code]
  if (place === undefined) throw new Error(`the sandbox has no place ${code}`)
  return place
}

export function placeCodes(): readonly string[] {
  return Object.keys(places)
}

export function terminalsOf(code: string): readonly (readonly [string, string])[] {
  return getPlace(code).terminals ?? []
}

export function rampsOf(code: string): readonly (readonly [string, string])[] {
  return getPlace(code).ramps ?? []
}

/** The terminal that a line uses in a port, always the same one. */
export function terminalOf(code: string, line: string): readonly [string, string] | null {
  const { terminals } = getPlace(code)
  return terminals === undefined ? null : pick(`terminal|${code}|${line}`, terminals)
}

export function rampOf(code: string, shipment: string): readonly [string, string] | null {
  const { ramps } = getPlace(code)
  return ramps === undefined ? null : pick(`ramp|${code}|${shipment}`, ramps)
}

const fleets = new Map<string, readonly Vessel[]>()
const standIns = new Map<string, Vessel>()
launchFleets()

/** The ship of one sailing. Each service has its own ships, and enough of them that no ship is in two places. */
export function vesselOf(chain: Chain, sailing: number): Vessel | null {
  const fleet = fleets.get(chain.key) ?? []
  const start = Math.floor(fraction(`fleet|${chain.key}`) * 97)
  return fleet[(sailing + start) % Math.max(1, fleet.length)] ?? null
}

/** The ship that takes another's place on this service. */
export function standInOf(chain: Chain): Vessel | null {
  return standIns.get(chain.key) ?? null
}

function launchFleets(): void {
  const taken = new Set<string>()
  const take = (brands: readonly string[], turn: number): Vessel | null => {
    for (const brand of [...brands.slice(turn % brands.length), ...brands]) {
      const ship = ships[brand]?.find(([imo]) => !taken.has(imo))
      if (ship === undefined) continue
      taken.add(ship[0])
      return { imo: ship[0], name: ship[1] }
    }
    return null
  }
  const anyBrand = Object.keys(ships)
  for (const lane of LANES) {
    for (const chain of lane.chains) {
      if (chain.mode === 'B' || chain.mode === 'R' || fleets.has(chain.key)) continue
      const brands = chain.mode === 'F' ? ['FEEDER'] : lane.lines
      const days = chain.days.reduce((sum, leg) => sum + leg, 0)
      const wanted = Math.ceil((days * 2 + 14) / (chain.mode === 'F' ? 3.5 : 7))
      const fleet: Vessel[] = []
      for (let turn = 0; fleet.length < wanted; turn++) {
        const ship = take(brands, turn) ?? take(['CHARTER', 'FEEDER', 'MSCU', 'MAEU', 'CMDU'], 0) ?? take(anyBrand, 0)
        if (ship === null) break
        fleet.push(ship)
      }
      fleets.set(chain.key, fleet)
    }
  }
  for (const key of fleets.keys()) {
    const ship = take(anyBrand, 0)
    if (ship !== null) standIns.set(key, ship)
  }
}

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`data/${name}`, import.meta.url), 'utf8')) as T
}
