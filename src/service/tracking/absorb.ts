/** Turns what a reader made of a snapshot into claims: new ones kept, repeated ones seen, withdrawn ones retired. */

import type { Observation, Source } from '../../core/observation.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { isKeyOf } from '../../sources/source.ts'
import { type KeptClaim, liveClaims, writeReading } from '../../store/claims.ts'
import type { Db } from '../../store/database.ts'

export interface Absorption {
  readonly accountId: string
  readonly subjectId: string
  readonly snapshotId: string | null
  readonly source: Source
  readonly reader: string
  readonly observations: readonly Observation[]
  /** The source's own ids that it takes back. */
  readonly withdrawn: readonly string[]
  /** The source always sends everything it knows: what it leaves out twice in a row is withdrawn. */
  readonly isFullPicture: boolean
  readonly recordedAt: string
}

export interface Absorbed {
  /** Whether the claims that stand are others than before. */
  readonly isNews: boolean
  /** Something was left out for the first time: the next valid answer decides, even if it is the same bytes. */
  readonly isUnconfirmed: boolean
}

/** Absorbs within the transaction of the entry; a second call with the same reading changes nothing. */
export async function absorb(db: Db, absorption: Absorption): Promise<Absorbed> {
  const { accountId, subjectId, snapshotId, reader, recordedAt } = absorption
  const live = await liveClaims(db, { accountId, subjectIds: [subjectId], shipmentId: null })
  const change = compareReading(live, absorption)
  await writeReading(db, { accountId, snapshotId, reader, recordedAt, ...change })
  return {
    isNews: change.add.length > 0 || change.retire.length > 0,
    isUnconfirmed: change.missing.length > 0,
  }
}

interface ReadingChange {
  readonly add: readonly KeptClaim[]
  readonly retire: readonly string[]
  readonly seen: readonly string[]
  readonly missing: readonly string[]
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
  for (const claim of live) {
    liveIds.add(claim.id)
    if (read.has(claim.id)) seen.push(claim.id)
    else if (absorption.withdrawn.some((id) => isKeyOf(id, claim.observation.key))) retire.push(claim.id)
    else if (readKeys.has(statementKey(claim.observation))) retire.push(claim.id)
    else if (!absorption.isFullPicture) continue
    else if (claim.missingSince === null) missing.push(claim.id)
    else retire.push(claim.id)
  }
  return { add: [...read.values()].filter((claim) => !liveIds.has(claim.id)), retire, seen, missing }
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
    missingSince: null,
  }
}

/** A claim is (subject, the source's own key, content). Readers build observations with their members in one order. */
function claimId(accountId: string, subjectId: string, observation: Observation): string {
  return uuidV5(LANDFALL_NAMESPACE, `claim:${accountId}:${subjectId}:${JSON.stringify(observation)}`)
}

/** What a later statement of the same source replaces. */
function statementKey(observation: Observation): string {
  const what = observation.kind === 'fact' ? observation.fact : 'event'
  return `${what} ${observation.equipment ?? '-'} ${observation.key}`
}
