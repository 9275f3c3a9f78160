/**
 * The legs of a container's route on which a ship carries it. Each has the way by sea that the ship takes, as far as
 * its positions and dates show, and how far the leg has come.
 */

import type { GeoPoint } from '../../domain/geography/great-circle.ts'
import {
  makeRouteLine,
  nearestOnLine,
  pointAlong,
  type RouteLine,
  sliceLine,
} from '../../domain/geography/route-line.ts'
import type { ObservedVessel } from '../../domain/statements/observation.ts'
import { type EventTime, instantOf } from '../../domain/values/time.ts'
import type { Fix } from '../../pipeline/positions/fixes-sql.ts'
import type { Place } from '../../reference/places.ts'
import { findSeaRoute } from '../../reference/sea-routes/sea-route.ts'
import { findShipWay, type ShipWay } from '../../reference/sea-routes/ship-way.ts'
import type { Context } from '../access/context.ts'
import { journeyNow, type Service } from '../service.ts'
import { readVesselPositions } from '../vessels/vessel-positions-sql.ts'
import type { RouteStop } from './container-itinerary.ts'

/** A stop that can be put on a map. */
export interface PlacedStop extends RouteStop {
  readonly at: Place
  readonly point: GeoPoint
}

export interface SeaLeg {
  readonly from: PlacedStop
  readonly to: PlacedStop
  readonly way: ShipWay
  /** The line of the way. */
  readonly line: RouteLine
  readonly state: 'ahead' | 'under_way' | 'sailed'
  readonly vessel: ObservedVessel | null
  readonly voyage: string | null
  /** ISO instants, null when no source stated them. */
  readonly etd: string | null
  readonly atd: string | null
  readonly eta: string | null
  readonly ata: string | null
}

/** A barge may go up a river that the sea network does not have, so both its ports must be this near to the network. */
const bargeOffNetworkNmMax = 25

export function placeStop(stop: RouteStop): PlacedStop | null {
  const { at: instantAt } = stop
  if (instantAt === null || instantAt.latitude === null || instantAt.longitude === null) return null
  return { ...stop, at: instantAt, point: { latitude: instantAt.latitude, longitude: instantAt.longitude } }
}

/** Leaves out a leg with an end that cannot be put on the map, or without a way by sea. */
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
  const times = {
    etd: instantAtPlace(from.outbound?.estimatedAt, from.at),
    atd: instantAtPlace(from.outbound?.actualAt, from.at),
    eta: instantAtPlace(to.inbound?.estimatedAt, to.at),
    ata: instantAtPlace(to.inbound?.actualAt, to.at),
  }
  const way = findWayOfLeg({ from, to, ...times }, [])
  if (way === null || way.route.line.points.length < 2) return null
  if (mode === 'BARGE' && way.route.offNm > bargeOffNetworkNmMax) return null
  return {
    from,
    to,
    way,
    line: way.route.line,
    state: to.isReached ? 'sailed' : from.hasDeparted ? 'under_way' : 'ahead',
    vessel: from.outbound?.vessel ?? to.inbound?.vessel ?? null,
    voyage: from.outbound?.voyage ?? to.inbound?.voyage ?? null,
    ...times,
  }
}

type Leg = Pick<SeaLeg, 'from' | 'to' | 'etd' | 'atd' | 'eta' | 'ata'>

function findWayOfLeg({ from, to, ...times }: Leg, knownPoints: readonly GeoPoint[]): ShipWay | null {
  const [departedAt, came] = [times.atd ?? times.etd, times.ata ?? times.eta]
  const hours = departedAt === null || came === null ? null : (Date.parse(came) - Date.parse(departedAt)) / 3_600_000
  const way = findShipWay({ from: from.point, to: to.point }, { positions: knownPoints, hours })
  return 'route' in way ? way : null
}

/** Maximum fixes of one leg: enough for a fix every hour for twelve weeks. */
const fixesMax = 2_000

/**
 * Returns the received positions of the ship on a leg, oldest first, and the leg with the way that these fixes show.
 */
export async function followShip(
  service: Service,
  context: Context,
  leg: SeaLeg,
): Promise<{ readonly leg: SeaLeg; readonly fixes: readonly Fix[] }> {
  const fixes = await fixesOf(service, context, leg)
  const way = fixes.length === 0 ? null : findWayOfLeg(leg, fixes)
  return { leg: way === null ? leg : { ...leg, way, line: way.route.line }, fixes }
}

