/**
 * The effect of a reading on the claims on record. A repeated statement adds nothing. New content under an old key
 * replaces the old claim. A statement that a source leaves out twice in a row is withdrawn, if the source always sends
 * the whole picture.
 */

import { canonicalJson, isSameJson } from '../values/json-value.ts'
import { compareInstants } from '../values/time.ts'
import type { Claim, Hand, Observation, Source } from './observation.ts'
import { compareText } from './statement.ts'

export interface ReadingDetails {
  readonly source: Source
  readonly hand?: Hand
  /**
   * Only for messages of partners: since when the claim is effective (`effectiveSinceOf`). Missing for an answer, which
   * is as new as its receipt.
   */
  readonly standsAt?: string
  /** The source always sends everything it knows. */
  readonly isFullPicture: boolean
  /** Ids of claims that the valid reading before this one left out. */
  readonly missingBefore: readonly string[]
  /** Whether the source withdraws its statement under this key. */
  readonly isWithdrawn?: (key: string) => boolean
}

export interface ClaimChanges {
  /** Statements to put on record. */
  readonly add: readonly Observation[]
  /** Statements to put on record as already replaced: a later statement under the same key had come before them. */
  readonly overtaken: readonly Observation[]
  /** Ids of claims to retire. */
  readonly retire: readonly string[]
  /** Ids of claims that this reading left out for the first time. They are the `missingBefore` of the next reading. */
  readonly missing: readonly string[]
  /** Ids of claims that this reading repeats. */
  readonly seen: readonly string[]
  /**
   * Those of `seen` that this message confirms from now on, because it was written after the message that confirmed
   * them before.
   */
  readonly moved: readonly string[]
  /**
   * Ids of claims that an answer leaves out, without any meaning: the source does not always send all that it knows.
   */
  readonly left: readonly string[]
}

/**
 * Accepts only valid readings: an answer that could not be read shows nothing about missing statements. A message
 * neither replaces nor withdraws statements from after the message was written. Unless it is a whole picture, a message
 * has no effect on statements that it does not contain.
 */
export function reconcileClaims(
  live: readonly Claim[],
  observations: readonly Observation[],
  reading: ReadingDetails,
): ClaimChanges {
  const { source, hand = 'first', standsAt = null } = reading
  const incoming = latestByKey(observations)
  const sourceKey = sourceKeyOf({ source, hand })
  const ownClaims = live.filter((claim) => sourceKeyOf(claim) === sourceKey)
  const ids = { retire: [], missing: [], seen: [], moved: [], left: [] } as Record<UnmentionedClaimFate, string[]>
  const handledKeys = new Set<string>()
  const overtaken: Observation[] = []
  for (const claim of ownClaims) {
    const key = statementKeyOf(claim.observation)
    const restated = incoming.get(key)
    if (restated === undefined) {
      const fate = fateOfUnmentioned(claim, reading)
      if (fate !== null) ids[fate].push(claim.id)
    } else if (isSameJson(restated, claim.observation)) {
      handledKeys.add(key)
      ids.seen.push(claim.id)
      if (standsAt !== null && compareInstants(standsAt, claim.standsAt) > 0) ids.moved.push(claim.id)
    } else if (standsAt !== null && compareEffective({ standsAt, observation: restated }, claim) < 0) {
      handledKeys.add(key)
      overtaken.push(restated)
    } else ids.retire.push(claim.id)
  }
  const add = [...incoming].filter(([key]) => !handledKeys.has(key)).map(([, restated]) => restated)
  return { add, overtaken, ...ids }
}

type UnmentionedClaimFate = 'retire' | 'missing' | 'seen' | 'moved' | 'left'

/** What happens to a claim that the reading does not mention. Null: nothing. */
function fateOfUnmentioned(claim: Claim, reading: ReadingDetails): UnmentionedClaimFate | null {
  const { standsAt = null, isFullPicture, missingBefore, isWithdrawn = () => false } = reading
  if (standsAt !== null && compareInstants(claim.standsAt, standsAt) > 0) return null
  if (isWithdrawn(claim.observation.key)) return 'retire'
  if (!isFullPicture) return standsAt === null ? 'left' : null
  return missingBefore.includes(claim.id) ? 'retire' : 'missing'
}

/**
 * Since when a message is effective: since it was written, if it states when, otherwise since it came. A message cannot
 * be written after it was received. So a sender whose clock is ahead does not suppress the messages that come later.
 */
export function effectiveSinceOf(message: { readonly writtenAt: string | null; readonly recordedAt: string }): string {
  const writtenMs = Date.parse(message.writtenAt ?? '')
  const isBefore = writtenMs < Date.parse(message.recordedAt)
  return isBefore ? new Date(writtenMs).toISOString() : message.recordedAt
}

/**
 * Only statements of one speaker replace each other. A source at first hand and the same source relayed are two
 * speakers: a relayed statement never replaces a statement of the source itself, and the reverse.
 */
export function sourceKeyOf({ source, hand }: Pick<Claim, 'source' | 'hand'>): string {
  return `${source.kind}:${source.code}:${hand}`
}

/**
 * Positive when `a` is the later of two statements under one key of one speaker. When both are effective since the same
 * moment, the one with the later `statedAt` counts as later; else their content decides, so that the order of receipt
 * decides nothing.
 */
export function compareEffective(
  a: Pick<Claim, 'standsAt' | 'observation'>,
  b: Pick<Claim, 'standsAt' | 'observation'>,
): number {
  return compareInstants(a.standsAt, b.standsAt) || compareObservations(a.observation, b.observation)
}

/** Within one reading the later statement of a key counts, wherever it is in the answer. */
function latestByKey(observations: readonly Observation[]): ReadonlyMap<string, Observation> {
  const latest = new Map<string, Observation>()
  for (const observation of observations) {
    const key = statementKeyOf(observation)
    const other = latest.get(key)
    if (other === undefined || compareObservations(observation, other) > 0) latest.set(key, observation)
  }
  return latest
}

/**
 * Most statements compared here are equal, so equality is tested first: each container of one bill gets its own answer,
 * with the same statements about their ship.
 */
function compareObservations(a: Observation, b: Observation): number {
  const byMoment = compareText(a.statedAt ?? '', b.statedAt ?? '')
  return byMoment !== 0 || isSameJson(a, b) ? byMoment : compareText(canonicalJson(a), canonicalJson(b))
}

/**
 * Within one source, a later statement replaces the earlier one with the same statement key. It is the source's own
 * key, separate for events, and for each fact and container.
 */
export function statementKeyOf(observation: Observation): string {
  const what = observation.kind === 'fact' ? observation.fact : 'event'
  return `${what} ${observation.equipment ?? '-'} ${observation.key}`
}
