/**
 * The parts of a container's route that can be drawn on a map: its places, where its ships were and are, and what lies
 * ahead.
 */

import type { GeoPoint } from '../../domain/geography/great-circle.ts'
import { makeRouteLine, type RouteLine } from '../../domain/geography/route-line.ts'
import type { Fix } from '../../pipeline/positions/fixes-sql.ts'
import { nameShip, vesselId } from '../../reference/vessels.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import { journeyNow, type Service } from '../service.ts'
import { readContainerItinerary } from './container-itinerary.ts'
import { readContainerJourney } from './container-journeys-sql.ts'
import {
  courseFrom,
  followShip,
  joinBySea,
  lineFrom,
  type PlacedStop,
  placeStop,
  positionOn,
  readSeaLegs,
  type SeaLeg,
} from './sea-legs.ts'

export interface MapVessel {
  readonly id: string
  readonly imo: string
  readonly name: string
}

export type MapFeature =
  | { readonly kind: 'port'; readonly stop: PlacedStop; readonly total: number; readonly updatedAt: string }
  | {
      readonly kind: 'current_vessel'
      readonly leg: SeaLeg
      readonly vessel: MapVessel
      readonly point: GeoPoint
      readonly timestamp: string
      readonly heading: number | null
      readonly speedKnots: number | null
      /** True when the position is computed along the way and was not received by radio. */
      readonly isEstimated: boolean
    }
  | {
      readonly kind: 'past_locations'
      readonly leg: SeaLeg
      readonly vessel: MapVessel
      readonly line: RouteLine
      readonly startAt: string
      readonly endAt: string
      /** Number of points where the position of the ship was received or known. */
      readonly pointCount: number
    }
  | { readonly kind: 'full_leg'; readonly leg: SeaLeg; readonly line: RouteLine }
  | { readonly kind: 'partial_leg'; readonly leg: SeaLeg; readonly line: RouteLine }

/** A fix up to this age shows where the ship is. An older one shows only where it was. */
const freshMs = 6 * 3_600_000

/** Empty when nothing of the way can be put on a map. */
export async function getContainerMap(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<readonly MapFeature[]> {
  requireScope(context, 'read')
  const row = await readContainerJourney(service.pool, { accountId: context.account.id, id: input.id })
  if (row === null) throw notFound('container')
  const stops = await readContainerItinerary(service, context, row)
  const now = journeyNow(service, context.account.isSandbox)
  const ports = stops.flatMap((stop): readonly MapFeature[] => {
    const placed = placeStop(stop)
    return placed === null ? [] : [{ kind: 'port', stop: placed, total: stops.length, updatedAt: row.updatedAt }]
  })
  const legs: MapFeature[] = []
  for (const leg of readSeaLegs(stops)) legs.push(...(await drawLeg(service, context, { leg, now })))
  return [...ports, ...legs]
}

async function drawLeg(
  service: Service,
  context: Context,
  { leg: planned, now }: { readonly leg: SeaLeg; readonly now: string },
): Promise<readonly MapFeature[]> {
  if (planned.state === 'ahead') return [{ kind: 'full_leg', leg: planned, line: planned.line }]
  const { leg, fixes } = await followShip(service, context, planned)
  const vessel = vesselOf(leg)
  const past = vessel === null ? null : drawPastWay(leg, vessel, fixes)
  const behind: MapFeature = past ?? { kind: 'full_leg', leg, line: leg.line }
  if (leg.state === 'sailed') return [behind]
  return [behind, ...drawRemainingWay({ leg, vessel, lastFix: fixes.at(-1) ?? null, now })]
}

function vesselOf({ vessel }: SeaLeg): MapVessel | null {
  const imo = vessel?.imo ?? null
  const id = imo === null ? null : vesselId(imo)
  if (imo === null || id === null) return null
  return { id, imo, name: nameShip(imo, vessel?.name ?? null).name ?? `IMO ${imo}` }
}

/**
 * The line through the port that the ship left, its received positions, and the port that it reached. Null when no
 * position of the ship was received, or when its departure is not known.
 */
function drawPastWay(leg: SeaLeg, vessel: MapVessel, fixes: readonly Fix[]): MapFeature | null {
  const lastFix = fixes.at(-1)
  if (leg.atd === null || lastFix === undefined) return null
  const hasArrived = leg.state === 'sailed' && leg.ata !== null
  const known: readonly GeoPoint[] = [leg.from.point, ...fixes, ...(hasArrived ? [leg.to.point] : [])]
  return {
    kind: 'past_locations',
    leg,
    vessel,
    line: joinKnownPoints(leg, known),
    startAt: leg.atd,
    endAt: hasArrived && leg.ata !== null ? leg.ata : lastFix.heardAt,
    pointCount: known.length,
  }
}

/**
 * Fixes are minutes or hours apart. Two that are further apart than this are joined by the way by sea, because a
 * straight line could cross land.
 */
const gapNm = 60

function joinKnownPoints(leg: SeaLeg, known: readonly GeoPoint[]): RouteLine {
  const bare = known.map(({ latitude, longitude }) => ({ latitude, longitude }))
  const points = bare.flatMap((point, index) => {
    const before = bare[index - 1]
    if (before === undefined || makeRouteLine([before, point]).lengthNm <= gapNm) return [point]
    return joinBySea(leg, { from: before, to: point })?.points.slice(1) ?? [point]
  })
  return makeRouteLine(points)
}

interface SailingLeg {
  readonly leg: SeaLeg
  readonly vessel: MapVessel | null
  readonly lastFix: Fix | null
  readonly now: string
}

/** The ship, at its recently received position or else at its computed position, and the rest of its way. */
function drawRemainingWay({ leg, vessel, lastFix, now }: SailingLeg): readonly MapFeature[] {
  if (vessel === null) return []
  const isFresh = lastFix !== null && Date.parse(now) - Date.parse(lastFix.heardAt) <= freshMs
  const known =
    lastFix !== null
      ? { point: { latitude: lastFix.latitude, longitude: lastFix.longitude }, at: lastFix.heardAt }
      : leg.atd === null
        ? null
        : { point: leg.from.point, at: leg.atd }
  if (known === null) return []
  const course = isFresh ? null : courseFrom(leg, known)
  if (course === null && lastFix === null) return []
  const position = course === null ? null : positionOn(course, now)
  const point = position === null ? known.point : { latitude: position.latitude, longitude: position.longitude }
  const line = lineFrom(leg, point)
  const ship: MapFeature = {
    kind: 'current_vessel',
    leg,
    vessel,
    point,
    timestamp: position?.timestamp ?? known.at,
    heading: position === null ? (lastFix?.courseDegrees ?? null) : position.heading,
    speedKnots: position === null ? (lastFix?.speedKnots ?? null) : null,
    isEstimated: position !== null,
  }
  const lineFeatures: readonly MapFeature[] =
    line === null || line.points.length < 2 ? [] : [{ kind: 'partial_leg', leg, line }]
  return [ship, ...lineFeatures]
}
