/** What comes unasked, by the name of its language. Profiles are checked by their own `parseProfile`, once each. */

import type { ToldSource } from './told.ts'

/** Null for a name that is none of ours. */
export function findToldSource(name: string): ToldSource<unknown> | null {
  return Object.hasOwn(toldSources, name) ? (toldSources[name] ?? null) : null
}

const toldSources: Readonly<Record<string, ToldSource<unknown>>> = {}

export const toldSourceNames: readonly string[] = Object.keys(toldSources)

/** The source for callers that hold profiles as stored. Throws a sentence for a stored profile that is none. */
export function checked<Profile>(source: ToldSource<Profile>): ToldSource<unknown> {
  const checks = new WeakMap<object, Profile>()
  const profileOf = (value: unknown): Profile => {
    const known = typeof value === 'object' && value !== null ? checks.get(value) : undefined
    if (known !== undefined) return known
    const parsed = source.parseProfile(value)
    if (!parsed.ok) throw new Error(`the profile of ${source.name} is none: ${parsed.reason}`)
    if (typeof value === 'object' && value !== null) checks.set(value, parsed.value)
    return parsed.value
  }
  return {
    name: source.name,
    version: source.version,
    parseProfile: (value) => source.parseProfile(value),
    partsOf: (body, value) => source.partsOf(body, profileOf(value)),
    read: (snapshot, of, value) => source.read(snapshot, of, profileOf(value)),
  }
}
