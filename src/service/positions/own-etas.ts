/** Estimates when ships will reach the ports where shipments wait for them, each time that there is news of the ship. */

import type { GeoPoint } from '../../core/great-circle.ts'
import { estimateArrival, type OwnEta } from '../../core/own-eta.ts'
import { nearestOnLine } from '../../core/route-line.ts'
import { addMs } from '../../core/time.ts'
import { etaErrors } from '../../reference/eta-errors.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { findSeaRoute, searchSeaRoute } from '../../reference/sea-routes/sea-route.ts'
import { readVesselPositions } from '../../store/read/vessel-positions.ts'
import { writeOwnEtas } from '../../store/shipment-etas.ts'
import type { Fix } from '../../store/vessel-positions.ts'
import { type AwaitedShipment, shipmentsAboard } from '../../store/vessels-aboard.ts'
import { journeyNow, type Service } from '../service.ts'

/** Between two estimates for one shipment; a ship's speed changes more slowly than that. */
const hoursBetweenEtas = 6
const fixesMax = 2_000
const speedOverMs = 10 * 86_400_000

/** Returns for how many shipments something was written. */
export async function noteOwnEtas(
  service: Service,
  of: { readonly isFiction: boolean; readonly fixes: readonly Fix[] },
): Promise<number> {
  const fixes = new Map(of.fixes.map((fix) => [fix.imo, fix]))
  if (fixes.size === 0) return 0
  const awaited = await shipmentsAboard(service.pool, { isFiction: of.isFiction, imos: [...fixes.keys()] })
  let written = 0
  for (const waiting of Map.groupBy(
    awaited,
    ({ imo, unlocode, takenAt }) => `${imo} ${takenAt} ${unlocode}`,
  ).values()) {
    const [first] = waiting
    const fix = first === undefined ? undefined : fixes.get(first.imo)
    if (first === undefined || fix === undefined) continue
    const eta = await estimate(service, of.isFiction, fix, first)
    if (eta === null) continue
    const madeAt = journeyNow(service, of.isFiction)
    const about = { unlocode: first.unlocode, vesselImo: first.imo, madeAt, shipments: waiting }
    written += await writeOwnEtas(service.pool, { ...eta, ...about }, hoursBetweenEtas)
  }
  return written
}

async function estimate(
  service: Service,
  isFiction: boolean,
  last: Fix,
  { imo, unlocode, takenAt }: AwaitedShipment,
): Promise<OwnEta | null> {
  const ship = { latitude: last.latitude, longitude: last.longitude }
  const remainingNm = distanceToPort({ ship, from: takenAt, to: unlocode })
  if (remainingNm === null) return null
  const fixes = await readVesselPositions(service.pool, {
    isFiction,
    imo,
    from: addMs(last.heardAt, -speedOverMs),
    to: last.heardAt,
    limit: fixesMax,
  })
  return estimateArrival({ fixes, remainingNm, errors: etaErrors() })
}

/** Where the ship is, where it took the boxes on board, and where it brings them. */
interface Passage {
  readonly ship: GeoPoint
  readonly from: string | null
  readonly to: string
}

/** A ship further than this from the way that leads there has gone another way. */
const offWayNmMax = 250

/**
 * What remains by sea: along the way from where the boxes were taken on board, where the ship is on it, else by a way of
 * its own. Null where a port has no place on the map or no way leads there.
 */
export function distanceToPort({ ship, from, to }: Passage): number | null {
  const port = pointOf(to)
  const start = from === null ? null : pointOf(from)
  if (port === null) return null
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
