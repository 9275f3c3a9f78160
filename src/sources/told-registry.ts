/**
 * The languages of messages of partners, by name. A reader is loaded when its language is first needed. Each source
 * checks its profiles with its own `parseProfile`, every profile once.
 */

import type { Result } from '../core/values/result.ts'
import { loadNow } from '../platform/load-now.ts'
import { once } from '../reference/data-files.ts'
import { checkOnce } from './checked-profile.ts'
import type { Asking, ToldSource } from './told.ts'

/** Null for an unknown name. */
export function findToldSource(name: string): ToldSource<unknown> | null {
  return Object.hasOwn(toldSources, name) ? (toldSources[name]?.() ?? null) : null
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

const toldSources: Readonly<Record<string, () => ToldSource<unknown>>> = {
  dcsa: once(() =>
    told(
      loadNow<typeof import('./dcsa/pushed.ts')>(
        new URL('./dcsa/pushed.ts', import.meta.url),
      ).openPushedDcsaSource(),
    ),
  ),
  arrival_notice: once(() =>
    told(
      loadNow<typeof import('./arrival-notice/arrival-notice.ts')>(
        new URL('./arrival-notice/arrival-notice.ts', import.meta.url),
      ).openArrivalNoticeSource(),
    ),
  ),
  x12: once(() =>
    told(loadNow<typeof import('./x12/x12.ts')>(new URL('./x12/x12.ts', import.meta.url)).openX12Source()),
  ),
  edifact: once(() =>
    told(
      loadNow<typeof import('./edifact/edifact.ts')>(new URL('./edifact/edifact.ts', import.meta.url))
        .edifactSource,
    ),
  ),
  statements: once(() =>
    told(
      loadNow<typeof import('./statements/statements.ts')>(
        new URL('./statements/statements.ts', import.meta.url),
      ).openStatementsSource(),
    ),
  ),
  documents: once(() =>
    told(
      loadNow<typeof import('./documents/said/documents.ts')>(
        new URL('./documents/said/documents.ts', import.meta.url),
      ).openDocumentsSource(),
    ),
  ),
  facility: once(() =>
    told(
      loadNow<typeof import('./facility/facility.ts')>(
        new URL('./facility/facility.ts', import.meta.url),
      ).openFacilitySource(),
    ),
  ),
}

/** The languages that others may send. Only this program sends statements of documents. */
export const toldSourceNames: readonly string[] = Object.keys(toldSources).filter(
  (name) => name !== 'documents',
)
