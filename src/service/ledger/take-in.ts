/** Changes the claims on record after a source has stated something. Only this file decides what happens to a claim. */

import { asKept } from '../../core/values/json-value.ts'
import type { SaidClaims, WrittenClaim } from '../../store/journey-state/state.ts'
import type { KeptClaim } from '../../store/journeys/claims.ts'
import type { ReadingChange } from './absorb.ts'

/**
 * New claims stand. A retired claim that is said again stands again and keeps its first snapshot. A claim that is only
 * repeated keeps its row, and is neither gone nor missing. A claim that a later statement had overtaken before it came
 * is put on record, but never stood.
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
  // As the database would return it, so that it makes no difference whether a claim was read or kept in memory.
  return { ...claim, observation: asKept(claim.observation), ...standing }
}
