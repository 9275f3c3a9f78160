/** The units of status reports: one consignment each, or one box each where no document is named. */

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
import { numberOf } from './fields.ts'
import type { Message } from './messages.ts'
import type { EdifactProfile } from './profile.ts'
import type { Segment } from './segments.ts'
import { type Consignment, readStatusGroups, type StatusGroup } from './status-groups.ts'
import { headOf, headSegmentsMax, reportCut, type StatusUnit, type UnitContext } from './unit.ts'

export function* statusUnits(message: Message, { profile, issues }: UnitContext): Generator<StatusUnit> {
  const groups = readStatusGroups(message.segments)
  if (groups.isCut) reportCut(message.head, issues)
  const head = groups.head.slice(0, headSegmentsMax)
  for (const consignment of groups.consignments) yield* unitsOfConsignment(consignment, { head, profile })
}

/** The nearest level that names a document or a box decides: the status, else its consignment, else the message. */
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
  /** Whether a segment of the message's head belongs to this unit. */
  readonly isAlone: (segment: Segment) => boolean
}

/**
 * Without a document, each box may belong to another party, so each box is a unit. A status without a box belongs to
 * nobody.
 */
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

/** Null as key: no box, or a box with an invalid number. */
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

/** `CNI` has the number of a document; only the partner can say of which kind. */
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
