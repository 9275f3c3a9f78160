/** How far a ship still has to go to a port, by sea and through the ports at which it calls before. */

import type { GeoPoint } from '../../domain/geography/great-circle.ts'
import { nearestOnLine } from '../../domain/geography/route-line.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { searchSeaRoute } from '../../reference/sea-routes/sea-route.ts'
import { findShipWay, type WayEvidence } from '../../reference/sea-routes/ship-way.ts'

/** Where the ship is, where it loaded the containers, where it calls before, and where it brings them. */
export interface SeaPassage {
  readonly ship: GeoPoint
  readonly from: string | null
  /** In the order in which the ship calls there. */
  readonly via: readonly string[]
  readonly to: string
  /** What is known of the ship since it loaded the containers, as far as it shows which way the ship takes. */
  readonly evidence?: WayEvidence
}

/** A ship that is further than this from the way to the port has taken another way. */
const offWayNmMax = 250

/**
 * The distance by sea that remains. While the ship is on the way from where the containers were loaded, it is measured
 * along that way, else along a way from where the ship is; then on from port to port. Null when a port has no place on
 * the map or no way leads there.
 */
export function distanceToPort({ ship, from, via, to, evidence }: SeaPassage): number | null {
  const wayEvidence = { positions: [...(evidence?.positions ?? []), ship], hours: evidence?.hours ?? null }
  const ports = [...via, to].map(pointOf)
  const [next] = ports
  const first =
    next === undefined || next === null ? null : computeDistanceToNextCall({ ship, from, port: next }, wayEvidence)
  return ports.slice(1).reduce<number | null>((sum, port, index) => {
    const before = ports[index] ?? null
    if (sum === null || port === null || before === null) return null
    const way = findShipWay({ from: before, to: port }, { positions: [], hours: null })
    return 'route' in way ? sum + way.route.line.lengthNm : null
  }, first)
}

interface NextCallQuery {
  readonly ship: GeoPoint
  readonly from: string | null
  readonly port: GeoPoint
}

function computeDistanceToNextCall({ ship, from, port }: NextCallQuery, wayEvidence: WayEvidence): number | null {
  const start = from === null ? null : pointOf(from)
  const way = start === null ? null : findShipWay({ from: start, to: port }, wayEvidence)
  if (way !== null && 'route' in way) {
    const near = nearestOnLine(way.route.line, ship)
    if (near.offNm <= offWayNmMax) return way.route.line.lengthNm - near.alongNm
  }
  const avoid = way !== null && 'route' in way ? way.avoid : []
  const directRoute = searchSeaRoute({ from: ship, to: port, avoid })
  return directRoute.kind === 'route' ? directRoute.line.lengthNm : null
}

function pointOf(unlocode: string): GeoPoint | null {
  const place = findPlaceByCode(unlocode)
  if (place === null || place.latitude === null || place.longitude === null) return null
  return { latitude: place.latitude, longitude: place.longitude }
}
