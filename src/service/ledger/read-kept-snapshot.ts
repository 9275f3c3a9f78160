/** Reads a kept snapshot with the reader of its source, and finds out what that means for the request. */

import { hash } from 'node:crypto'
import type { LookOutcome } from '../../core/requests/tracking-request.ts'
import { canonicalJson } from '../../core/values/json-value.ts'
import type { LookRequest, Reading, Source, Verdict } from '../../sources/source.ts'
import type { Snapshot } from '../../store/looks/snapshots.ts'
import type { Fold } from '../ledger/fold.ts'

/** Members of a profile that only say how to ask. All others, also unknown ones, may change what is read. */
const askingMembers: ReadonlySet<string> = new Set([
  'verified',
  'base',
  'path',
  'auth',
  'headers',
  'parameters',
  'extraParameters',
  'explode',
  'createdSince',
  'stripPrefixes',
  'paging',
  'rate',
  'concurrency',
  'timeoutMs',
  'maxBytes',
  'isBilled',
])

const outcomes: Readonly<Record<Verdict, LookOutcome['kind']>> = {
  found: 'found',
  known_without_data: 'known_without_data',
  not_found: 'not_found',
  cancelled: 'cancelled',
  question_refused: 'invalid_number',
  // Our access was refused: nothing is known of the number, and it is worth asking again once that is mended.
  access_denied: 'unreachable',
  unrecognized: 'unrecognized',
  // Nothing is known of the number that was asked for, and the line may yet answer the question.
  other_number: 'unrecognized',
  unreachable: 'unreachable',
}

export interface KeptReading {
  readonly reading: Reading
  readonly outcome: LookOutcome
  /** Which reader read it and by which profile, e.g. `dcsa/1+3fa9c2d1`: the same reader reads the same bytes alike. */
  readonly reader: string
}

/** The source and profile under which a subject is looked at. */
export interface SubjectAccess {
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
}

/** Never throws because of the bytes. Throws when the source is unknown, or when it cannot read the profile. */
export function readKeptSnapshot(
  { findSource }: Pick<Fold, 'findSource'>,
  snapshot: Snapshot,
  request: LookRequest,
  access: SubjectAccess,
): KeptReading {
  const source = findSource(access.source)
  if (source === null) throw new Error(`no source is called ${access.source}`)
  const { profile, reader } = profileOf(source, request.scac, access)
  const raw = {
    status: snapshot.status,
    contentType: snapshot.contentType,
    body: snapshot.body,
    fetchedAt: snapshot.recordedAt,
  }
  const reading = source.read(raw, request, profile)
  return { reading, outcome: { kind: outcomes[reading.verdict] }, reader }
}

interface KnownProfile {
  readonly profile: unknown
  readonly reader: string
}

const profilesMax = 1_000
/** Parsed profiles by source, then by the profile as it is stored. The same few profiles come with every snapshot. */
const knownProfiles = new WeakMap<Source<unknown>, Map<string, KnownProfile>>()

function profileOf(source: Source<unknown>, scac: string, access: SubjectAccess): KnownProfile {
  const known = knownProfiles.get(source) ?? new Map<string, KnownProfile>()
  knownProfiles.set(source, known)
  const text = JSON.stringify(access.profile)
  const found = known.get(text)
  if (found !== undefined) return found
  const profile = source.parseProfile(access.profile)
  if (!profile.ok) throw new Error(`the profile of ${scac} is not valid: ${profile.reason}`)
  const made = { profile: profile.value, reader: readerOf(source, profile.value) }
  if (known.size >= profilesMax) known.clear()
  known.set(text, made)
  return made
}

/**
 * The reader's name has a hash of the profile: when the operator changes the profile of a line, another reader reads
 * it.
 */
function readerOf(source: Source<unknown>, profile: unknown): string {
  const members = Object.entries(profile as Readonly<Record<string, unknown>>)
  const reading = Object.fromEntries(members.filter(([name]) => !askingMembers.has(name)))
  return `${source.name}/${source.version}+${hash('sha1', canonicalJson(reading)).slice(0, 8)}`
}
