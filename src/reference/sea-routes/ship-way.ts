/**
 * Which of the ways between two ports a ship sails: by a canal or round the cape that it cuts off. Where it was heard
 * says so, else the time that it takes; where neither tells, it is the shortest way, and that is said with it.
 */

import { distanceNm, type GeoPoint } from '../../core/geography/great-circle.ts'
import { nearestOnLine, type RouteLine } from '../../core/geography/route-line.ts'
import type { SeaPassage } from './passages.ts'
import { type FoundRoute, findSeaRoute, type SeaRoute } from './sea-route.ts'

/** `ship_size`: an ocean leg goes round Skagen, for ships that sail those are too large for the Kiel Canal. */
export const wayReasons = ['positions', 'dates', 'ship_size', 'shortest'] as const
export type WayReason = (typeof wayReasons)[number]

/** What is known of the ship on this leg. */
export interface WayEvidence {
  /** Where it was heard after it left. */
  readonly heard: readonly GeoPoint[]
  /** From leaving the first port to coming to the second, told or planned, calls between included; null when unknown. */
  readonly hours: number | null
}

export interface ShipWay {
  readonly route: FoundRoute
  /** What the rest of the way, from wherever the ship is, avoids as well. */
  readonly avoid: readonly SeaPassage[]
  readonly reason: WayReason
}

/** Each cuts off a long way round, and has its alternative among services of container ships. */
const canals: readonly SeaPassage[] = ['suez', 'panama', 'kiel']

/**
 * The Kiel Canal takes ships of 235 m by 32.5 m at most, at that size with a draught of 7 m. No list that we have knows
 * the size of ships. Feeders pass, and from Le Havre to Saint Petersburg it is 1,300 nautical miles; what comes from
 * farther without a change of ship is a ship of an ocean service.
 */
const feederNmMax = 1_500

/**
 * Means over a leg with its calls: from Shanghai to Rotterdam 35 days by Suez with five to ten calls is 12.6 knots, and
 * no service makes 18. Of two ways that both fit nothing is learnt.
 */
const legKnots = { min: 11, max: 17.5 } as const
/** On a short leg one call more changes the mean speed more than the other way does. */
const datedNmMin = 1_500
/** Without evidence the shortest that such a ship can sail. What `findSeaRoute` cannot answer is answered as it does. */
export function findShipWay(
  ends: { readonly from: GeoPoint; readonly to: GeoPoint },
  evidence: WayEvidence,
): ShipWay | Exclude<SeaRoute, FoundRoute> {
  const shortest = findSeaRoute(ends)
  if (shortest.kind !== 'route') return shortest
  const ways = waysBetween(ends, shortest)
  const isOcean = shortest.line.lengthNm > feederNmMax
  // Sorted by what is taken unless something speaks against it.
  const ranked = isOcean ? ways.toSorted((a, b) => Number(usesKiel(a)) - Number(usesKiel(b))) : ways
  const usual = ranked[0] ?? { route: shortest, avoid: [] }
  const reason = usual.route === shortest ? 'shortest' : 'ship_size'
  if (ranked.length < 2) return { ...usual, reason }
  const open = notContradicted(ranked, evidence.heard)
  const [first = usual] = open
  if (open.length < ranked.length && open.every((way) => oceanWay(way) === oceanWay(first)))
    return { ...first, reason: 'positions' }
  const dated = fitting(open, evidence.hours)
  return dated === null ? { ...first, reason } : { ...dated, reason: 'dates' }
}

interface Way {
  readonly route: FoundRoute
  readonly avoid: readonly SeaPassage[]
}

const usesKiel = ({ route }: Way): boolean => route.passages.includes('kiel')

/** Ways by the same canal or cape are one way to the dates, whichever strait they take besides. */
const oceanWay = ({ route }: Way): string =>
  (['suez', 'panama', 'south_africa', 'chili'] as const)
    .filter((each) => route.passages.includes(each))
    .join()

/** The shortest way and, for each canal that a way leads through, the shortest without it; the shorter first. */
function waysBetween(
  ends: { readonly from: GeoPoint; readonly to: GeoPoint },
  shortest: FoundRoute,
): readonly Way[] {
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

/** Round the Cape ships from Asia go by Sunda or by Malacca: who was heard on the one has not left the other for Suez. */
function choicesOn({ passages }: FoundRoute): readonly SeaPassage[] {
  const isRoundTheCape = passages.includes('south_africa')
  return passages.filter((passage) => canals.includes(passage) || (isRoundTheCape && passage === 'sunda'))
}

const isSame = (a: FoundRoute, b: FoundRoute): boolean =>
  a.passages.join() === b.passages.join() && Math.abs(a.line.lengthNm - b.line.lengthNm) < 1

/** Between Asia and Europe nobody goes by Panama instead of Suez: one end has to lie in the Americas. */
function isServed(
  ends: { readonly from: GeoPoint; readonly to: GeoPoint },
  { passages }: FoundRoute,
): boolean {
  const isAmerican = ({ longitude }: GeoPoint): boolean => longitude > -170 && longitude < -30
  return !passages.includes('panama') || isAmerican(ends.from) || isAmerican(ends.to)
}

/** So many of the places where it was heard are looked at. */
const heardMax = 24

/** Ways from which the ship was heard far off while it was near another are out. */
function notContradicted(ways: readonly Way[], heard: readonly GeoPoint[]): readonly Way[] {
  if (heard.length === 0) return ways
  const step = Math.max(1, heard.length / heardMax)
  const looked = Array.from(
    { length: Math.min(heard.length, heardMax) },
    (_, index) => heard[heard.length - 1 - Math.floor(index * step)],
  ).flatMap((point) => point ?? [])
  const offs = ways.map(({ route }) => Math.max(...looked.map((point) => offLine(route.line, point))))
  const least = Math.min(...offs)
  const shortestNm = Math.min(...ways.map(({ route }) => route.line.lengthNm))
  // Lanes of the network lie so far from where ships really go: on an ocean hundreds of miles, off Jutland some.
  const tolerated = Math.max(30, shortestNm * 0.03)
  return ways.filter((_, index) => (offs[index] ?? 0) <= Math.max(tolerated, 2 * least))
}

function offLine(line: RouteLine, point: GeoPoint): number {
  const ends = [line.points[0], line.points.at(-1)].flatMap((end) => end ?? [])
  // In and about the ports all ways are one.
  return ends.some((end) => distanceNm(end, point) < 15) ? 0 : nearestOnLine(line, point).offNm
}

/** The way that the ship can have sailed in that time; null where the dates choose none. */
function fitting(ways: readonly Way[], hours: number | null): Way | null {
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
