/**
 * The languages of messages of partners, by name. Each source checks its profiles with its own `parseProfile`, every
 * profile once.
 */

import type { Result } from '../core/values/result.ts'
import { openArrivalNoticeSource } from './arrival-notice/arrival-notice.ts'
import { checkOnce } from './checked-profile.ts'
import { openPushedDcsaSource } from './dcsa/pushed.ts'
import { documentsLanguage, openDocumentsSource } from './documents/said/documents.ts'
import { edifactSource } from './edifact/edifact.ts'
import { openFacilitySource } from './facility/facility.ts'
import { openStatementsSource } from './statements/statements.ts'
import type { Asking, ToldSource } from './told.ts'
import { openX12Source } from './x12/x12.ts'

/** Null for an unknown name. */
export function findToldSource(name: string): ToldSource<unknown> | null {
  return toldSources.get(name) ?? null
}

/** Wraps a source for callers that hold profiles as stored. Throws for a stored profile that is invalid. */
function told<Profile>(source: ToldSource<Profile>): ToldSource<unknown> {
  const { parseProfile, profileOf } = checked(source, source.name)
  return {
    name: source.name,
    version: source.version,
    parseProfile,
    partsOf: (body, value) => source.partsOf(body, profileOf(value)),
    ...(source.scopeOf !== undefined && { scopeOf: source.scopeOf }),
    ...(source.standsOf !== undefined && {
      standsOf: (value) => source.standsOf?.(profileOf(value)) ?? null,
    }),
    ...(source.asking !== undefined && { asking: asked(source.asking, source.name) }),
    read: (snapshot, of, value) => source.read(snapshot, of, profileOf(value)),
  }
}

/** Wraps how the source is asked, for the same callers. */
function asked<Profile>(asking: Asking<Profile>, name: string): Asking<unknown> {
  const { parseProfile, profileOf } = checked(asking, `questions in ${name}`)
  return {
    rules: asking.rules,
    rulesOf: (value) => asking.rulesOf?.(profileOf(value)) ?? asking.rules,
    parseProfile,
    secretNames: (value) => asking.secretNames(profileOf(value)),
    asksBy: (value) => asking.asksBy(profileOf(value)),
    batchMax: (value) => asking.batchMax(profileOf(value)),
    limitsOf: (value) => asking.limitsOf(profileOf(value)),
    fetch: (numbers, { profile, secrets }, context) =>
      asking.fetch(numbers, { profile: profileOf(profile), secrets }, context),
    settle: async (messages, { profile, secrets }, context) =>
      asking.settle?.(messages, { profile: profileOf(profile), secrets }, context),
  }
}

function checked<Profile>(
  of: { parseProfile(value: unknown): Result<Profile, string> },
  name: string,
): {
  readonly parseProfile: (value: unknown) => Result<Profile, string>
  readonly profileOf: (value: unknown) => Profile
} {
  const parseProfile = checkOnce(of)
  return {
    parseProfile,
    profileOf: (value) => {
      const parsed = parseProfile(value)
      if (!parsed.ok) throw new Error(`the profile of ${name} is not valid: ${parsed.reason}`)
      return parsed.value
    },
  }
}

const toldSources: ReadonlyMap<string, ToldSource<unknown>> = new Map(
  [
    told(openPushedDcsaSource()),
    told(openArrivalNoticeSource()),
    told(openX12Source()),
    told(edifactSource),
    told(openStatementsSource()),
    told(openDocumentsSource()),
    told(openFacilitySource()),
  ].map((source) => [source.name, source]),
)

/** The languages that others may send. Only this program sends statements of documents. */
export const toldSourceNames: readonly string[] = [...toldSources.keys()].filter(
  (name) => name !== documentsLanguage,
)
