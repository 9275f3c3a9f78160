/** The legs of a container's way that a ship carries it, each with the way by sea and where the ship is on it. */

import type { GeoPoint } from '../../core/great-circle.ts'
import type { ObservedVessel } from '../../core/observation.ts'
import { nearestOnLine, partOfLine, pointAlong, type RouteLine } from '../../core/route-line.ts'
import { type EventTime, instantOf } from '../../core/time.ts'
import type { Place } from '../../reference/places.ts'
import { findSeaRoute } from '../../reference/sea-routes/sea-route.ts'
import type { RouteStop } from './container-itinerary.ts'

/** A stop that can be put on a map. */
export interface PlacedStop extends RouteStop {
  readonly at: Place
  readonly point: GeoPoint
}

export interface SeaLeg {
  readonly from: PlacedStop
  readonly to: PlacedStop
  readonly line: RouteLine
  readonly state: 'ahead' | 'under_way' | 'sailed'
  readonly vessel: ObservedVessel | null
  readonly voyage: string | null
  /** ISO instants, null when nobody said. */
  readonly etd: string | null
  readonly atd: string | null
  readonly eta: string | null
  readonly ata: string | null
}

/** A barge may go up a river that the sea network does not have: both its ports must lie at the network. */
const bargeOffNetworkNmMax = 25

export function placeStop(stop: RouteStop): PlacedStop | null {
  const { at } = stop
  if (at === null || at.latitude === null || at.longitude === null) return null
  return { ...stop, at, point: { latitude: at.latitude, longitude: at.longitude } }
}

/** A leg with an end that nobody can put on the map, or without a way by sea, is left out. */
export function readSeaLegs(stops: readonly RouteStop[]): readonly SeaLeg[] {
  return stops.flatMap((stop, index) => {
    const next = stops[index + 1]
    const [from, to] = [placeStop(stop), next === undefined ? null : placeStop(next)]
    return from === null || to === null ? [] : (readSeaLeg(from, to) ?? [])
  })
}

function readSeaLeg(from: PlacedStop, to: PlacedStop): SeaLeg | null {
  const mode = to.inbound?.mode ?? from.outbound?.mode
  if (mode !== 'VESSEL' && mode !== 'BARGE') return null
  const route = findSeaRoute({ from: from.point, to: to.point })
  if (route.kind !== 'route' || route.line.points.length < 2) return null
  if (mode === 'BARGE' && route.offNm > bargeOffNetworkNmMax) return null
  const vessel = from.outbound?.vessel ?? to.inbound?.vessel ?? null
  return {
    from,
    to,
    line: route.line,
    state: to.isReached ? 'sailed' : from.isLeft ? 'under_way' : 'ahead',
    vessel,
    voyage: from.outbound?.voyage ?? to.inbound?.voyage ?? null,
    etd: at(from.outbound?.estimatedAt, from.at),
    atd: at(from.outbound?.actualAt, from.at),
    eta: at(to.inbound?.estimatedAt, to.at),
    ata: at(to.inbound?.actualAt, to.at),
  }
}

function at(time: EventTime | null | undefined, place: Place): string | null {
  return time === null || time === undefined ? null : instantOf(time, place.timeZone).at
}

/** Where the ship surely was and when: at the quay when it left, or where it was heard. */
export interface Known {
  readonly point: GeoPoint
  readonly at: string
}

/** What is left of the leg from where the ship was last known, and when it is expected to be done. */
export interface Course {
  readonly line: RouteLine
  readonly startAt: string
  readonly endAt: string
}

/** A ship this near to the way between the ports follows it; else it is led on from where it is. */
const onTheWayNm = 30

/** Null when nobody says when the ship is to arrive, or when it should have before it was last known. */
export function courseFrom(leg: Pick<SeaLeg, 'line' | 'to' | 'eta'>, known: Known): Course | null {
  if (leg.eta === null || Date.parse(leg.eta) <= Date.parse(known.at)) return null
  const line = lineFrom(leg, known.point)
  return line === null ? null : { line, startAt: known.at, endAt: leg.eta }
}

/** The way that is left from a point to the leg's port. */
export function lineFrom(leg: Pick<SeaLeg, 'line' | 'to'>, point: GeoPoint): RouteLine | null {
  const { alongNm, offNm } = nearestOnLine(leg.line, point)
  if (offNm <= onTheWayNm) return partOfLine(leg.line, { fromNm: alongNm, toNm: leg.line.lengthNm })
  const route = findSeaRoute({ from: point, to: leg.to.point })
  return route.kind === 'route' ? route.line : null
}

export interface EstimatedPosition extends GeoPoint {
  /** Degrees from north along the way. */
  readonly heading: number | null
  readonly timestamp: string
}

/** Evenly along the course; what lies beyond its end is its end, at its time. */
export function positionOn(course: Course, at: string): EstimatedPosition {
  const [start, end] = [Date.parse(course.startAt), Date.parse(course.endAt)]
  const time = Math.min(Math.max(Date.parse(at), start), end)
  const { bearing, ...point } = pointAlong(
    course.line,
    (course.line.lengthNm * (time - start)) / (end - start),
  )
  return { ...point, heading: bearing, timestamp: new Date(time).toISOString() }
}
