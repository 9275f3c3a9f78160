/** One thing that needs a person, and the order in which such things are listed. */

import type { SourceKind } from '../statements/observation.ts'
import { type AttentionReason, attentionReasons, type Severity, severityOf } from './attention-reasons.ts'

/** Who made the statement behind an item. Null members are not known, or cost too much to find out. */
export interface StatementSource {
  readonly kind: SourceKind
  readonly code: string | null
  readonly claimId: string | null
}

export interface AttentionItem {
  /** The reason, a dot, and the id of the container, shipment or request. It stays the same over time. */
  readonly id: string
  readonly reason: AttentionReason
  readonly severity: Severity
  /** Since when it is so, as far as that is known. */
  readonly since: string | null
  readonly dueAt: string | null
  readonly text: string
  /** The value before and now, where the exception is a change or has a value. */
  readonly before: unknown
  readonly after: unknown
  readonly said: StatementSource | null
  readonly shipmentId: string | null
  readonly containerId: string | null
  readonly trackingRequestId: string | null
}

export type NewItem = Pick<AttentionItem, 'since' | 'text'> & Partial<AttentionItem>

export function makeAttentionItem(reason: AttentionReason, subjectId: string, item: NewItem): AttentionItem {
  return {
    dueAt: null,
    before: null,
    after: null,
    said: null,
    shipmentId: null,
    containerId: null,
    trackingRequestId: null,
    ...item,
    id: `${reason}.${subjectId}`,
    reason,
    severity: severityOf[reason],
  }
}

export interface ItemKey {
  readonly reason: AttentionReason
  readonly subjectId: string
}

/** Null for a text that is no id of an item. */
export function parseItemId(id: string): ItemKey | null {
  const [, name, subjectId] = /^([a-z_]+)\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(id) ?? []
  const reason = attentionReasons.find((each) => each === name)
  return reason === undefined || subjectId === undefined ? null : { reason, subjectId: subjectId.toLowerCase() }
}

/** The position of an item in the list. It does not depend on the present moment, so pages stay in one order. */
export interface Rank {
  readonly reason: AttentionReason
  /** Milliseconds. A smaller number comes first. */
  readonly key: number
  readonly id: string
}

/**
 * By reason first, the most urgent reason first. Within a reason: what is due next comes first; of what has happened,
 * the newest comes first, because the older ones have been seen.
 */
export function rankOf({ reason, since, dueAt, id }: AttentionItem): Rank {
  if (reason === 'free_time_ends_soon') return { reason, key: msOf(dueAt), id }
  return { reason, key: -msOf(dueAt ?? since), id }
}

export function compareRanks(a: Rank, b: Rank): number {
  return (
    attentionReasons.indexOf(a.reason) - attentionReasons.indexOf(b.reason) ||
    a.key - b.key ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  )
}

function msOf(at: string | null): number {
  return at === null ? 0 : Date.parse(at)
}
