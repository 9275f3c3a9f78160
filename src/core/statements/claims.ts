/**
 * What a reading does to the claims on record: a repeated statement adds nothing, a new content under an old key
 * replaces it, and what a source that always sends the whole picture leaves out twice in a row is withdrawn.
 */

import { canonicalJson, isSameJson } from '../values/json-value.ts'
import { compareInstants } from '../values/time.ts'
import type { Claim, Hand, Observation, Source } from './observation.ts'
import { compareText } from './statement.ts'

export interface ReadingOf {
  readonly source: Source
  readonly hand?: Hand
  /** Of what came unasked, since when it stands (`standsAtOf`). Left out of an answer: that is as new as its receipt. */
  readonly standsAt?: string
  /** The source always sends everything it knows. */
  readonly isFullPicture: boolean
  /** Ids of claims that the valid reading before this one left out. */
  readonly missingBefore: readonly string[]
  /** Whether the source takes back what it said under this key. */
  readonly isWithdrawn?: (key: string) => boolean
}

export interface Absorbed {
  /** Statements to put on record. */
  readonly add: readonly Observation[]
  /** Statements to put on record as already replaced: a later word under their key had come before them. */
  readonly overtaken: readonly Observation[]
  /** Ids of claims to retire. */
  readonly retire: readonly string[]
  /** Ids of claims that this reading left out for the first time; the next one's `missingBefore`. */
  readonly missing: readonly string[]
  /** Ids of claims that this reading repeats. */
  readonly seen: readonly string[]
  /** Of those, ids of claims that stand by this message from now on: it was written after the one that they stood by. */
  readonly moved: readonly string[]
  /** Ids of claims that an answer leaves out without that meaning anything: the source does not always send all. */
  readonly left: readonly string[]
}

/**
 * Only valid readings come here: an answer that could not be read says nothing about what is missing. A message replaces
 * nothing and takes nothing back that was said after it, and says nothing of what it does not name.
 */
export function absorbObservations(
  live: readonly Claim[],
  observations: readonly Observation[],
  reading: ReadingOf,
): Absorbed {
  const { source, hand = 'first', standsAt = null } = reading
  const said = latestByKey(observations)
  const speaker = speakerOf({ source, hand })
  const own = live.filter((claim) => speakerOf(claim) === speaker)
  const ids = { retire: [], missing: [], seen: [], moved: [], left: [] } as Record<Fate, string[]>
  const settled = new Set<string>()
  const overtaken: Observation[] = []
  for (const claim of own) {
    const key = statementKeyOf(claim.observation)
    const heard = said.get(key)
    if (heard === undefined) {
      const fate = fateOfUnsaid(claim, reading)
      if (fate !== null) ids[fate].push(claim.id)
    } else if (isSameJson(heard, claim.observation)) {
      settled.add(key)
      ids.seen.push(claim.id)
      if (standsAt !== null && compareInstants(standsAt, claim.standsAt) > 0) ids.moved.push(claim.id)
    } else if (standsAt !== null && compareStanding({ standsAt, observation: heard }, claim) < 0) {
      settled.add(key)
      overtaken.push(heard)
    } else ids.retire.push(claim.id)
  }
  const add = [...said].filter(([key]) => !settled.has(key)).map(([, heard]) => heard)
  return { add, overtaken, ...ids }
}

type Fate = 'retire' | 'missing' | 'seen' | 'moved' | 'left'

/** Null: nothing was said about it. */
function fateOfUnsaid(claim: Claim, reading: ReadingOf): Fate | null {
  const { standsAt = null, isFullPicture, missingBefore, isWithdrawn = () => false } = reading
  if (standsAt !== null && compareInstants(claim.standsAt, standsAt) > 0) return null
  if (isWithdrawn(claim.observation.key)) return 'retire'
  if (!isFullPicture) return standsAt === null ? 'left' : null
  return missingBefore.includes(claim.id) ? 'retire' : 'missing'
}

/**
 * Since when a message stands: since it was written, as it says, else since it came. Nothing is written after it was
 * received: a sender whose clock is ahead does not silence what comes after it.
 */
export function standsAtOf(message: {
  readonly writtenAt: string | null
  readonly recordedAt: string
}): string {
  const writtenMs = Date.parse(message.writtenAt ?? '')
  const isBefore = writtenMs < Date.parse(message.recordedAt)
  return isBefore ? new Date(writtenMs).toISOString() : message.recordedAt
}

/** Whose word replaces whose: what is passed on never replaces what the source said itself, nor that the other. */
export function speakerOf({ source, hand }: Pick<Claim, 'source' | 'hand'>): string {
  return `${source.kind}:${source.code}:${hand}`
}

/**
 * Positive when the first of two under one key of one speaker is the later word. Of the same moment, what says that it was
 * stated later; else by what they say, so that the order in which they came decides nothing.
 */
export function compareStanding(
  a: Pick<Claim, 'standsAt' | 'observation'>,
  b: Pick<Claim, 'standsAt' | 'observation'>,
): number {
  return compareInstants(a.standsAt, b.standsAt) || compareSaid(a.observation, b.observation)
}

/** Within one reading the later statement of a key counts, wherever it stands in the answer. */
function latestByKey(observations: readonly Observation[]): ReadonlyMap<string, Observation> {
  const latest = new Map<string, Observation>()
  for (const observation of observations) {
    const key = statementKeyOf(observation)
    const other = latest.get(key)
    if (other === undefined || compareSaid(observation, other) > 0) latest.set(key, observation)
  }
  return latest
}

/** Boxes of one bill are told the same of their ship, each in an answer of its own: most that are compared are alike. */
function compareSaid(a: Observation, b: Observation): number {
  const byMoment = compareText(a.statedAt ?? '', b.statedAt ?? '')
  return byMoment !== 0 || isSameJson(a, b) ? byMoment : compareText(canonicalJson(a), canonicalJson(b))
}

/** What a later statement of the same source replaces: its key, apart for events and for each fact and box. */
export function statementKeyOf(observation: Observation): string {
  const what = observation.kind === 'fact' ? observation.fact : 'event'
  return `${what} ${observation.equipment ?? '-'} ${observation.key}`
}
