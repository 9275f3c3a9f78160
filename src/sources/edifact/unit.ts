/**
 * The smallest units of a message that concern one party: one consignment of an IFTSTA, or one box of a gate or quay
 * report. A unit consists of its own segments and of the few that it needs from the message's head.
 */

import type { SpokenOf } from '../told.ts'
import type { ReadContext } from './context.ts'
import type { Documents } from './documents.ts'
import { pathTo } from './fields.ts'
import type { Segment } from './segments.ts'
import type { StatusGroup } from './status-groups.ts'

export const unitTypes = ['IFTSTA', 'CODECO', 'COARRI'] as const
export type UnitType = (typeof unitTypes)[number]

interface UnitOf {
  readonly head: readonly Segment[]
  readonly documents: Documents
  /** Containers with a valid number. */
  readonly boxes: readonly string[]
  /** In the order of the message. */
  readonly own: readonly Segment[]
}
export interface StatusUnit extends UnitOf {
  readonly kind: 'statuses'
  /** Boxes that are named for all statuses: before them, or for the whole message. */
  readonly named: readonly Segment[]
  readonly statuses: readonly StatusGroup[]
}
export interface BoxUnit extends UnitOf {
  readonly kind: 'box'
  readonly equipment: Segment
  /** A chassis with an `EQD` of its own, beside the only box. */
  readonly chassis: Segment | null
}
export type Unit = StatusUnit | BoxUnit

export type UnitContext = Pick<ReadContext, 'profile' | 'issues'>

/** Bills, then bookings, then boxes. */
export function aboutOf({ documents, boxes }: Pick<Unit, 'documents' | 'boxes'>): readonly SpokenOf[] {
  const spoken = (kind: SpokenOf['kind'], numbers: readonly string[]): readonly SpokenOf[] =>
    numbers.map((number) => ({ kind, number }))
  return [
    ...spoken('bill_of_lading', documents.bills),
    ...spoken('booking', documents.bookings),
    ...spoken('container', boxes),
  ]
}

/**
 * Segments of the head that every unit keeps: type of message, time of writing, ship and ports. Of the parties only
 * their roles are kept.
 */
const headTags: ReadonlySet<string> = new Set(['BGM', 'DTM', 'TDT', 'LOC', 'NAD'])

/** Real heads are short. The limit is needed because the head is repeated in each unit. */
export const headSegmentsMax = 200

export function headOf(
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
