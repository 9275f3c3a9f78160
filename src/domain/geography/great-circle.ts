/** Lengths and directions on the globe: a sphere of the mean radius, which is within half a percent of the Earth. */

/** Degrees: latitude from -90 to 90, longitude from -180 to 180. */
export interface GeoPoint {
  readonly latitude: number
  readonly longitude: number
}

/** IUGG mean radius, 6,371.0088 km, in nautical miles of 1,852 m. */
export const earthRadiusNm = 6_371.0088 / 1.852

const radians = Math.PI / 180

/** Along the great circle (haversine), in nautical miles. */
export function distanceNm(a: GeoPoint, b: GeoPoint): number {
  const [from, to] = [a.latitude * radians, b.latitude * radians]
  const alongNorth = Math.sin((to - from) / 2)
  const alongEast = Math.sin(((b.longitude - a.longitude) * radians) / 2)
  const chord = alongNorth ** 2 + Math.cos(from) * Math.cos(to) * alongEast ** 2
  return 2 * earthRadiusNm * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/** The point at this part (0 to 1) of the great circle from `a` to `b`. For two antipodes it is `a`. */
export function pointBetween(a: GeoPoint, b: GeoPoint, fraction: number): GeoPoint {
  const angle = distanceNm(a, b) / earthRadiusNm
  const sine = Math.sin(angle)
  if (sine < 1e-12) return a
  const [ofA, ofB] = [Math.sin((1 - fraction) * angle) / sine, Math.sin(fraction * angle) / sine]
  const [u, v] = [vectorOf(a), vectorOf(b)]
  const [x, y, z] = [ofA * u[0] + ofB * v[0], ofA * u[1] + ofB * v[1], ofA * u[2] + ofB * v[2]]
  return {
    latitude: Math.atan2(z, Math.hypot(x, y)) / radians,
    longitude: Math.atan2(y, x) / radians,
  }
}

/** The course on which the great circle leaves the first point: degrees from north, 0 to 360. */
export function bearingDegrees(a: GeoPoint, b: GeoPoint): number {
  const [from, to] = [a.latitude * radians, b.latitude * radians]
  const east = (b.longitude - a.longitude) * radians
  const y = Math.sin(east) * Math.cos(to)
  const x = Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(east)
  return (Math.atan2(y, x) / radians + 360) % 360
}

/** The point as a vector on the unit sphere. */
export function vectorOf({ latitude, longitude }: GeoPoint): readonly [x: number, y: number, z: number] {
  const onPlane = Math.cos(latitude * radians)
  return [
    onPlane * Math.cos(longitude * radians),
    onPlane * Math.sin(longitude * radians),
    Math.sin(latitude * radians),
  ]
}
