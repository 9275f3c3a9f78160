/** Towns that share a metropolitan area: a container with Chicago on its bill may leave the train in Elwood. */

/** The UN/LOCODE of the area that the ramps of a town serve; null when no area of the town is known. */
export type AreaOf = (unlocode: string) => string | null

/** `a` and `b` are keys of places. A place without a code is near to nothing but itself. */
export function isNear(a: string, b: string, areaOf: AreaOf): boolean {
  return a === b || (areaOf(a) ?? a) === (areaOf(b) ?? b)
}
