/** What a line can tell in each of the languages in which it sends, of what is promised of a line: docs/attributes.md measures it. */

import type { Ability } from './source.ts'

export type Tells = Ability['tells']

/** Nothing for a language that no line sends in. */
export function toldBy(language: string): Tells {
  return Object.hasOwn(byLanguage, language) ? (byLanguage[language] ?? nothing) : nothing
}

/** What one of them tells, all of them tell. */
export function together(all: readonly Tells[]): Tells {
  return {
    weight: all.some(({ weight }) => weight),
    sealNumber: all.some(({ sealNumber }) => sealNumber),
    equipmentType: all.some(({ equipmentType }) => equipmentType),
    departuresAndArrivals: all.some(({ departuresAndArrivals }) => departuresAndArrivals),
    timeOfDay: all.some(({ timeOfDay }) => timeOfDay),
  }
}

const nothing: Tells = {
  weight: false,
  sealNumber: false,
  equipmentType: false,
  departuresAndArrivals: false,
  timeOfDay: false,
}
const moves: Tells = { ...nothing, equipmentType: true, departuresAndArrivals: true, timeOfDay: true }

const byLanguage: Readonly<Record<string, Tells>> = {
  dcsa: { ...moves, sealNumber: true },
  // It names the days of arrival that are expected, and no move that has been.
  arrival_notice: { ...nothing, weight: true, sealNumber: true, equipmentType: true },
  x12: { ...moves, sealNumber: true },
  edifact: moves,
  statements: { ...moves, weight: true, sealNumber: true },
}
