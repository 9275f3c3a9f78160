/**
 * Which way a ship sails when there are several between two ports: by a canal, or round the cape that the canal avoids.
 * The ship's positions decide, or else the duration of the leg. When neither decides, the shortest way that such a ship
 * can sail is chosen. The reason is part of the result.
 */

import { distanceNm, type GeoPoint } from '../../domain/geography/great-circle.ts'
import { nearestOnLine, type RouteLine } from '../../domain/geography/route-line.ts'
import type { SeaPassage } from './passages.ts'
import { type FoundRoute, findSeaRoute, type SeaRoute } from './sea-route.ts'

/**
 * `ship_size`: on an ocean leg the ship sails round Skagen, because ships of ocean services are too large for the Kiel
 * Canal.
 */
export const wayReasons = ['positions', 'dates', 'ship_size', 'shortest'] as const
export type WayReason = (typeof wayReasons)[number]

/** What is known about the ship on this leg. */
export interface WayEvidence {
  /** Positions of the ship after it left the first port. */
  readonly positions: readonly GeoPoint[]
  /**
   * Hours from leaving the first port until reaching the second, actual or planned, with the calls between. Null when
   * unknown.
   */
  readonly hours: number | null
}

export interface ShipWay {
  readonly route: FoundRoute
  /** The passages that the rest of the way avoids too, wherever the ship is now. */
  readonly avoid: readonly SeaPassage[]
  readonly reason: WayReason
}

/** Each of these canals saves a long way round, and container services really sail both alternatives. */
const canals: readonly SeaPassage[] = ['suez', 'panama', 'kiel']

/**
 * The Kiel Canal admits ships of at most 235 m by 32.5 m; at that size with a draught of at most 7 m. No list that we
 * have contains the sizes of ships. Feeders can pass, and Le Havre to Saint Petersburg is 1,300 nautical miles. A
 * longer leg without a change of ship is sailed by a ship of an ocean service.
 */
const feederNmMax = 1_500

/**
 * Bounds of the mean speed over a leg, with its calls. From Shanghai to Rotterdam by Suez in 35 days, with five to ten
 * calls, is 12.6 knots; no service reaches 18. When two ways both fit, the dates decide nothing.
 */
const legKnots = { min: 11, max: 17.5 } as const
/** On a shorter leg one additional call changes the mean speed more than the choice of the way does. */
const datedNmMin = 1_500
/**
 * Without evidence the result is the shortest way that such a ship can sail. When `findSeaRoute` finds no route, its
 * answer is returned.
 */
export function findShipWay(
  ends: { readonly from: GeoPoint; readonly to: GeoPoint },
  evidence: WayEvidence,
): ShipWay | Exclude<SeaRoute, FoundRoute> {
  const shortest = findSeaRoute(ends)
  if (shortest.kind !== 'route') return shortest
  const ways = waysBetween(ends, shortest)
  const isOcean = shortest.line.lengthNm > feederNmMax
  // The first way is chosen unless there is evidence against it.
  const ranked = isOcean ? ways.toSorted((a, b) => Number(usesKiel(a)) - Number(usesKiel(b))) : ways
  const usual = ranked[0] ?? { route: shortest, avoid: [] }
  const reason = usual.route === shortest ? 'shortest' : 'ship_size'
  if (ranked.length < 2) return { ...usual, reason }
  const open = notContradicted(ranked, evidence.positions)
  const [first = usual] = open
  if (open.length < ranked.length && open.every((way) => oceanWay(way) === oceanWay(first)))
    return { ...first, reason: 'positions' }
  const dated = findFitting(open, evidence.hours)
  return dated === null ? { ...first, reason } : { ...dated, reason: 'dates' }
}

interface Way {
  readonly route: FoundRoute
  readonly avoid: readonly SeaPassage[]
}

const usesKiel = ({ route }: Way): boolean => route.passages.includes('kiel')

/** For the dates, two ways by the same canal or cape count as one, also when they use different straits. */
const oceanWay = ({ route }: Way): string =>
  (['suez', 'panama', 'south_africa', 'chili'] as const).filter((each) => route.passages.includes(each)).join()

