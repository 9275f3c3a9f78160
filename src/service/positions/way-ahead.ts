/** How far a ship still has to a port, by sea and by way of the ports that it calls at before. */

import type { GeoPoint } from '../../core/great-circle.ts'
import { nearestOnLine } from '../../core/route-line.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { findSeaRoute, searchSeaRoute } from '../../reference/sea-routes/sea-route.ts'

/** Where the ship is, where it took the boxes on board, where it calls before, and where it brings them. */
export interface Passage {
  readonly ship: GeoPoint
  readonly from: string | null
  /** In order. */
  readonly via: readonly string[]
  readonly to: string
}

/** A ship further than this from the way that leads there has gone another way. */
const offWayNmMax = 250

/**
 * What remains by sea: along the way from where the boxes were taken on board, where the ship is on it, else by a way of
 * its own, and on from port to port. Null where a port has no place on the map or no way leads there.
 */
export function distanceToPort({ ship, from, via, to }: Passage): number | null {
  const ports = [...via, to].map(pointOf)
  const [next] = ports
  const first = next === undefined || next === null ? null : distanceToNext(ship, from, next)
  return ports.slice(1).reduce<number | null>((sum, port, index) => {
    const before = ports[index] ?? null
    if (sum === null || port === null || before === null) return null
    const way = findSeaRoute({ from: before, to: port })
    return way.kind === 'route' ? sum + way.line.lengthNm : null
  }, first)
}

function distanceToNext(ship: GeoPoint, from: string | null, port: GeoPoint): number | null {
  const start = from === null ? null : pointOf(from)
  if (start !== null) {
    const way = findSeaRoute({ from: start, to: port })
    const near = way.kind === 'route' ? nearestOnLine(way.line, ship) : null
    if (way.kind === 'route' && near !== null && near.offNm <= offWayNmMax) {
      return way.line.lengthNm - near.alongNm
    }
  }
  const own = searchSeaRoute({ from: ship, to: port }, 0)
  return own.kind === 'route' ? own.line.lengthNm : null
}

function pointOf(unlocode: string): GeoPoint | null {
  const place = findPlaceByCode(unlocode)
  if (place === null || place.latitude === null || place.longitude === null) return null
  return { latitude: place.latitude, longitude: place.longitude }
}
