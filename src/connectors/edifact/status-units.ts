/** The units of status reports: one consignment each, or one container each where no document is named. */

import {
  containerOf,
  type Documents,
  documentsOf,
  hasDocuments,
  isContainer,
  isDocument,
  noDocuments,
  parseDocumentNumber,
} from './documents.ts'
import { numberOf } from './fields.ts'
import type { Message } from './messages.ts'
import type { EdifactProfile } from './profile.ts'
import type { Segment } from './segments.ts'
import { type Consignment, readStatusGroups, type StatusGroup } from './status-groups.ts'
import { headSegmentsMax, reportCut, type StatusUnit, selectHeadSegments, type UnitContext } from './unit.ts'

export function* statusUnits(message: Message, { profile, issues }: UnitContext): Generator<StatusUnit> {
  const groups = readStatusGroups(message.segments)
  if (groups.isCut) reportCut(message.head, issues)
  const head = groups.head.slice(0, headSegmentsMax)
  for (const consignment of groups.consignments) yield* unitsOfConsignment(consignment, { head, profile })
}

/**
 * The nearest level that names a document or a container decides: the status, else its consignment, else the message.
 */
function* unitsOfConsignment(
  consignment: Consignment,
  { head, profile }: { readonly head: readonly Segment[]; readonly profile: EdifactProfile },
): Generator<StatusUnit> {
  const ofConsignment = consignmentDocuments(consignment, profile)
  const ofHead = documentsOf(head)
  const groups = new Map<string, { documents: Documents; statuses: StatusGroup[]; level: Level }>()
  for (const status of consignment.statuses) {
    const own = documentsOf(segmentsIn(status))
    const level = hasDocuments(own) ? 'status' : hasDocuments(ofConsignment) ? 'consignment' : 'head'
    const documents = { status: own, consignment: ofConsignment, head: ofHead }[level]
    const key = `${level} ${documents.bills.join(' ')}|${documents.bookings.join(' ')}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { documents, statuses: [status], level })
    else group.statuses.push(status)
  }
  for (const { documents, statuses, level } of groups.values()) {
    const own =
      level === 'status' ? consignment.ownSegments.filter((each) => !isDocument(each)) : consignment.ownSegments
    const isAlone = (segment: Segment) => level === 'head' && isDocument(segment)
    const unit = { ownSegments: own, head, documents, statuses, isAlone }
    if (hasDocuments(documents)) yield statusUnit(unit)
    else for (const one of splitByContainer(unit)) yield statusUnit(one)
  }
}

type Level = 'status' | 'consignment' | 'head'
interface UnitDraft {
  readonly ownSegments: readonly Segment[]
  readonly head: readonly Segment[]
  readonly documents: Documents
  readonly statuses: readonly StatusGroup[]
  /** Whether a segment of the message's head belongs to this unit. */
  readonly isAlone: (segment: Segment) => boolean
}

/**
 * Without a document, each container may belong to another party, so each container is a unit. A status without a
 * container has no owner.
 */
function* splitByContainer(draft: UnitDraft): Generator<UnitDraft> {
  const byContainer = new Map<string | null, StatusGroup[]>()
  for (const status of draft.statuses) {
    const isNaming = status.ownSegments.some(isContainer)
    for (const [container, containers] of groupByContainer(status)) {
      const ownSegments = isNaming
        ? status.ownSegments.filter((each) => !isContainer(each) || containerOf(each) === container)
        : status.ownSegments
      const statuses = byContainer.get(container)
      if (statuses === undefined) byContainer.set(container, [{ ...status, ownSegments, containers }])
      else statuses.push({ ...status, ownSegments, containers })
    }
  }
  if (byContainer.size < 2) yield draft
  else for (const statuses of byContainer.values()) yield { ...draft, statuses }
}

/** Null as key: no container, or a container with an invalid number. */
function groupByContainer({
  ownSegments,
  containers,
}: StatusGroup): ReadonlyMap<string | null, readonly (readonly Segment[])[]> {
  const groups = new Map<string | null, (readonly Segment[])[]>()
  for (const segment of ownSegments) if (isContainer(segment)) groups.set(containerOf(segment), [])
  for (const group of containers) {
    const [equipment] = group
    const container = equipment !== undefined && isContainer(equipment) ? containerOf(equipment) : null
    const known = groups.get(container)
    if (known === undefined) groups.set(container, [group])
    else known.push(group)
  }
  return groups.size === 0 ? new Map([[null, []]]) : groups
}

function statusUnit({ ownSegments, head, documents, statuses, isAlone }: UnitDraft): StatusUnit {
  const inStatuses = statuses.flatMap(segmentsIn)
  const nearest = [...ownSegments, ...inStatuses].some(isContainer)
  const named = nearest ? ownSegments.filter(isContainer) : head.filter(isContainer)
  const containers = [...named, ...inStatuses.filter(isContainer)]
    .map((segment) => containerOf(segment))
    .filter((container) => container !== null)
  return {
    kind: 'statuses',
    head: selectHeadSegments(head, (segment) => isAlone(segment) || (!nearest && isContainer(segment))),
    documents,
    containers: [...new Set(containers)],
    ownSegments: [...ownSegments, ...inStatuses],
    named,
    statuses,
  }
}

export function segmentsIn({ ownSegments, transports, containers }: StatusGroup): readonly Segment[] {
  return [...ownSegments, ...transports.flat(), ...containers.flat()].toSorted((a, b) => a.number - b.number)
}

/** `CNI` has the number of a document; only the partner knows of which kind. */
function consignmentDocuments({ ownSegments, kind }: Consignment, { consignmentNumber }: EdifactProfile): Documents {
  const [opening] = ownSegments
  const ownDocuments = documentsOf(ownSegments)
  if (kind !== 'CNI' || opening === undefined || consignmentNumber === 'none') return ownDocuments
  const number = parseDocumentNumber(numberOf(opening, 1))
  const merged =
    consignmentNumber === 'bill_of_lading' ? { ...noDocuments, bills: number } : { ...noDocuments, bookings: number }
  return {
    bills: [...new Set([...ownDocuments.bills, ...merged.bills])],
    bookings: [...new Set([...ownDocuments.bookings, ...merged.bookings])],
  }
}
