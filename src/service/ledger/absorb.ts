/** Compares what a reader made of a snapshot with the claims that stand: which are new, repeated, withdrawn, left out. */

import { absorbObservations } from '../../core/claims.ts'
import { canonicalJson } from '../../core/json-value.ts'
import type { Observation, Source } from '../../core/observation.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { isKeyOf } from '../../sources/source.ts'
import type { KeptClaim } from '../../store/claims.ts'

export interface Absorption {
  readonly accountId: string
  readonly subjectId: string
  /** The shipment that alone hears it; of an answer null, for it is heard by all who asked. */
  readonly shipmentId: string | null
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

/** By the rule of the core; what is new becomes claims with ids of their own. */
export function compareReading(live: readonly KeptClaim[], absorption: Absorption): ReadingChange {
  const { add, ...others } = absorbObservations(live, absorption.observations, {
    source: absorption.source,
    isFullPicture: absorption.isFullPicture,
    missingBefore: live.filter((claim) => claim.missingSince !== null).map((claim) => claim.id),
    isWithdrawn: (key) => absorption.withdrawn.some((id) => isKeyOf(id, key)),
  })
  return { add: add.map((observation) => newClaim(observation, absorption)), ...others }
}

function newClaim(observation: Observation, absorption: Absorption): KeptClaim {
  return {
    id: claimId(absorption, observation),
    source: absorption.source,
    observation,
    readAt: absorption.recordedAt,
    recordedAt: absorption.recordedAt,
    retiredAt: null,
    subjectId: absorption.subjectId,
    shipmentId: absorption.shipmentId,
    firstSnapshotId: absorption.snapshotId,
    goneSnapshotId: null,
    missingSince: null,
  }
}

/** A claim is (subject, the source's own key, content): its id tells whether its content is still what was read. */
export function claimId(
  { accountId, shipmentId, subjectId }: Pick<Absorption, 'accountId' | 'shipmentId' | 'subjectId'>,
  observation: Observation,
): string {
  const hearer = shipmentId ?? accountId
  return uuidV5(LANDFALL_NAMESPACE, `claim:${hearer}:${subjectId}:${canonicalJson(observation)}`)
}
