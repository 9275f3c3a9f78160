/**
 * What one reading of a snapshot brings to one account: claims added, repeated, withdrawn, and issues. The ledger
 * records this by ids, so that an entry can be folded as it was, even if its reader has been mended since.
 */

import type { Hand, Source } from '../../core/statements/observation.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { isKeyOf, type Reading } from '../../sources/source.ts'
import type { JourneyState } from '../../store/journey-state/state.ts'
import type { KeptClaim } from '../../store/journeys/claims.ts'
import type { Issue } from '../../store/journeys/issues.ts'
import type { EntryOf, MessageEntry } from '../../store/ledger/ledger.ts'
import type { RecordedHearing, RecordedTelling } from '../../store/ledger/ledger-payload.ts'
import { claimId, compareReading, type ReadingChange, type ToldChange } from './absorb.ts'
import type { ReadTold } from './read-told.ts'
import { requestsOf, standingClaims } from './state-rows.ts'

export interface Heard {
  readonly change: ReadingChange
  readonly issues: readonly Issue[]
}

export interface HeardAbout {
  readonly accountId: string
  readonly subjectId: string
  readonly scac: string
  readonly snapshotId: string | null
  readonly recordedAt: string
}

/** For a message of a partner. Only one shipment uses it, and the source is the party to which the channel belongs. */
export interface ToldAbout extends Omit<HeardAbout, 'scac'> {
  readonly shipmentId: string
  readonly source: Source
  readonly hand: Hand
  /** Since when the delivery stands: when it says that it was written, else when it was received. */
  readonly standsAt: string
  readonly deliveryKey: string
}

/** Compares the reading with the claims that stand under its subject. */
export function hear(state: JourneyState, reading: Reading, about: HeardAbout): Heard {
  const live = standingClaims(state.subjects.get(about.subjectId))
  return { change: changeBy(live, reading, about), issues: issuesOf(reading, about) }
}

export function changeBy(live: readonly KeptClaim[], reading: Reading, about: HeardAbout): ReadingChange {
  return compareReading(live, {
    ...about,
    shipmentId: null,
    source: { kind: 'shipping_line', code: about.scac },
    observations: reading.observations,
    withdrawn: reading.withdrawn,
    isFullPicture: reading.statedFullPicture,
  })
}

/** Compares a message with what the shipment has got under the same subject. */
export function hearTold(
  state: JourneyState,
  told: Pick<ReadTold, 'reading' | 'scopeOf'>,
  about: ToldAbout,
): Heard {
  const change = changeByMessage(heardBefore(state, about), told, about)
  const asked = withdrawnOf(state, about, told.reading.withdrawn)
  const issues = issuesOf(told.reading, about)
  return { change: { ...change, retire: [...change.retire, ...asked] }, issues }
}

/** `before`: the standing claims that were heard under the same subject. */
export function changeByMessage(
  before: readonly KeptClaim[],
  { reading, scopeOf }: Pick<ReadTold, 'reading' | 'scopeOf'>,
  about: ToldAbout,
): ReadingChange {
  const { standsAt: writtenAt, deliveryKey, ...of } = about
  // A whole picture is complete only for claims in its scopes. It says nothing of other claims under the subject.
  const scopes = new Set(reading.observations.map(({ key }) => scopeOf(key)))
  const isOfPicture = (claim: KeptClaim) => scopes.has(scopeOf(claim.observation.key))
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
  before: readonly KeptClaim[],
  { seen, retire }: ReadingChange,
  deliveryKey: string,
): readonly string[] {
  const same = before.filter((claim) => claim.deliveryKey === deliveryKey)
  if (same.length === 0) return []
  const decided = new Set([...seen, ...retire])
  return same.flatMap(({ id }) => (decided.has(id) ? [] : [id]))
}

/** What a source takes back by a message, it takes back from its answers as well. */
function withdrawnOf(
  state: JourneyState,
  { shipmentId, source }: ToldAbout,
  withdrawn: readonly string[],
): readonly string[] {
  if (withdrawn.length === 0) return []
  return requestsOf(state, shipmentId).flatMap(({ subjectId }) =>
    standingClaims(state.subjects.get(subjectId))
      .filter((claim) => claim.source.kind === source.kind && claim.source.code === source.code)
      .filter(({ observation }) => withdrawn.some((id) => isKeyOf(id, observation.key)))
      .map(({ id }) => id),
  )
}

