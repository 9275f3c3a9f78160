/** The languages in which something comes unasked, by name. Profiles are checked by their own `parseProfile`, once each. */

import { openArrivalNoticeSource } from './arrival-notice/arrival-notice.ts'
import { openPushedDcsaSource } from './dcsa/pushed.ts'
import { edifactSource } from './edifact/edifact.ts'
import { openStatementsSource } from './statements/statements.ts'
import type { ToldSource } from './told.ts'
import { openX12Source } from './x12/x12.ts'

/** Null for a name that is none of ours. */
export function findToldSource(name: string): ToldSource<unknown> | null {
  return toldSources.get(name) ?? null
}

/** The source for callers that hold profiles as stored. Throws a sentence for a stored profile that is none. */
function checked<Profile>(source: ToldSource<Profile>): ToldSource<unknown> {
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
    ...(source.scopeOf !== undefined && { scopeOf: source.scopeOf }),
    read: (snapshot, of, value) => source.read(snapshot, of, profileOf(value)),
  }
}

const toldSources: ReadonlyMap<string, ToldSource<unknown>> = new Map(
  [
    checked(openPushedDcsaSource()),
    checked(openArrivalNoticeSource()),
    checked(openX12Source()),
    checked(edifactSource),
    checked(openStatementsSource()),
  ].map((source) => [source.name, source]),
)

export const toldSourceNames: readonly string[] = [...toldSources.keys()]
