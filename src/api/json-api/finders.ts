/** How to follow each relation. `all-resources.ts` has the complete list and gives it when the program starts. */

import type { Finder } from './find-related.ts'
import type { Reading } from './resource-kinds.ts'

type Finders = Readonly<Record<string, Readonly<Record<string, unknown>>>>
let finders: Finders = {}

export function registerFinders(all: Finders): void {
  finders = all
}

/** Null when readings of this type have no such relation. */
export function findFinder(type: string, relation: string): Finder<Reading> | null {
  return (finders[type]?.[relation] as Finder<Reading> | undefined) ?? null
}
