/**
 * The smallest units of a message that concern one party: one consignment of an IFTSTA, or one container of a gate or
 * quay report. A unit consists of its own segments and of the few that it needs from the message's head.
 */

import type { MentionedNumber } from '../pushed-source.ts'
import type { ReadContext } from './context.ts'
import type { Documents } from './documents.ts'
import { pathTo } from './fields.ts'
import type { Segment } from './segments.ts'
import type { StatusGroup } from './status-groups.ts'

export const unitTypes = ['IFTSTA', 'CODECO', 'COARRI'] as const
export type UnitType = (typeof unitTypes)[number]

interface MessageUnit {
  readonly head: readonly Segment[]
  readonly documents: Documents
  /** Containers with a valid number. */
  readonly containers: readonly string[]
  /** In the order of the message. */
  readonly ownSegments: readonly Segment[]
}
export interface StatusUnit extends MessageUnit {
  readonly kind: 'statuses'
  /** Containers that are named for all statuses: before them, or for the whole message. */
  readonly named: readonly Segment[]
  readonly statuses: readonly StatusGroup[]
}
export interface ContainerUnit extends MessageUnit {
  readonly kind: 'box'
  readonly equipment: Segment
  /** A chassis with an `EQD` of its own, beside the only container. */
  readonly chassis: Segment | null
}
export type Unit = StatusUnit | ContainerUnit

export type UnitContext = Pick<ReadContext, 'profile' | 'issues'>

/** Bills, then bookings, then containers. */
export function listUnitNumbers({
  documents,
  containers,
}: Pick<Unit, 'documents' | 'containers'>): readonly MentionedNumber[] {
  const mentioned = (kind: MentionedNumber['kind'], numbers: readonly string[]): readonly MentionedNumber[] =>
    numbers.map((number) => ({ kind, number }))
  return [
    ...mentioned('bill_of_lading', documents.bills),
    ...mentioned('booking', documents.bookings),
    ...mentioned('container', containers),
  ]
}

/**
 * Segments of the head that every unit contains: type of message, time of writing, ship and ports. Of the parties only
 * their roles are retained.
 */
const headTags: ReadonlySet<string> = new Set(['BGM', 'DTM', 'TDT', 'LOC', 'NAD'])

/** Real heads are short. The limit is needed because the head is repeated in each unit. */
export const headSegmentsMax = 200

export function selectHeadSegments(
  head: readonly Segment[],
  isNeeded: (segment: Segment) => boolean,
): readonly Segment[] {
  return head.filter((segment) => headTags.has(segment.tag) || isNeeded(segment))
}

export function reportCut(message: Segment, issues: UnitContext['issues']): void {
  const at = { path: pathTo(message), lost: 'field' } as const
  issues.addOnce(
    'broken_syntax',
    at,
    'the head, a consignment or a status has too many segments: the rest of it is not read',
  )
}
