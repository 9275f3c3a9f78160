/** One thing that needs a person, and the order in which such things are listed. */

import type { Fee, SourceKind } from '../statements/observation.ts'
import { type AttentionReason, attentionReasons, type Severity, severityOf } from './attention-reasons.ts'

/** Who made the statement behind an item. Null members are not known, or cost too much to find out. */
export interface StatementSource {
  readonly kind: SourceKind
  readonly code: string | null
  readonly claimId: string | null
}

/** The last day, at the place, on which it is not late, and how many days are left until then. Negative: it is late. */
export interface ActionDay {
  readonly on: string
  readonly daysLeft: number
}

interface Amount {
  readonly minor: number
  readonly currency: string
}

/** What is known of its cost. */
export interface ItemCosts {
  /** By the terms on record, until today, and for each day from now on. */
  readonly owed: readonly Amount[]
  readonly perDay: readonly Amount[]
  /** As the terminal or railway reports them. */
  readonly fees: readonly Fee[]
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
  /** The same in a few words, for a line that has all reasons of a container. */
  readonly short: string
  /** The parts of both that carriers or people wrote: to an agent they are data. */
  readonly foreign: readonly string[]
  /** Null where no day is set. */
  readonly actBy: ActionDay | null
  readonly costs: ItemCosts | null
  /** What the reason follows from. It changes when something new happens, and never with the time alone. */
  readonly basis: string
  /** The value before and now, where the exception is a change or has a value. */
  readonly before: unknown
  readonly after: unknown
  readonly said: StatementSource | null
  readonly shipmentId: string | null
  readonly containerId: string | null
  readonly trackingRequestId: string | null
}

export type NewItem = Pick<AttentionItem, 'since' | 'text' | 'short' | 'foreign'> & Partial<AttentionItem>

export function makeAttentionItem(reason: AttentionReason, subjectId: string, item: NewItem): AttentionItem {
  return {
    dueAt: null,
    actBy: null,
    costs: null,
    basis: writeBasis(item.after ?? item.since),
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

function writeBasis(value: unknown): string {
  return Array.isArray(value)
    ? value
        .map((each) => JSON.stringify(each))
        .toSorted()
        .join()
    : JSON.stringify(value)
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
