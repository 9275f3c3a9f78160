/** What a kept snapshot says, by the reader of the source it came from; and what that means for the request. */

import type { LookOutcome } from '../../core/tracking-request.ts'
import { findSource } from '../../sources/registry.ts'
import type { LookRequest, Reading, Verdict } from '../../sources/source.ts'
import type { Snapshot } from '../../store/snapshots.ts'

const outcomes: Readonly<Record<Verdict, LookOutcome['kind']>> = {
  found: 'found',
  known_without_data: 'known_without_data',
  not_found: 'not_found',
  cancelled: 'cancelled',
  question_refused: 'invalid_number',
  // Our access was refused: nothing is known of the number, and it is worth asking again once that is mended.
  access_denied: 'unreachable',
  unrecognized: 'unrecognized',
  unreachable: 'unreachable',
}

export interface ReadSnapshot {
  readonly reading: Reading
  readonly outcome: LookOutcome
  /** Which reader read it, e.g. `dcsa/1`. */
  readonly reader: string
}

/** The source and profile under which a subject is looked at. */
export interface SubjectAccess {
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
}

/** Never throws for the bytes; throws when the source or its profile is none of ours. */
export function readSnapshot(snapshot: Snapshot, request: LookRequest, access: SubjectAccess): ReadSnapshot {
  const source = findSource(access.source)
  if (source === null) throw new Error(`no source is called ${access.source}`)
  const profile = source.parseProfile(access.profile)
  if (!profile.ok) throw new Error(`the profile of ${request.scac} is none: ${profile.reason}`)
  const raw = {
    status: snapshot.status,
    contentType: snapshot.contentType,
    body: snapshot.body,
    fetchedAt: snapshot.recordedAt,
  }
  const reading = source.read(raw, request, profile.value)
  return { reading, outcome: { kind: outcomes[reading.verdict] }, reader: `${source.name}/${source.version}` }
}
