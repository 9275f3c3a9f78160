/**
 * Which of the promised data a line can give, for each language in which it sends messages. docs/attributes.md measures
 * it.
 */

import type { Ability } from './source.ts'

export type ProvidedData = Ability['provides']

/** All false for a language in which no line sends. */
export function findProvidedData(language: string): ProvidedData {
  return Object.hasOwn(byLanguage, language) ? (byLanguage[language] ?? nothing) : nothing
}

/** Combines abilities: true where at least one of them is true. */
export function mergeProvidedData(all: readonly ProvidedData[]): ProvidedData {
  return {
    weight: all.some(({ weight }) => weight),
    sealNumber: all.some(({ sealNumber }) => sealNumber),
    equipmentType: all.some(({ equipmentType }) => equipmentType),
    departuresAndArrivals: all.some(({ departuresAndArrivals }) => departuresAndArrivals),
    timeOfDay: all.some(({ timeOfDay }) => timeOfDay),
  }
}

const nothing: ProvidedData = {
  weight: false,
  sealNumber: false,
  equipmentType: false,
  departuresAndArrivals: false,
  timeOfDay: false,
}
const moves: ProvidedData = { ...nothing, equipmentType: true, departuresAndArrivals: true, timeOfDay: true }

const byLanguage: Readonly<Record<string, ProvidedData>> = {
  dcsa: { ...moves, sealNumber: true },
  // An arrival notice names expected days of arrival, and no past move.
  arrival_notice: { ...nothing, weight: true, sealNumber: true, equipmentType: true },
  x12: { ...moves, sealNumber: true },
  edifact: moves,
  statements: { ...moves, weight: true, sealNumber: true },
}