export function issuesOf(
  reading: Reading,
  { accountId, subjectId }: Pick<HeardAbout, 'accountId' | 'subjectId'>,
): readonly Issue[] {
  return reading.issues.map(({ kind, page, path, lost, detail }) => {
    const place = page === 1 ? path : `page ${page}${path}`
    const id = uuidV5(LANDFALL_NAMESPACE, `issue:${accountId}:${subjectId}:${kind}:${place}:${detail}`)
    return { id, kind, detail, claimId: null, page, path, lost }
  })
}

export function recordHeard({ change, issues }: Heard): { readonly heard: RecordedHearing } {
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
      ...(change.told !== undefined && { told: recordTold(change.told, change.seen) }),
      ...(issues.length > 0 && { issues: [...new Set(issues.map(({ id }) => id))] }),
    },
  }
}

function recordTold({ overtaken, ...told }: ToldChange, seen: readonly string[]): RecordedTelling {
  return { ...told, seen, overtaken: overtaken.map(({ id }) => id) }
}

/** The claims and issues that an entry names, as they are on record. */
export interface OnRecord {
  readonly claims: ReadonlyMap<string, KeptClaim>
  readonly issues: readonly Issue[]
}

type FirstSaid = Pick<
  KeptClaim,
  'recordedAt' | 'standsAt' | 'deliveryKey' | 'firstSnapshotId' | 'goneSnapshotId'
>

/** Restores what the entry brought, from the claims on record. Throws when a claim is not what was read any more. */
export function recallHeard(
  state: JourneyState,
  entry: EntryOf<'look'> | MessageEntry,
  of: { readonly subjectId: string; readonly shipmentId: string | null },
  { claims, issues }: OnRecord,
): Heard {
  const { heard, isReread = false } = entry.payload
  if (heard === undefined) throw new Error('it does not say what was read')
  const { retire = [], missing = [], left = [] } = heard
  const recall = (id: string, first: FirstSaid): KeptClaim => {
    const claim = claims.get(id)
    if (claim === undefined) throw new Error(`the claim ${id} is gone`)
    if (claimId({ ...of, accountId: entry.accountId }, claim) !== id)
      throw new Error(`the claim ${id} does not say any more what was read`)
    return { ...claim, ...first, readAt: entry.recordedAt, retiredAt: null, missingSince: null }
  }
  const add = (heard.add ?? []).flatMap(
    ({ ids, recordedAt, standsAt = recordedAt, deliveryKey = null, ...of }) =>
      ids.map((id) => recall(id, { recordedAt, standsAt, deliveryKey, ...of })),
  )
  if (heard.told !== undefined) {
    const { overtaken, seen, ...told } = heard.told
    const first = {
      recordedAt: entry.recordedAt,
      standsAt: told.standsAt,
      deliveryKey: told.deliveryKey,
      firstSnapshotId: entry.snapshotId,
      goneSnapshotId: null,
    }
    const change = { add, retire, seen, missing, left }
    return {
      change: { ...change, told: { ...told, overtaken: overtaken.map((id) => recall(id, first)) } },
      issues,
    }
  }
  // A second reading names only what it changes.
  const others = new Set([...retire, ...missing, ...left])
  const live = isReread ? [] : heardBefore(state, of)
  const seen = live.flatMap(({ id }) => (others.has(id) ? [] : [id]))
  return { change: { add, retire, seen, missing, left }, issues }
}

/**
 * The standing claims of the subject: those of its answers, which all requests share, or those of messages, only for
 * the shipment that used them.
 */
function heardBefore(
  state: JourneyState,
  { subjectId, shipmentId }: { readonly subjectId: string; readonly shipmentId: string | null },
): readonly KeptClaim[] {
  if (shipmentId === null) return standingClaims(state.subjects.get(subjectId))
  const heard = standingClaims(state.shipments.get(shipmentId)?.claims)
  return heard.filter((claim) => claim.subjectId === subjectId)
}
