/** Compares what a reader made of a snapshot with the claims that stand: which are new, repeated, withdrawn, left out. */

import type { Observation, Source } from '../../core/observation.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { isKeyOf } from '../../sources/source.ts'
import type { KeptClaim } from '../../store/claims.ts'
import { canonicalJson } from './canonical-json.ts'

export interface Absorption {
  readonly accountId: string
  readonly subjectId: string
  readonly snapshotId: string | null
  readonly source: Source
  readonly observations: readonly Observation[]
  /** The source's own ids that it takes back. */
  readonly withdrawn: readonly string[]
  /** The source always sends everything it knows: what it leaves out twice in a row is withdrawn. */
  readonly isFullPicture: boolean
  readonly recordedAt: string
}

/** What a reading does to the claims on record; a second one of the same reading adds and retires nothing. */
export interface ReadingChange {
  readonly add: readonly KeptClaim[]
  readonly retire: readonly string[]
  readonly seen: readonly string[]
  /** Left out of a whole picture for the first time: the next valid answer decides, even if it is the same bytes. */
  readonly missing: readonly string[]
  /** Not spoken of by a source that does not always send all: they stand as they are. */
  readonly left: readonly string[]
}

/** Compares what stands with what was read: by identity, then by the source's own key. */
export function compareReading(live: readonly KeptClaim[], absorption: Absorption): ReadingChange {
  const read = new Map<string, KeptClaim>()
  for (const observation of absorption.observations) {
    const claim = newClaim(observation, absorption)
    read.set(claim.id, claim)
  }
  const readKeys = new Set([...read.values()].map((claim) => statementKey(claim.observation)))
  const liveIds = new Set<string>()
  const retire: string[] = []
  const seen: string[] = []
  const missing: string[] = []
  const left: string[] = []
  for (const claim of live) {
    liveIds.add(claim.id)
    if (read.has(claim.id)) seen.push(claim.id)
    else if (absorption.withdrawn.some((id) => isKeyOf(id, claim.observation.key))) retire.push(claim.id)
    else if (readKeys.has(statementKey(claim.observation))) retire.push(claim.id)
    else if (!absorption.isFullPicture) left.push(claim.id)
    else if (claim.missingSince === null) missing.push(claim.id)
    else retire.push(claim.id)
  }
  return { add: [...read.values()].filter((claim) => !liveIds.has(claim.id)), retire, seen, missing, left }
}

function newClaim(observation: Observation, absorption: Absorption): KeptClaim {
  return {
    id: claimId(absorption.accountId, absorption.subjectId, observation),
    source: absorption.source,
    observation,
    readAt: absorption.recordedAt,
    recordedAt: absorption.recordedAt,
    retiredAt: null,
    subjectId: absorption.subjectId,
    shipmentId: null,
    firstSnapshotId: absorption.snapshotId,
    lastSnapshotId: absorption.snapshotId,
    missingSince: null,
  }
}

/** A claim is (subject, the source's own key, content): its id tells whether its content is still what was read. */
export function claimId(accountId: string, subjectId: string, observation: Observation): string {
  return uuidV5(LANDFALL_NAMESPACE, `claim:${accountId}:${subjectId}:${canonicalJson(observation)}`)
}

/** What a later statement of the same source replaces. */
function statementKey(observation: Observation): string {
  const what = observation.kind === 'fact' ? observation.fact : 'event'
  return `${what} ${observation.equipment ?? '-'} ${observation.key}`
}
