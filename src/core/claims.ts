/**
 * What a reading does to the claims on record: a repeated statement adds nothing, a new content under an old key
 * replaces it, and what a source that always sends the whole picture leaves out twice in a row is withdrawn.
 */

import { canonicalJson, isSameJson } from './json-value.ts'
import type { Claim, Observation, Source } from './observation.ts'
import { compareText } from './statement.ts'

export interface ReadingOf {
  readonly source: Source
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
  /** Ids of claims to retire. */
  readonly retire: readonly string[]
  /** Ids of claims that this reading left out for the first time; the next one's `missingBefore`. */
  readonly missing: readonly string[]
  /** Ids of claims that this reading repeats. */
  readonly seen: readonly string[]
  /** Ids of claims that it leaves out without that meaning anything: the source does not always send all. */
  readonly left: readonly string[]
}

/** Only valid readings come here: an answer that could not be read says nothing about what is missing. */
export function absorbObservations(
  live: readonly Claim[],
  observations: readonly Observation[],
  { source, isFullPicture, missingBefore, isWithdrawn = () => false }: ReadingOf,
): Absorbed {
  const said = latestByKey(observations)
  const own = live.filter((claim) => claim.source.kind === source.kind && claim.source.code === source.code)
  const retire: string[] = []
  const missing: string[] = []
  const seen: string[] = []
  const left: string[] = []
  const known = new Set<string>()
  for (const claim of own) {
    const key = statementKeyOf(claim.observation)
    const heard = said.get(key)
    if (heard === undefined) {
      if (isWithdrawn(claim.observation.key)) retire.push(claim.id)
      else if (!isFullPicture) left.push(claim.id)
      else if (missingBefore.includes(claim.id)) retire.push(claim.id)
      else missing.push(claim.id)
    } else if (isSameJson(heard, claim.observation)) {
      known.add(key)
      seen.push(claim.id)
    } else retire.push(claim.id)
  }
  const add = [...said].filter(([key]) => !known.has(key)).map(([, heard]) => heard)
  return { add, retire, missing, seen, left }
}

/** Within one reading the later statement of a key counts, wherever it stands in the answer. */
function latestByKey(observations: readonly Observation[]): ReadonlyMap<string, Observation> {
  const latest = new Map<string, Observation>()
  for (const observation of observations) {
    const key = statementKeyOf(observation)
    const other = latest.get(key)
    if (other === undefined || isLater(observation, other)) latest.set(key, observation)
  }
  return latest
}

function isLater(a: Observation, b: Observation): boolean {
  const byStatement = compareText(a.statedAt ?? '', b.statedAt ?? '')
  return (byStatement || compareText(canonicalJson(a), canonicalJson(b))) > 0
}

/** What a later statement of the same source replaces: its key, apart for events and for each fact and box. */
export function statementKeyOf(observation: Observation): string {
  const what = observation.kind === 'fact' ? observation.fact : 'event'
  return `${what} ${observation.equipment ?? '-'} ${observation.key}`
}
