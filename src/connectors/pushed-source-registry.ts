/**
 * The languages of messages of partners, by name. A reader is loaded when its language is first needed. Each source
 * checks its profiles with its own `parseProfile`, every profile once.
 */

import type { Result } from '../domain/values/result.ts'
import { loadNow } from '../platform/load-now.ts'
import { once } from '../reference/data-files.ts'
import { memoizeParseProfile } from './check-once.ts'
import { withoutPlaceholders } from './placeholders.ts'
import type { PushedSource, SourcePolling } from './pushed-source.ts'

/** Null for an unknown name. */
export function findPushedSource(name: string): PushedSource<unknown> | null {
  return Object.hasOwn(pushedSources, name) ? (pushedSources[name]?.() ?? null) : null
}

/** Wraps a source for callers that hold profiles as stored. Throws for a stored profile that is invalid. */
function wrapPushedSource<Profile>(source: PushedSource<Profile>): PushedSource<unknown> {
  const { parseProfile, profileOf } = makeProfileChecker(source, source.name)
  return {
    name: source.name,
    version: source.version,
    parseProfile,
    splitDelivery: (body, value) => source.splitDelivery(body, profileOf(value)),
    ...(source.scopeOf !== undefined && { scopeOf: source.scopeOf }),
    ...(source.findLocations !== undefined && {
      findLocations: (value) => source.findLocations?.(profileOf(value)) ?? null,
    }),
    ...(source.polling !== undefined && { polling: wrapPolling(source.polling, source.name) }),
    read: (snapshot, of, value) => withoutPlaceholders(source.read(snapshot, of, profileOf(value))),
  }
}

/** Wraps the polling of the source, for the same callers. */
function wrapPolling<Profile>(polling: SourcePolling<Profile>, name: string): SourcePolling<unknown> {
  const { parseProfile, profileOf } = makeProfileChecker(polling, `questions in ${name}`)
  return {
    rules: polling.rules,
    rulesOf: (value) => polling.rulesOf?.(profileOf(value)) ?? polling.rules,
    parseProfile,
    secretNames: (value) => polling.secretNames(profileOf(value)),
    supportedKinds: (value) => polling.supportedKinds(profileOf(value)),
    batchMax: (value) => polling.batchMax(profileOf(value)),
    limitsOf: (value) => polling.limitsOf(profileOf(value)),
    fetch: (numbers, { profile, secrets }, context) =>
      polling.fetch(numbers, { profile: profileOf(profile), secrets }, context),
    acknowledgeMessages: async (messages, { profile, secrets }, context) =>
      polling.acknowledgeMessages?.(messages, { profile: profileOf(profile), secrets }, context),
  }
}

function makeProfileChecker<Profile>(
  of: { parseProfile(value: unknown): Result<Profile, string> },
  name: string,
): {
  readonly parseProfile: (value: unknown) => Result<Profile, string>
  readonly profileOf: (value: unknown) => Profile
} {
  const parseProfile = memoizeParseProfile(of)
  return {
    parseProfile,
    profileOf: (value) => {
      const parsed = parseProfile(value)
      if (!parsed.ok) throw new Error(`the profile of ${name} is not valid: ${parsed.reason}`)
      return parsed.value
    },
  }
}

const pushedSources: Readonly<Record<string, () => PushedSource<unknown>>> = {
  dcsa: once(() =>
    wrapPushedSource(
      loadNow<typeof import('./dcsa/pushed-dcsa-source.ts')>(
        new URL('./dcsa/pushed-dcsa-source.ts', import.meta.url),
      ).openPushedDcsaSource(),
    ),
  ),
  arrival_notice: once(() =>
    wrapPushedSource(
      loadNow<typeof import('./arrival-notice/arrival-notice-source.ts')>(
        new URL('./arrival-notice/arrival-notice-source.ts', import.meta.url),
      ).openArrivalNoticeSource(),
    ),
  ),
  x12: once(() =>
    wrapPushedSource(
      loadNow<typeof import('./x12/x12-source.ts')>(new URL('./x12/x12-source.ts', import.meta.url)).openX12Source(),
    ),
  ),
  edifact: once(() =>
    wrapPushedSource(
      loadNow<typeof import('./edifact/edifact-source.ts')>(new URL('./edifact/edifact-source.ts', import.meta.url))
        .edifactSource,
    ),
  ),
  statements: once(() =>
    wrapPushedSource(
      loadNow<typeof import('./statements/statements-source.ts')>(
        new URL('./statements/statements-source.ts', import.meta.url),
      ).openStatementsSource(),
    ),
  ),
  documents: once(() =>
    wrapPushedSource(
      loadNow<typeof import('./papers/statements/documents-source.ts')>(
        new URL('./papers/statements/documents-source.ts', import.meta.url),
      ).openDocumentsSource(),
    ),
  ),
  facility: once(() =>
    wrapPushedSource(
      loadNow<typeof import('./terminal-api/facility-source.ts')>(
        new URL('./terminal-api/facility-source.ts', import.meta.url),
      ).openFacilitySource(),
    ),
  ),
}

/** The languages that others may send. Only this program sends statements of documents. */
export const pushedSourceNames: readonly string[] = Object.keys(pushedSources).filter((name) => name !== 'documents')