/** The same where the caller gives the position of the ship. */
export function followGivenPosition(leg: SeaLeg, point: GeoPoint): SeaLeg {
  const way = findWayOfLeg(leg, [point])
  return way === null ? leg : { ...leg, way, line: way.route.line }
}

/**
 * Reads the fixes from when the ship left until it arrived. Without the departure, fixes of this voyage cannot be
 * separated from those of the last one.
 */
async function fixesOf(service: Service, { account: { isSandbox } }: Context, leg: SeaLeg): Promise<readonly Fix[]> {
  const imo = leg.vessel?.imo ?? null
  const to = leg.state === 'sailed' ? leg.ata : journeyNow(service, isSandbox)
  if (leg.state === 'ahead' || imo === null || leg.atd === null || to === null || to < leg.atd) return []
  return readVesselPositions(service.pool, { isSandbox, imo, from: leg.atd, to, limit: fixesMax })
}

function instantAtPlace(time: EventTime | null | undefined, place: Place): string | null {
  return time === null || time === undefined ? null : instantOf(time, place.timeZone).at
}

/** A time and place where the ship certainly was: in port when it left, or at a received position. */
export interface KnownPosition {
  readonly point: GeoPoint
  readonly at: string
}

/** The rest of the leg from where the ship was last known to be, and when it is expected to end. */
export interface Course {
  readonly line: RouteLine
  readonly startAt: string
  readonly endAt: string
}

/** A ship this near to the way between the ports follows that way. Otherwise a new way leads on from where it is. */
const onTheWayNm = 30

/** What of a leg is needed to lead on from a point. */
export interface LegAhead extends Pick<SeaLeg, 'way' | 'line' | 'eta'> {
  readonly to: { readonly point: GeoPoint }
}

/** Null when no source states when the ship will arrive, or when that time is before the ship's last known position. */
export function courseFrom(leg: LegAhead, known: KnownPosition): Course | null {
  if (leg.eta === null || Date.parse(leg.eta) <= Date.parse(known.at)) return null
  const line = lineFrom(leg, known.point)
  return line === null ? null : { line, startAt: known.at, endAt: leg.eta }
}

/** The rest of the way from a point to the port at the end of the leg. */
export function lineFrom(leg: Pick<LegAhead, 'way' | 'line' | 'to'>, point: GeoPoint): RouteLine | null {
  const { alongNm, offNm } = nearestOnLine(leg.line, point)
  if (offNm <= onTheWayNm) return sliceLine(leg.line, { fromNm: alongNm, toNm: leg.line.lengthNm })
  return joinBySea(leg, { from: point, to: leg.to.point })
}

/**
 * A line by sea between two points of a leg: along the leg's way where both are near it, so that small deviations do not
 * lead to the network and back; else through the canals and round the capes of that way. Null where no way leads.
 */
export function joinBySea(
  { way, line }: Pick<SeaLeg, 'way' | 'line'>,
  ends: { readonly from: GeoPoint; readonly to: GeoPoint },
): RouteLine | null {
  const [startPoint, came] = [nearestOnLine(line, ends.from), nearestOnLine(line, ends.to)]
  if (startPoint.offNm <= onTheWayNm && came.offNm <= onTheWayNm && startPoint.alongNm < came.alongNm) {
    // Corners of the way that a ship beside it has passed already, or not yet, would lead it back.
    const [fromNm, toNm] = [startPoint.alongNm + startPoint.offNm, came.alongNm - came.offNm]
    const corners = fromNm < toNm ? sliceLine(line, { fromNm, toNm }).points.slice(1, -1) : []
    return makeRouteLine([ends.from, ...corners, ends.to])
  }
  const route = findSeaRoute({ ...ends, avoid: way.avoid })
  return route.kind === 'route' ? route.line : null
}

export interface EstimatedPosition extends GeoPoint {
  /** Degrees from north along the way. */
  readonly heading: number | null
  readonly timestamp: string
}

/**
 * The position moves evenly along the course. For a time after the end of the course it is the end, with the time of
 * the end.
 */
export function positionOn(course: Course, instantAt: string): EstimatedPosition {
  const [start, end] = [Date.parse(course.startAt), Date.parse(course.endAt)]
  const time = Math.min(Math.max(Date.parse(instantAt), start), end)
  const { bearing, ...point } = pointAlong(course.line, (course.line.lengthNm * (time - start)) / (end - start))
  return { ...point, heading: bearing, timestamp: new Date(time).toISOString() }
}
