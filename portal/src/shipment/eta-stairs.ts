/**
 * The curve of expected arrivals as stairs: what somebody said stands until the same speaker says something else of the
 * same ship. Boxes of one shipment may be on several ships, so each ship has stairs of its own.
 */

import type { ShipmentEta } from '../../../sdk/typescript/src/description.generated.ts'

type Eta = ShipmentEta['attributes']

export interface Stair {
  readonly isOurs: boolean
  /** Name or IMO number of the ship; null where the shipment has one ship only, or nobody named it. */
  readonly ship: string | null
  /** In seconds, one for each of the times; null before the first statement and after the last that is withdrawn. */
  readonly values: readonly (number | null)[]
}

export interface Stairs {
  /** Seconds since 1970, when something was said, in order. */
  readonly times: readonly number[]
  readonly stairs: readonly Stair[]
}

interface Told {
  readonly at: number
  readonly eta: number
  readonly isOurs: boolean
  readonly ship: string
  readonly stands: boolean
}

const unnamed = ''

export function stairsOf(etas: readonly Eta[], nowS: number): Stairs {
  const shipOf = shipsOf(etas)
  const told = etas
    .flatMap((eta): readonly Told[] => {
      const { heard_at: heard, eta_at: arrives, said_by: by, current = false } = eta
      if (heard === undefined || arrives === undefined) return []
      const [at, seconds] = [Date.parse(heard) / 1_000, Date.parse(arrives) / 1_000]
      return [{ at, eta: seconds, isOurs: by === 'landfall', ship: shipOf(eta), stands: current }]
    })
    .sort((a, b) => a.at - b.at)
  const lastAt = Math.max(...told.map(({ at }) => at), Math.min(nowS, Math.max(...told.map(({ eta }) => eta))))
  const times = [...new Set([...told.map(({ at }) => at), lastAt])].sort((a, b) => a - b)
  const ships = [...new Set(told.map(({ ship }) => ship))]
  const stairs = ships.flatMap((ship) =>
    [false, true].map((isOurs) => {
      const own = told.filter((each) => each.isOurs === isOurs && each.ship === ship)
      return { isOurs, ship: ships.length > 1 && ship !== unnamed ? ship : null, values: stairOf(own, times) }
    }),
  )
  return { times, stairs: stairs.filter(({ values }) => values.some((value) => value !== null)) }
}

function stairOf(told: readonly Told[], times: readonly number[]): readonly (number | null)[] {
  const last = told.at(-1)
  let value: number | null = null
  return times.map((time) => {
    const now = told.filter(({ at }) => at === time).at(-1)
    value = now?.eta ?? value
    return last === undefined || (time > last.at && !last.stands) ? null : value
  })
}

/** The same ship may be named by its IMO number, its name or both. */
function shipsOf(etas: readonly Eta[]): (eta: Eta) => string {
  const names = new Map(
    etas.flatMap(({ vessel_imo: imo, vessel_name: name }) => (imo && name ? [[imo, name] as const] : [])),
  )
  const named = ({ vessel_imo: imo, vessel_name: name }: Eta): string =>
    name ?? (imo ? (names.get(imo) ?? imo) : unnamed)
  const ships = new Set(etas.map(named).filter((ship) => ship !== unnamed))
  const [only = unnamed] = ships
  return (eta) => {
    const ship = named(eta)
    return ship === unnamed && ships.size === 1 ? only : ship
  }
}
