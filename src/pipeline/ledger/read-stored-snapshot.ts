/** Reads a stored snapshot with the reader of its source, and derives what it means for the request. */

import { hash } from 'node:crypto'
import type { AnswerOutcome, PollRequest, Reading, Source } from '../../connectors/source.ts'
import type { PollOutcome } from '../../domain/tracking-requests/tracking-request.ts'
import { canonicalJson } from '../../domain/values/json-value.ts'
import type { Snapshot } from '../response-archive/snapshots-sql.ts'
import type { Fold } from './fold.ts'

/** Members of a profile that only define how to poll. All others, also unknown ones, may change what is read. */
const pollingMembers: ReadonlySet<string> = new Set([
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

const outcomes: Readonly<Record<AnswerOutcome, PollOutcome['kind']>> = {
  found: 'found',
  known_without_data: 'known_without_data',
  not_found: 'not_found',
  cancelled: 'cancelled',
  question_refused: 'invalid_number',
  // Our access was refused: nothing is known of the number, and a new poll is useful once the access is repaired.
  access_denied: 'unreachable',
  unrecognized: 'unrecognized',
  // Nothing is known of the number that was polled, and the line may still answer the poll.
  other_number: 'unrecognized',
  unreachable: 'unreachable',
}

export interface StoredReading {
  readonly reading: Reading
  readonly outcome: PollOutcome
  /** Which reader read it and by which profile, e.g. `dcsa/1+3fa9c2d1`: the same reader reads the same bytes alike. */
  readonly reader: string
}

/** The source and profile with which a poll target is polled. */
export interface PollTargetAccess {
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
}

/** Never throws because of the bytes. Throws when the source is unknown, or when it cannot read the profile. */
export function readStoredSnapshot(
  fold: Pick<Fold, 'findSource'>,
  snapshot: Snapshot,
  request: PollRequest,
  access: PollTargetAccess,
): StoredReading {
  const { source, profile, reader } = readerFor(fold, request.scac, access)
  const raw = {
    status: snapshot.status,
    contentType: snapshot.contentType,
    body: snapshot.body,
    fetchedAt: snapshot.recordedAt,
  }
  const reading = source.read(raw, request, profile)
  return { reading, outcome: { kind: outcomes[reading.outcome] }, reader }
}

interface AnswerReader {
  readonly source: Source<unknown>
  readonly profile: unknown
  /** Its name, as in `StoredReading`. */
  readonly reader: string
}

const profilesMax = 1_000
/** Parsed profiles by source, then by the profile as it is stored. The same few profiles come with every snapshot. */
const knownProfiles = new WeakMap<Source<unknown>, Map<string, AnswerReader>>()

/** Throws when the source is unknown, or when it cannot read the profile. */
export function readerFor(
  { findSource }: Pick<Fold, 'findSource'>,
  scac: string,
  access: PollTargetAccess,
): AnswerReader {
  const source = findSource(access.source)
  if (source === null) throw new Error(`no source is called ${access.source}`)
  const known = knownProfiles.get(source) ?? new Map<string, AnswerReader>()
  knownProfiles.set(source, known)
  const text = JSON.stringify(access.profile)
  const found = known.get(text)
  if (found !== undefined) return found
  const profile = source.parseProfile(access.profile)
  if (!profile.ok) throw new Error(`the profile of ${scac} is not valid: ${profile.reason}`)
  const made = { source, profile: profile.value, reader: readerOf(source, profile.value) }
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
  const reading = Object.fromEntries(members.filter(([name]) => !pollingMembers.has(name)))
  return `${source.name}/${source.version}+${hash('sha1', canonicalJson(reading)).slice(0, 8)}`
}
