/**
 * The result of one reading of a snapshot for one account: claims added, repeated, withdrawn, and issues. The ledger
 * records this by ids, so that an entry can be folded as it was, even if its reader has been corrected since.
 */

import { isKeyOf, type Reading } from '../../connectors/source.ts'
import type { Hand, Source } from '../../domain/statements/observation.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { StoredClaim } from '../projection/claims-sql.ts'
import type { Issue } from '../projection/issues-sql.ts'
import type { JourneyState } from '../projection/journey-state-sql.ts'
import { claimId, compareReading, type MessageChange, type ReadingChange } from './compare-reading.ts'
import type { RecordedIngestion, RecordedMessageChange } from './ledger-payload-sql.ts'
import type { EntryOf, MessageEntry } from './ledger-sql.ts'
import type { MessagePartReading } from './parse-message-part.ts'
import { findActiveClaims, requestsOf } from './state-rows.ts'

export interface IngestResult {
  readonly change: ReadingChange
  readonly issues: readonly Issue[]
}

export interface IngestContext {
  readonly accountId: string
  readonly subjectId: string
  readonly scac: string
  readonly snapshotId: string | null
  readonly recordedAt: string
}

/** For a message of a partner. Only one shipment uses it, and the source is the party to which the channel belongs. */
export interface MessageContext extends Omit<IngestContext, 'scac'> {
  readonly shipmentId: string
  readonly source: Source
  readonly hand: Hand
  /** Since when the delivery is effective: when it was written, as it states, else when it was received. */
  readonly standsAt: string
  readonly deliveryKey: string
}

/** Compares the reading with the active claims of its poll target. */
export function ingestAnswerReading(state: JourneyState, reading: Reading, about: IngestContext): IngestResult {
  const live = findActiveClaims(state.claimsByTarget.get(about.subjectId))
  return { change: compareAnswerReading(live, reading, about), issues: issuesOf(reading, about) }
}

export function compareAnswerReading(
  live: readonly StoredClaim[],
  reading: Reading,
  about: IngestContext,
): ReadingChange {
  return compareReading(live, {
    ...about,
    shipmentId: null,
    source: { kind: 'shipping_line', code: about.scac },
    observations: reading.observations,
    withdrawn: reading.withdrawn,
    isFullPicture: reading.statedFullPicture,
  })
}

/** Compares a message with what the shipment has received under the same poll target. */
export function ingestMessageReading(
  state: JourneyState,
  partReading: Pick<MessagePartReading, 'reading' | 'scopeOf'>,
  about: MessageContext,
): IngestResult {
  const change = compareMessageReading(findEarlierClaims(state, about), partReading, about)
  const retracted = withdrawnOf(state, about, partReading.reading.withdrawn)
  const issues = issuesOf(partReading.reading, about)
  return { change: { ...change, retire: [...change.retire, ...retracted] }, issues }
}

/** `before`: the active claims that were ingested under the same poll target. */
export function compareMessageReading(
  before: readonly StoredClaim[],
  { reading, scopeOf }: Pick<MessagePartReading, 'reading' | 'scopeOf'>,
  about: MessageContext,
): ReadingChange {
  const { standsAt: writtenAt, deliveryKey, ...of } = about
  // A full picture is complete only for claims in its scopes. It states nothing about other claims of the poll target.
  const scopes = new Set(reading.observations.map(({ key }) => scopeOf(key)))
  const isOfPicture = (claim: StoredClaim) => scopes.has(scopeOf(claim.observation.key))
  const change = compareReading(reading.statedFullPicture ? before.filter(isOfPicture) : before, {
    ...of,
    message: { writtenAt, deliveryKey },
    observations: reading.observations,
    withdrawn: reading.withdrawn,
    isFullPicture: reading.statedFullPicture,
  })
  return { ...change, retire: [...change.retire, ...misreadOf(before, change, deliveryKey)] }
}

/**
 * Claims that an earlier reading of the same delivery made, when a code in it had no meaning yet, and that this reading
 * does not make.
 */
function misreadOf(
  before: readonly StoredClaim[],
  { seen, retire }: ReadingChange,
  deliveryKey: string,
): readonly string[] {
  const same = before.filter((claim) => claim.deliveryKey === deliveryKey)
  if (same.length === 0) return []
  const decided = new Set([...seen, ...retire])
  return same.flatMap(({ id }) => (decided.has(id) ? [] : [id]))
}

/** What a source withdraws by a message, it withdraws from its answers as well. */
function withdrawnOf(
  state: JourneyState,
  { shipmentId, source }: MessageContext,
  withdrawn: readonly string[],
): readonly string[] {
  if (withdrawn.length === 0) return []
  return requestsOf(state, shipmentId).flatMap(({ subjectId }) =>
    findActiveClaims(state.claimsByTarget.get(subjectId))
      .filter((claim) => claim.source.kind === source.kind && claim.source.code === source.code)
      .filter(({ observation }) => withdrawn.some((id) => isKeyOf(id, observation.key)))
      .map(({ id }) => id),
  )
}

