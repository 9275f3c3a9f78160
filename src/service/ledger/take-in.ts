/** What becomes of the claims on record when a source has spoken: the one place where a claim's fate is written. */

import { asKept } from '../../core/json-value.ts'
import type { SaidClaims, WrittenClaim } from '../../store/journey-state/state.ts'
import type { KeptClaim } from '../../store/journeys/claims.ts'
import type { ReadingChange } from './absorb.ts'

/**
 * New ones stand; one that was retired and is said again stands again, as what it was first said in; what is merely
 * repeated stays the same row. What a source says again is neither gone nor missing. What a later word had overtaken before
 * it came is on record, and never stood.
 */
export function takeIn(
  said: SaidClaims,
  change: ReadingChange,
  by: { readonly at: string; readonly snapshotId: string | null; readonly reader: string },
): SaidClaims {
  const { at, snapshotId, reader } = by
  const after = new Map(said)
  const put = (id: string, to: (claim: WrittenClaim) => Partial<KeptClaim>): void => {
    const claim = after.get(id)
    if (claim !== undefined) after.set(id, { ...claim, ...to(claim) })
  }
  const gone = (claim: WrittenClaim) => ({ goneSnapshotId: claim.goneSnapshotId ?? snapshotId })
  for (const id of change.retire) put(id, (claim) => ({ retiredAt: at, ...gone(claim) }))
  for (const id of change.missing) put(id, (claim) => ({ missingSince: at, ...gone(claim) }))
  for (const id of change.left) if (after.get(id)?.goneSnapshotId === null) put(id, gone)
  for (const id of change.seen) {
    const claim = after.get(id)
    const isSaid = claim?.goneSnapshotId === null && claim.missingSince === null
    if (!isSaid) put(id, () => ({ goneSnapshotId: null, missingSince: null }))
  }
  for (const claim of change.add) after.set(claim.id, added(after.get(claim.id), claim, reader))
  if (change.told === undefined) return after
  const { standsAt, deliveryKey, moved, overtaken } = change.told
  for (const id of moved) put(id, () => ({ standsAt, deliveryKey }))
  for (const claim of overtaken)
    after.set(claim.id, { ...added(after.get(claim.id), claim, reader), retiredAt: at })
  return after
}

function added(known: WrittenClaim | undefined, claim: KeptClaim, reader: string): WrittenClaim {
  const { recordedAt, readAt, standsAt, deliveryKey, goneSnapshotId } = claim
  const standing = { reader, retiredAt: null, missingSince: null }
  const said = { recordedAt, readAt, standsAt, deliveryKey, goneSnapshotId }
  if (known !== undefined) return { ...known, ...standing, ...said }
  // As the database gives it back, so that it makes no difference whether it was read or remembered.
  return { ...claim, observation: asKept(claim.observation), ...standing }
}
