/**
 * How long a ship took from a point to a port on its earlier voyages. This has in it what its present speed does not
 * show: the calls on the way, the usual stay there, canals, and the usual wait for a berth.
 */

import { distanceNm, type GeoPoint } from '../geography/great-circle.ts'
import { liesWithin, type PortArea, type VesselFix } from './vessel-arrival.ts'

const hourMs = 3_600_000
/** A ship that passed nearer than this was at the same point. */
const samePointNmMax = 60

/** Hours from the point to the port, one for each earlier voyage that passed it, oldest first. */
export function hoursOnEarlierVoyages(
  fixes: readonly VesselFix[],
  of: { readonly here: GeoPoint; readonly port: PortArea },
): readonly number[] {
  const hours: number[] = []
  let nearest: { readonly atMs: number; readonly apartNm: number } | null = null
  let wasThere = true
  for (const fix of fixes) {
    const isThere = liesWithin(fix, of.port)
    if (isThere && !wasThere && nearest !== null) {
      hours.push((Date.parse(fix.heardAt) - nearest.atMs) / hourMs)
    }
    if (isThere) nearest = null
    wasThere = isThere
    const apartNm = distanceNm(fix, of.here)
    if (isThere || apartNm > samePointNmMax) continue
    const atMs = Date.parse(fix.heardAt)
    // On the way out the ship passed here too: the last passage before the port counts, and its nearest point.
    if (nearest === null || apartNm <= nearest.apartNm || atMs - nearest.atMs > 24 * hourMs) nearest = { atMs, apartNm }
  }
  return hours
}
