/**
 * The finest units of a message that concern one party: of an IFTSTA what is said of one consignment, of gate and quay
 * reports one box. What a unit is kept and read with is its own segments and the few of the message's head that it needs.
 */

import type { SpokenOf } from '../told.ts'
import type { ReadContext } from './context.ts'
import {
  boxOf,
  type Documents,
  documentNumber,
  documentsOf,
  hasDocuments,
  isBox,
  isDocument,
  noDocuments,
} from './documents.ts'
import { codeOf, numberOf, pathTo } from './fields.ts'
import type { Message } from './messages.ts'
import type { EdifactProfile } from './profile.ts'
import type { Segment } from './segments.ts'
import { type Consignment, readStatusGroups, type StatusGroup } from './status-groups.ts'

export const unitTypes = ['IFTSTA', 'CODECO', 'COARRI'] as const
export type UnitType = (typeof unitTypes)[number]

interface UnitOf {
  readonly head: readonly Segment[]
  readonly documents: Documents
  /** Containers, as far as their numbers are any. */
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
  /** A chassis that came as equipment of its own beside the only box. */
  readonly chassis: Segment | null
}
export type Unit = StatusUnit | BoxUnit

type UnitContext = Pick<ReadContext, 'profile' | 'issues'>

/** One after the other: together they may be many times as long as the message. */
export function readUnits(type: UnitType, message: Message, of: UnitContext): Iterable<Unit> {
  return type === 'IFTSTA' ? statusUnits(message, of) : boxUnits(message, of)
}

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

/** Of the head: which message, when it was written, what ship and ports; who took part stays out but for the role. */
const headTags: ReadonlySet<string> = new Set(['BGM', 'DTM', 'TDT', 'LOC', 'NAD'])

/** Heads are short; it goes with each unit. */
const headSegmentsMax = 200

function headOf(head: readonly Segment[], isNeeded: (segment: Segment) => boolean): readonly Segment[] {
  return head.filter((segment) => headTags.has(segment.tag) || isNeeded(segment))
}

function boxUnits({ segments, head: message }: Message, { issues }: UnitContext): readonly BoxUnit[] {
  const first = segments.findIndex(({ tag }) => tag === 'EQD')
  const head = segments.slice(0, Math.min(first < 0 ? segments.length : first, headSegmentsMax))
  if (first > headSegmentsMax) reportCut(message, issues)
  const groups: Segment[][] = []
  for (const segment of first < 0 ? [] : segments.slice(first)) {
    if (segment.tag === 'EQD') groups.push([segment])
    else if (segment.tag !== 'CNT') groups.at(-1)?.push(segment)
  }
  const ofKind = (kind: string) => groups.filter(([equipment]) => equipment && codeOf(equipment, 0) === kind)
  const boxes = ofKind('CN')
  const chassis = ofKind('CH')
  const beside = boxes.length === 1 && chassis.length === 1 ? (chassis[0] ?? []) : []
  const ofHead = documentsOf(head)
  const needed = { own: headOf(head, () => false), shared: headOf(head, isDocument) }
  return boxes.flatMap((group): readonly BoxUnit[] => {
    const [equipment] = group
    if (equipment === undefined) return []
    const own = documentsOf(group)
    const box = boxOf(equipment)
    return [
      {
        kind: 'box',
        head: hasDocuments(own) ? needed.own : needed.shared,
        documents: hasDocuments(own) ? own : ofHead,
        boxes: box === null ? [] : [box],
        own: [...group, ...beside].toSorted((a, b) => a.number - b.number),
        equipment,
        chassis: beside[0] ?? null,
      },
    ]
  })
}

function* statusUnits(message: Message, { profile, issues }: UnitContext): Generator<StatusUnit> {
  const groups = readStatusGroups(message.segments)
  if (groups.isCut) reportCut(message.head, issues)
  const head = groups.head.slice(0, headSegmentsMax)
  for (const consignment of groups.consignments) yield* unitsOfConsignment(consignment, { head, profile })
}

function reportCut(message: Segment, issues: UnitContext['issues']): void {
  const at = { path: pathTo(message), lost: 'field' } as const
  issues.addOnce('broken_syntax', at, 'a head, a consignment or a status of more segments than any has')
}

