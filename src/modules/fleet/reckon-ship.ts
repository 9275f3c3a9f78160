/**
 * Where a ship is now, from its last received position and the statements of its voyage: received by radio not long
 * ago, or computed along the way by sea to the next port.
 */

import type { GeoPoint } from '../../domain/geography/great-circle.ts'
import type { Fix } from '../../pipeline/positions/fixes-sql.ts'
import { findShipWay } from '../../reference/sea-routes/ship-way.ts'
import { courseFrom, positionOn } from '../routes/sea-legs.ts'

export interface Voyage {
  /** The port that it left, and when; null when no source stated it. */
  readonly departure: { readonly point: GeoPoint; readonly at: string } | null
  readonly next: { readonly point: GeoPoint; readonly eta: string | null } | null
  /** Null when no position was received since it left. */
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

export function isFresh({ heardAt: receivedAt }: Fix, now: string): boolean {
  return Date.parse(now) - Date.parse(receivedAt) <= freshMs
}

/** The position without reckoning; null when nothing is known. */
export function lastKnownPosition({ departure, lastFix }: Voyage): ShipPosition | null {
  if (lastFix !== null) {
    const { latitude, longitude, heardAt: receivedAt, courseDegrees, speedKnots } = lastFix
    return {
      kind: 'heard',
      point: { latitude, longitude },
      at: receivedAt,
      heading: courseDegrees,
      speedKnots,
    }
  }
  return departure === null ? null : { kind: 'port', ...departure, heading: null, speedKnots: null }
}

/** Null when the end of the voyage is not known, or no way by sea leads there. Costs some milliseconds the first time. */
export function computeShipPosition({ departure, next, lastFix }: Voyage, now: string): ShipPosition | null {
  const known =
    lastFix === null
      ? departure
      : { point: { latitude: lastFix.latitude, longitude: lastFix.longitude }, at: lastFix.heardAt }
  if (known === null || next === null || next.eta === null) return null
  const hours = departure === null ? null : (Date.parse(next.eta) - Date.parse(departure.at)) / 3_600_000
  const knownPoints = lastFix === null ? [] : [known.point]
  const way = findShipWay({ from: departure?.point ?? known.point, to: next.point }, { positions: knownPoints, hours })
  if (!('route' in way)) return null
  const course = courseFrom({ way, line: way.route.line, to: next, eta: next.eta }, known)
  if (course === null) return null
  const { latitude, longitude, heading, timestamp } = positionOn(course, now)
  return { kind: 'reckoned', point: { latitude, longitude }, at: timestamp, heading, speedKnots: null }
}
