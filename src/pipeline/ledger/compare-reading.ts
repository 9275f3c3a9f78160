/** Compares a reading of a snapshot with the active claims: which are new, repeated, withdrawn, left out. */

import { isKeyOf } from '../../connectors/source.ts'
import { effectiveSinceOf, reconcileClaims } from '../../domain/statements/claims.ts'
import type { Hand, Observation, Source } from '../../domain/statements/observation.ts'
import { canonicalJson } from '../../domain/values/json-value.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { StoredClaim } from '../projection/claims-sql.ts'

export interface ReadingToCompare {
  readonly accountId: string
  readonly subjectId: string
  /** The only shipment that ingests it. Null for an answer: all requests with this poll target ingest it. */
  readonly shipmentId: string | null
  readonly snapshotId: string | null
  readonly source: Source
  readonly observations: readonly Observation[]
  /** The source's own ids of statements that it withdraws. */
  readonly withdrawn: readonly string[]
  /** The source always sends everything it knows: what it leaves out twice in a row is withdrawn. */
  readonly isFullPicture: boolean
  readonly recordedAt: string
  /** `first` when left out. */
  readonly hand?: Hand
  /** Set for a message of a partner; missing for an answer. */
  readonly message?: MessageIdentity
}

export interface MessageIdentity {
  /** When it was written, as it states; null when it does not state that. */
  readonly writtenAt: string | null
  /** The sender's own id of it; null where the sender gives none. */
  readonly deliveryKey: string | null
}

/** What a reading changes in the claims on record. The same reading a second time adds and retires nothing. */
export interface ReadingChange {
  readonly add: readonly StoredClaim[]
  readonly retire: readonly string[]
  readonly seen: readonly string[]
  /**
   * Claims that a full picture left out for the first time. The next valid answer decides, even if it has the same
   * bytes.
   */
  readonly missing: readonly string[]
  /** Claims that were left out by a source that does not always send everything. They stay active. */
  readonly left: readonly string[]
  /** Set for a message of a partner. A message states nothing about what it does not name. */
  readonly messageChange?: MessageChange
}

export interface MessageChange extends Pick<StoredClaim, 'standsAt' | 'deliveryKey'> {
  /** Put on record as already replaced, because a later statement had come before them. */
  readonly overtaken: readonly StoredClaim[]
  /** Those of `seen` that are effective by this message from now on. */
  readonly moved: readonly string[]
}

/** Applies the rule of the domain. New observations become claims with ids of their own. */
export function compareReading(live: readonly StoredClaim[], absorption: ReadingToCompare): ReadingChange {
  const { message, hand = 'first', recordedAt } = absorption
  const standsAt = message === undefined ? recordedAt : effectiveSinceOf({ ...message, recordedAt })
  const by = { standsAt, hand, deliveryKey: message?.deliveryKey ?? null }
  const { add, overtaken, moved, ...others } = reconcileClaims(live, absorption.observations, {
    source: absorption.source,
    hand,
    ...(message !== undefined && { standsAt }),
    isFullPicture: absorption.isFullPicture,
    // For a message, one that leaves something out is enough. For an answer, a second one decides.
    missingBefore: live
      .filter((claim) => message !== undefined || claim.missingSince !== null)
      .map((claim) => claim.id),
    isWithdrawn: (key) => absorption.withdrawn.some((id) => isKeyOf(id, key)),
  })
  const claimOf = (observation: Observation): StoredClaim => newClaim(observation, absorption, by)
  const change = { add: add.map(claimOf), ...others }
  if (message === undefined) return change
  const messageChange = { standsAt, deliveryKey: by.deliveryKey, overtaken: overtaken.map(claimOf), moved }
  return { ...change, messageChange }
}

function newClaim(
  observation: Observation,
  absorption: ReadingToCompare,
  by: Pick<StoredClaim, 'standsAt' | 'hand' | 'deliveryKey'>,
): StoredClaim {
  return {
    id: claimId(absorption, { observation, hand: by.hand }),
    source: absorption.source,
    observation,
    readAt: absorption.recordedAt,
    recordedAt: absorption.recordedAt,
    ...by,
    retiredAt: null,
    subjectId: absorption.subjectId,
    shipmentId: absorption.shipmentId,
    firstSnapshotId: absorption.snapshotId,
    goneSnapshotId: null,
    missingSince: null,
  }
}

/** A claim without a snapshot: what a person stated, or what a feed stated of a shipment. */
export function claimWithoutSnapshot({
  recordedAt,
  ...fields
}: Pick<StoredClaim, 'id' | 'source' | 'observation' | 'recordedAt' | 'shipmentId'>): StoredClaim {
  return {
    ...fields,
    readAt: recordedAt,
    recordedAt,
    standsAt: recordedAt,
    hand: 'first',
    deliveryKey: null,
    retiredAt: null,
    subjectId: null,
    firstSnapshotId: null,
    goneSnapshotId: null,
    missingSince: null,
  }
}

/**
 * A claim is (poll target, the source's own key, content): its id shows whether its content is still what was read. The
 * id does not depend on the time or the message. A relayed statement is another claim than a statement at first hand.
 */
export function claimId(
  { accountId, shipmentId, subjectId }: Pick<ReadingToCompare, 'accountId' | 'shipmentId' | 'subjectId'>,
  { observation, hand }: Pick<StoredClaim, 'observation' | 'hand'>,
): string {
  const name = hand === 'first' ? 'claim' : `claim ${hand}`
  const hearer = shipmentId ?? accountId
  return uuidV5(LANDFALL_NAMESPACE, `${name}:${hearer}:${subjectId}:${canonicalJson(observation)}`)
}