export function issuesOf(
  reading: Reading,
  { accountId, subjectId }: Pick<IngestContext, 'accountId' | 'subjectId'>,
): readonly Issue[] {
  return reading.issues.map(({ kind, page, path, lost, detail }) => {
    const place = page === 1 ? path : `page ${page}${path}`
    const id = uuidV5(LANDFALL_NAMESPACE, `issue:${accountId}:${subjectId}:${kind}:${place}:${detail}`)
    return { id, kind, detail, claimId: null, page, path, lost }
  })
}

export function recordIngestedClaims({ change, issues }: IngestResult): {
  readonly heard: RecordedIngestion
} {
  const groups = Map.groupBy(
    change.add,
    (claim) =>
      `${claim.recordedAt} ${claim.standsAt} ${claim.firstSnapshotId ?? ''} ${claim.goneSnapshotId ?? ''} ${claim.deliveryKey ?? ''}`,
  )
  const add = [...groups.values()].flatMap((claims) => {
    const [first] = claims
    if (first === undefined) return []
    const { recordedAt, standsAt, deliveryKey, firstSnapshotId, goneSnapshotId } = first
    const ids = claims.map(({ id }) => id)
    const of = {
      ...(standsAt !== recordedAt && { standsAt }),
      ...(deliveryKey !== null && { deliveryKey }),
    }
    return [{ recordedAt, ...of, firstSnapshotId, goneSnapshotId, ids }]
  })
  return {
    heard: {
      ...(add.length > 0 && { add }),
      ...(change.retire.length > 0 && { retire: change.retire }),
      ...(change.missing.length > 0 && { missing: change.missing }),
      ...(change.left.length > 0 && { left: change.left }),
      ...(change.messageChange !== undefined && {
        told: recordMessageChange(change.messageChange, change.seen),
      }),
      ...(issues.length > 0 && { issues: [...new Set(issues.map(({ id }) => id))] }),
    },
  }
}

function recordMessageChange({ overtaken, ...fields }: MessageChange, seen: readonly string[]): RecordedMessageChange {
  return { ...fields, seen, overtaken: overtaken.map(({ id }) => id) }
}

/** The claims and issues that an entry names, as they are on record. */
export interface ClaimsAndIssues {
  readonly claims: ReadonlyMap<string, StoredClaim>
  readonly issues: readonly Issue[]
}

type FirstStatement = Pick<
  StoredClaim,
  'recordedAt' | 'standsAt' | 'deliveryKey' | 'firstSnapshotId' | 'goneSnapshotId'
>

/**
 * Restores the claims and issues of the entry, from the claims on record. Throws when a claim is not what was read any
 * more.
 */
export function recallIngestion(
  state: JourneyState,
  entry: EntryOf<'look'> | MessageEntry,
  of: { readonly subjectId: string; readonly shipmentId: string | null },
  { claims, issues }: ClaimsAndIssues,
): IngestResult {
  const { heard: recorded, isReread = false } = entry.payload
  if (recorded === undefined) throw new Error('it does not say what was read')
  const { retire = [], missing = [], left = [] } = recorded
  const recall = (id: string, first: FirstStatement): StoredClaim => {
    const claim = claims.get(id)
    if (claim === undefined) throw new Error(`the claim ${id} is gone`)
    if (claimId({ ...of, accountId: entry.accountId }, claim) !== id)
      throw new Error(`the claim ${id} no longer contains what was read`)
    return { ...claim, ...first, readAt: entry.recordedAt, retiredAt: null, missingSince: null }
  }
  const add = (recorded.add ?? []).flatMap(({ ids, recordedAt, standsAt = recordedAt, deliveryKey = null, ...of }) =>
    ids.map((id) => recall(id, { recordedAt, standsAt, deliveryKey, ...of })),
  )
  if (recorded.told !== undefined) {
    const { overtaken, seen, ...fields } = recorded.told
    const first = {
      recordedAt: entry.recordedAt,
      standsAt: fields.standsAt,
      deliveryKey: fields.deliveryKey,
      firstSnapshotId: entry.snapshotId,
      goneSnapshotId: null,
    }
    const change = { add, retire, seen, missing, left }
    return {
      change: {
        ...change,
        messageChange: { ...fields, overtaken: overtaken.map((id) => recall(id, first)) },
      },
      issues,
    }
  }
  // A second reading names only what it changes.
  const others = new Set([...retire, ...missing, ...left])
  const live = isReread ? [] : findEarlierClaims(state, of)
  const seen = live.flatMap(({ id }) => (others.has(id) ? [] : [id]))
  return { change: { add, retire, seen, missing, left }, issues }
}

/**
 * The active claims of the poll target: those of its answers, which all requests share, or those of messages, only for
 * the shipment that used them.
 */
function findEarlierClaims(
  state: JourneyState,
  { subjectId, shipmentId }: { readonly subjectId: string; readonly shipmentId: string | null },
): readonly StoredClaim[] {
  if (shipmentId === null) return findActiveClaims(state.claimsByTarget.get(subjectId))
  const shipmentClaims = findActiveClaims(state.shipments.get(shipmentId)?.claims)
  return shipmentClaims.filter((claim) => claim.subjectId === subjectId)
}
