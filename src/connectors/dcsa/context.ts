/** Data for every part of the reader: the list for issues, the carrier's profile, and a cache for this answer. */

import type { parseEquipmentReference } from '../../domain/values/identifiers.ts'
import type { ResolvedPlace } from '../../reference/places.ts'
import type { IssueList } from '../source-issue.ts'
import type { DcsaProfile } from './profile.ts'

/** The members of a profile that affect reading; the others are for polling the carrier. */
export type ReadingProfile = Pick<
  DcsaProfile,
  'enumAliases' | 'hasDayOnlyTimes' | 'mayLack' | 'restatesTransport' | 'zoneFallback'
>

export interface ReadContext {
  readonly issues: IssueList
  readonly profile: ReadingProfile
  readonly fetchedAtMs: number
  readonly memory: ResolutionCache
}

/** The events of an answer repeat the same places and numbers; each one is resolved once. */
export interface ResolutionCache {
  readonly places: Map<string, ResolvedPlace | null>
  readonly containers: Map<string, ReturnType<typeof parseEquipmentReference>>
  readonly documents: Map<string, string | null>
}

export function createResolutionCache(): ResolutionCache {
  return { places: new Map(), containers: new Map(), documents: new Map() }
}

export function memoize<Value>(known: Map<string, Value>, text: string, workOut: (text: string) => Value): Value {
  let value = known.get(text)
  if (value === undefined) {
    value = workOut(text)
    known.set(text, value)
  }
  return value
}