/** The nearest that names a document or a box decides: the status, else its consignment, else the message. */
function* unitsOfConsignment(
  consignment: Consignment,
  { head, profile }: { readonly head: readonly Segment[]; readonly profile: EdifactProfile },
): Generator<StatusUnit> {
  const ofConsignment = consignmentDocuments(consignment, profile)
  const groups = new Map<string, { documents: Documents; statuses: StatusGroup[]; level: Level }>()
  for (const status of consignment.statuses) {
    const own = documentsOf(segmentsIn(status))
    const level = hasDocuments(own) ? 'status' : hasDocuments(ofConsignment) ? 'consignment' : 'head'
    const documents = { status: own, consignment: ofConsignment, head: documentsOf(head) }[level]
    const key = `${level} ${documents.bills.join(' ')}|${documents.bookings.join(' ')}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { documents, statuses: [status], level })
    else group.statuses.push(status)
  }
  for (const { documents, statuses, level } of groups.values()) {
    const own = level === 'status' ? consignment.own.filter((each) => !isDocument(each)) : consignment.own
    const isAlone = (segment: Segment) => level === 'head' && isDocument(segment)
    const unit = { own, head, documents, statuses, isAlone }
    if (hasDocuments(documents)) yield statusUnit(unit)
    else for (const one of perBox(unit)) yield statusUnit(one)
  }
}

type Level = 'status' | 'consignment' | 'head'
interface UnitDraft {
  readonly own: readonly Segment[]
  readonly head: readonly Segment[]
  readonly documents: Documents
  readonly statuses: readonly StatusGroup[]
  /** Whether a segment of the head belongs to the unit. */
  readonly isAlone: (segment: Segment) => boolean
}

/** Without a document each box may be another party's, and a status without a box is nobody's. */
function* perBox(draft: UnitDraft): Generator<UnitDraft> {
  const byBox = new Map<string | null, StatusGroup[]>()
  for (const status of draft.statuses) {
    const isNaming = status.own.some(isBox)
    for (const [box, boxes] of groupsByBox(status)) {
      const own = isNaming ? status.own.filter((each) => !isBox(each) || boxOf(each) === box) : status.own
      const statuses = byBox.get(box)
      if (statuses === undefined) byBox.set(box, [{ ...status, own, boxes }])
      else statuses.push({ ...status, own, boxes })
    }
  }
  if (byBox.size < 2) yield draft
  else for (const statuses of byBox.values()) yield { ...draft, statuses }
}

/** Null for what names no box that can be one. */
function groupsByBox({
  own,
  boxes,
}: StatusGroup): ReadonlyMap<string | null, readonly (readonly Segment[])[]> {
  const groups = new Map<string | null, (readonly Segment[])[]>()
  for (const segment of own) if (isBox(segment)) groups.set(boxOf(segment), [])
  for (const group of boxes) {
    const [equipment] = group
    const box = equipment !== undefined && isBox(equipment) ? boxOf(equipment) : null
    const known = groups.get(box)
    if (known === undefined) groups.set(box, [group])
    else known.push(group)
  }
  return groups.size === 0 ? new Map([[null, []]]) : groups
}

function statusUnit({ own, head, documents, statuses, isAlone }: UnitDraft): StatusUnit {
  const inStatuses = statuses.flatMap(segmentsIn)
  const nearest = [...own, ...inStatuses].some(isBox)
  const named = nearest ? own.filter(isBox) : head.filter(isBox)
  const boxes = [...named, ...inStatuses.filter(isBox)].map(boxOf).filter((box) => box !== null)
  return {
    kind: 'statuses',
    head: headOf(head, (segment) => isAlone(segment) || (!nearest && isBox(segment))),
    documents,
    boxes: [...new Set(boxes)],
    own: [...own, ...inStatuses],
    named,
    statuses,
  }
}

export function segmentsIn({ own, transports, boxes }: StatusGroup): readonly Segment[] {
  return [...own, ...transports.flat(), ...boxes.flat()].toSorted((a, b) => a.number - b.number)
}

/** `CNI` has a number of a document; of which kind only the partner can say. */
function consignmentDocuments({ own, kind }: Consignment, { consignmentNumber }: EdifactProfile): Documents {
  const [opening] = own
  const said = documentsOf(own)
  if (kind !== 'CNI' || opening === undefined || consignmentNumber === 'none') return said
  const number = documentNumber(numberOf(opening, 1))
  const merged =
    consignmentNumber === 'bill_of_lading'
      ? { ...noDocuments, bills: number }
      : { ...noDocuments, bookings: number }
  return {
    bills: [...new Set([...said.bills, ...merged.bills])],
    bookings: [...new Set([...said.bookings, ...merged.bookings])],
  }
}
