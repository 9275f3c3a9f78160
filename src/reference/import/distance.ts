/** The distance between a known place and a listed point. */

import { distanceNm, type GeoPoint } from '../../domain/geography/great-circle.ts'

/** Kilometres; null when the place has no coordinates. */
export function distanceKm(
  place: { readonly latitude: number | null; readonly longitude: number | null },
  point: GeoPoint,
): number | null {
  const { latitude, longitude } = place
  return latitude === null || longitude === null ? null : distanceNm({ latitude, longitude }, point) * 1.852
}