/**
 * The shortest way, and for each canal on a way the shortest way without that canal. Sorted by length, the shortest
 * first.
 */
function waysBetween(ends: { readonly from: GeoPoint; readonly to: GeoPoint }, shortest: FoundRoute): readonly Way[] {
  const ways: Way[] = [{ route: shortest, avoid: [] }]
  for (const { route, avoid } of ways) {
    for (const passage of choicesOn(route)) {
      const without = [...avoid, passage].toSorted()
      const other = findSeaRoute({ ...ends, avoid: without })
      if (other.kind !== 'route' || ways.some((way) => isSame(way.route, other))) continue
      ways.push({ route: other, avoid: without })
    }
  }
  return ways
    .filter(({ route }) => route === shortest || isServed(ends, route))
    .toSorted((a, b) => a.route.line.lengthNm - b.route.line.lengthNm)
}

/**
 * The passages whose avoidance gives another way. Ships from Asia round the Cape may pass Sunda or Malacca. Both ways
 * are needed, or a ship with a position on one of them would seem to have left the other for Suez.
 */
function choicesOn({ passages }: FoundRoute): readonly SeaPassage[] {
  const isRoundTheCape = passages.includes('south_africa')
  return passages.filter((passage) => canals.includes(passage) || (isRoundTheCape && passage === 'sunda'))
}

const isSame = (a: FoundRoute, b: FoundRoute): boolean =>
  a.passages.join() === b.passages.join() && Math.abs(a.line.lengthNm - b.line.lengthNm) < 1

/**
 * No service between Asia and Europe uses Panama instead of Suez: a way through Panama needs one end in the Americas.
 */
function isServed(ends: { readonly from: GeoPoint; readonly to: GeoPoint }, { passages }: FoundRoute): boolean {
  const isAmerican = ({ longitude }: GeoPoint): boolean => longitude > -170 && longitude < -30
  return !passages.includes('panama') || isAmerican(ends.from) || isAmerican(ends.to)
}

/** Maximum number of positions that are compared. */
const positionsMax = 24

/** Leaves out a way when the ship's positions lie far from it and near another way. */
function notContradicted(ways: readonly Way[], positions: readonly GeoPoint[]): readonly Way[] {
  if (positions.length === 0) return ways
  const step = Math.max(1, positions.length / positionsMax)
  const sampled = Array.from(
    { length: Math.min(positions.length, positionsMax) },
    (_, index) => positions[positions.length - 1 - Math.floor(index * step)],
  ).flatMap((point) => point ?? [])
  const offs = ways.map(({ route }) => Math.max(...sampled.map((point) => measureDistanceOffLine(route.line, point))))
  const least = Math.min(...offs)
  const shortestNm = Math.min(...ways.map(({ route }) => route.line.lengthNm))
  // The lanes of the network may lie this far from real tracks: up to hundreds of miles on an ocean, some miles off
  // Jutland.
  const tolerated = Math.max(30, shortestNm * 0.03)
  return ways.filter((_, index) => (offs[index] ?? 0) <= Math.max(tolerated, 2 * least))
}

function measureDistanceOffLine(line: RouteLine, point: GeoPoint): number {
  const ends = [line.points[0], line.points.at(-1)].flatMap((end) => end ?? [])
  // Near the ports all ways are the same.
  return ends.some((end) => distanceNm(end, point) < 15) ? 0 : nearestOnLine(line, point).offNm
}

/** The way that the ship can have sailed in that time; null when the dates do not decide. */
function findFitting(ways: readonly Way[], hours: number | null): Way | null {
  const [usual] = ways
  if (hours === null || hours <= 0 || usual === undefined) return null
  if (Math.min(...ways.map(({ route }) => route.line.lengthNm)) < datedNmMin) return null
  const isPossible = ({ route }: Way): boolean => {
    const knots = route.line.lengthNm / hours
    return knots >= legKnots.min && knots <= legKnots.max
  }
  const others = ways.filter((way) => oceanWay(way) !== oceanWay(usual))
  const other = others.find(isPossible)
  if (isPossible(usual)) return other === undefined && others.length > 0 ? usual : null
  return other ?? null
}
