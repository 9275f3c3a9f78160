/** Changes the claims on record after a source has stated something. Only this file decides what happens to a claim. */

import { asStored } from '../../domain/values/json-value.ts'
import type { StoredClaim } from '../projection/claims-sql.ts'
import type { ClaimsById, WrittenClaim } from '../projection/journey-state-sql.ts'
import type { ReadingChange } from './compare-reading.ts'

/**
 * New claims become active. A retired claim that is stated again becomes active again and keeps its first snapshot. A
 * claim that is only repeated keeps its row, and is neither gone nor missing. A claim that a later statement had
 * replaced before it came is put on record, but was never active.
 */
export function applyStatements(
  statedClaims: ClaimsById,
  change: ReadingChange,
  by: { readonly at: string; readonly snapshotId: string | null; readonly reader: string },
): ClaimsById {
  const { at, snapshotId, reader } = by
  const after = new Map(statedClaims)
  const put = (id: string, to: (claim: WrittenClaim) => Partial<StoredClaim>): void => {
    const claim = after.get(id)
    if (claim !== undefined) after.set(id, { ...claim, ...to(claim) })
  }
  const markGone = (claim: WrittenClaim) => ({ goneSnapshotId: claim.goneSnapshotId ?? snapshotId })
  for (const id of change.retire) put(id, (claim) => ({ retiredAt: at, ...markGone(claim) }))
  for (const id of change.missing) put(id, (claim) => ({ missingSince: at, ...markGone(claim) }))
  for (const id of change.left) if (after.get(id)?.goneSnapshotId === null) put(id, markGone)
  for (const id of change.seen) {
    const claim = after.get(id)
    const isCurrent = claim?.goneSnapshotId === null && claim.missingSince === null
    if (!isCurrent) put(id, () => ({ goneSnapshotId: null, missingSince: null }))
  }
  for (const claim of change.add) after.set(claim.id, mergeClaim(after.get(claim.id), claim, reader))
  if (change.messageChange === undefined) return after
  const { standsAt, deliveryKey, moved, overtaken } = change.messageChange
  for (const id of moved) put(id, () => ({ standsAt, deliveryKey }))
  for (const claim of overtaken)
    after.set(claim.id, { ...mergeClaim(after.get(claim.id), claim, reader), retiredAt: at })
  return after
}

function mergeClaim(known: WrittenClaim | undefined, claim: StoredClaim, reader: string): WrittenClaim {
  const { recordedAt, readAt, standsAt, deliveryKey, goneSnapshotId } = claim
  const activeFields = { reader, retiredAt: null, missingSince: null }
  const statedFields = { recordedAt, readAt, standsAt, deliveryKey, goneSnapshotId }
  if (known !== undefined) return { ...known, ...activeFields, ...statedFields }
  // As the database would return it, so that it makes no difference whether a claim was read or kept in memory.
  return { ...claim, observation: asStored(claim.observation), ...activeFields }
}
