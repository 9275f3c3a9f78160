/** Compares what a reader made of a snapshot with the claims that stand: which are new, repeated, withdrawn, left out. */

import { absorbObservations, standsAtOf } from '../../core/statements/claims.ts'
import type { Hand, Observation, Source } from '../../core/statements/observation.ts'
import { canonicalJson } from '../../core/values/json-value.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { isKeyOf } from '../../sources/source.ts'
import type { KeptClaim } from '../../store/journeys/claims.ts'

export interface Absorption {
  readonly accountId: string
  readonly subjectId: string
  /** The only shipment that hears it. Null for an answer, which all who asked hear. */
  readonly shipmentId: string | null
  readonly snapshotId: string | null
  readonly source: Source
  readonly observations: readonly Observation[]
  /** The source's own ids of statements that it takes back. */
  readonly withdrawn: readonly string[]
  /** The source always sends everything it knows: what it leaves out twice in a row is withdrawn. */
  readonly isFullPicture: boolean
  readonly recordedAt: string
  /** `first` when left out. */
  readonly hand?: Hand
  /** Set for a message of a partner; missing for an answer. */
  readonly message?: Message
}

export interface Message {
  /** When it says that it was written; null when it does not say. */
  readonly writtenAt: string | null
  /** The sender's own id of it; null where it gives none. */
  readonly deliveryKey: string | null
}

/** What a reading changes in the claims on record. The same reading a second time adds and retires nothing. */
export interface ReadingChange {
  readonly add: readonly KeptClaim[]
  readonly retire: readonly string[]
  readonly seen: readonly string[]
  /**
   * Claims that a whole picture left out for the first time. The next valid answer decides, even if it has the same
   * bytes.
   */
  readonly missing: readonly string[]
  /** Claims that were left out by a source that does not always send everything. They stand as they are. */
  readonly left: readonly string[]
  /** Set for a message of a partner. A message says nothing about what it does not name. */
  readonly told?: ToldChange
}

export interface ToldChange extends Pick<KeptClaim, 'standsAt' | 'deliveryKey'> {
  /** Put on record as already replaced, because a later statement had come before them. */
  readonly overtaken: readonly KeptClaim[]
  /** Those of `seen` that stand by this message from now on. */
  readonly moved: readonly string[]
}

/** Applies the rule of the core. New observations become claims with ids of their own. */
export function compareReading(live: readonly KeptClaim[], absorption: Absorption): ReadingChange {
  const { message, hand = 'first', recordedAt } = absorption
  const standsAt = message === undefined ? recordedAt : standsAtOf({ ...message, recordedAt })
  const by = { standsAt, hand, deliveryKey: message?.deliveryKey ?? null }
  const { add, overtaken, moved, ...others } = absorbObservations(live, absorption.observations, {
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
  const claimOf = (observation: Observation): KeptClaim => newClaim(observation, absorption, by)
  const change = { add: add.map(claimOf), ...others }
  if (message === undefined) return change
  const told = { standsAt, deliveryKey: by.deliveryKey, overtaken: overtaken.map(claimOf), moved }
  return { ...change, told }
}

function newClaim(
  observation: Observation,
  absorption: Absorption,
  by: Pick<KeptClaim, 'standsAt' | 'hand' | 'deliveryKey'>,
): KeptClaim {
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

/** A claim that no snapshot brought: what a person stated, or what a feed said of a shipment. */
export function unbroughtClaim({
  recordedAt,
  ...said
}: Pick<KeptClaim, 'id' | 'source' | 'observation' | 'recordedAt' | 'shipmentId'>): KeptClaim {
  return {
    ...said,
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
 * A claim is (subject, the source's own key, content): its id shows whether its content is still what was read. The id
 * does not depend on the time or the message. What is relayed is another claim than what is said at first hand.
 */
export function claimId(
  { accountId, shipmentId, subjectId }: Pick<Absorption, 'accountId' | 'shipmentId' | 'subjectId'>,
  { observation, hand }: Pick<KeptClaim, 'observation' | 'hand'>,
): string {
  const name = hand === 'first' ? 'claim' : `claim ${hand}`
  const hearer = shipmentId ?? accountId
  return uuidV5(LANDFALL_NAMESPACE, `${name}:${hearer}:${subjectId}:${canonicalJson(observation)}`)
}
