/** The ways in which a relation is followed: by an id of the reading, by several, or by reference data. */

import type { Caller } from '../callers/caller.ts'
import type { Reading } from './resource-kinds.ts'

/** The related readings by the id of the reading, in order. A reading without an entry has none. */
export type RelatedReadings = ReadonlyMap<string, readonly Reading[]>
export type Finder<From extends Reading> = (
  caller: Caller,
  from: readonly From[],
) => Promise<RelatedReadings> | RelatedReadings
/** For reference data: it needs no query and returns no promise. */
export function makeLookupFinder<From extends Reading>(find: (reading: From) => Reading | null): Finder<From> {
  return (_caller, from) => {
    const found = new Map<string, readonly Reading[]>()
    for (const reading of from) {
      const related = find(reading)
      if (related !== null) found.set(reading.id, [related])
    }
    return found
  }
}

type LoadReadings = (caller: Caller, ids: readonly string[]) => Promise<readonly Reading[]>

export function makeFinderById<From extends Reading>(
  idOf: (reading: From) => string | null,
  load: LoadReadings,
): Finder<From> {
  return async (caller, from) => {
    const ids = new Set(from.map(idOf).filter((id) => id !== null))
    const loaded = ids.size === 0 ? [] : await load(caller, [...ids])
    const related = new Map(loaded.map((reading) => [reading.id, reading]))
    return new Map(
      from.map((reading) => [reading.id, [related.get(idOf(reading) ?? '')].filter((each) => each !== undefined)]),
    )
  }
}

/** The same for a relation to many, in the order of the ids. */
export function makeFinderByIds<From extends Reading>(
  idsOf: (reading: From) => readonly string[],
  load: LoadReadings,
): Finder<From> {
  return async (caller, from) => {
    const ids = [...new Set(from.flatMap(idsOf))]
    const loaded = ids.length === 0 ? [] : await load(caller, ids)
    const related = new Map(loaded.map((reading) => [reading.id, reading]))
    return new Map(from.map((reading) => [reading.id, idsOf(reading).flatMap((id) => related.get(id) ?? [])]))
  }
}
