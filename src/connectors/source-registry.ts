/** The sources by name, as credentials refer to them, each loaded when it is first needed. Each source checks its profiles with its own `parseProfile`. */

import { noEventCounts } from '../domain/tracking-requests/event-counts.ts'
import { loadNow } from '../platform/load-now.ts'
import { once } from '../reference/data-files.ts'
import { memoizeParseProfile } from './check-once.ts'
import { withoutPlaceholders } from './placeholders.ts'
import type { Source } from './source.ts'

export const sourceNames = ['cosco', 'dcsa', 'test'] as const
export type SourceName = (typeof sourceNames)[number]

/** Null for an unknown name. */
export function findSource(name: string): Source<unknown> | null {
  return Object.hasOwn(sources, name) ? sources[name as SourceName]() : null
}

const sources: Readonly<Record<SourceName, () => Source<unknown>>> = {
  cosco: once(() =>
    wrapSource(
      loadNow<typeof import('./cosco/cosco-source.ts')>(
        new URL('./cosco/cosco-source.ts', import.meta.url),
      ).openCoscoSource(),
    ),
  ),
  dcsa: once(() =>
    wrapSource(
      loadNow<typeof import('./dcsa/dcsa-source.ts')>(
        new URL('./dcsa/dcsa-source.ts', import.meta.url),
      ).openDcsaSource(),
    ),
  ),
  test: once(() =>
    wrapSource(
      loadNow<typeof import('./test-lines/test-source.ts')>(
        new URL('./test-lines/test-source.ts', import.meta.url),
      ).openTestSource(),
    ),
  ),
}

/**
 * Wraps a source for callers that hold profiles as stored. With an invalid profile the source sends and reads nothing,
 * and reports `bad_profile`.
 */
function wrapSource<Profile>(source: Source<Profile>): Source<unknown> {
  const parseProfile = memoizeParseProfile(source)
  return {
    name: source.name,
    version: source.version,
    parseProfile,
    secretNames(value) {
      const profile = parseProfile(value)
      return profile.ok ? source.secretNames(profile.value) : []
    },
    limitsOf(value) {
      const profile = parseProfile(value)
      return profile.ok ? source.limitsOf(profile.value) : null
    },
    abilityOf(value) {
      const profile = parseProfile(value)
      return profile.ok ? source.abilityOf(profile.value) : null
    },
    async fetch(request, { profile: value, secrets }, context) {
      const profile = parseProfile(value)
      if (profile.ok) return source.fetch(request, { profile: profile.value, secrets }, context)
      const nothing = { durationMs: 0, retryAfterMs: null, statusCode: null, url: '' }
      return { kind: 'unreachable', reason: 'bad_profile', detail: profile.reason, ...nothing }
    },
    read(snapshot, request, value) {
      const profile = parseProfile(value)
      if (profile.ok) return withoutPlaceholders(source.read(snapshot, request, profile.value))
      const issue = {
        kind: 'bad_profile',
        page: 1,
        path: '',
        lost: 'answer',
        detail: profile.reason,
      } as const
      return {
        outcome: 'unrecognized',
        observations: [],
        issues: [issue],
        withdrawn: [],
        statedFullPicture: false,
        about: { billNumbers: [], bookingNumbers: [], equipment: [] },
        events: noEventCounts,
      }
    },
  }
}
