/**
 * Where a ship is now, from where it was last heard and what is said of its voyage: heard by radio not long ago, or
 * reckoned along the way by sea to the next port.
 */

import type { GeoPoint } from '../../../core/geography/great-circle.ts'
import { findShipWay } from '../../../reference/sea-routes/ship-way.ts'
import type { Fix } from '../../../store/knowing/vessel-positions.ts'
import { courseFrom, positionOn } from './sea-legs.ts'

export interface Voyage {
  /** The port that it left, and when; null when nobody said. */
  readonly left: { readonly point: GeoPoint; readonly at: string } | null
  readonly next: { readonly point: GeoPoint; readonly eta: string | null } | null
  /** Null when it was not heard since it left. */
  readonly lastFix: Fix | null
}

export interface ShipPosition {
  /** `port`: nothing is known but the port that it left. */
  readonly kind: 'heard' | 'reckoned' | 'port'
  readonly point: GeoPoint
  /** ISO instant. */
  readonly at: string
  readonly heading: number | null
  readonly speedKnots: number | null
}

/** A fix up to this age shows where the ship is, as on the map of a container. */
const freshMs = 6 * 3_600_000

export function isFresh({ heardAt }: Fix, now: string): boolean {
  return Date.parse(now) - Date.parse(heardAt) <= freshMs
}

/** The position without reckoning; null when nothing is known. */
export function lastKnown({ left, lastFix }: Voyage): ShipPosition | null {
  if (lastFix !== null) {
    const { latitude, longitude, heardAt, courseDegrees, speedKnots } = lastFix
    return { kind: 'heard', point: { latitude, longitude }, at: heardAt, heading: courseDegrees, speedKnots }
  }
  return left === null ? null : { kind: 'port', ...left, heading: null, speedKnots: null }
}

/** Null when the end of the voyage is not known, or no way by sea leads there. Costs some milliseconds the first time. */
export function reckonShip({ left, next, lastFix }: Voyage, now: string): ShipPosition | null {
  const known =
    lastFix === null
      ? left
      : { point: { latitude: lastFix.latitude, longitude: lastFix.longitude }, at: lastFix.heardAt }
  if (known === null || next === null || next.eta === null) return null
  const hours = left === null ? null : (Date.parse(next.eta) - Date.parse(left.at)) / 3_600_000
  const heard = lastFix === null ? [] : [known.point]
  const way = findShipWay({ from: left?.point ?? known.point, to: next.point }, { heard, hours })
  if (!('route' in way)) return null
  const course = courseFrom({ way, line: way.route.line, to: next, eta: next.eta }, known)
  if (course === null) return null
  const { latitude, longitude, heading, timestamp } = positionOn(course, now)
  return { kind: 'reckoned', point: { latitude, longitude }, at: timestamp, heading, speedKnots: null }
}
