/** The units of gate and quay reports: one container each. */

import { containerOf, documentsOf, hasDocuments, isDocument } from './documents.ts'
import { codeOf } from './fields.ts'
import type { Message } from './messages.ts'
import type { Segment } from './segments.ts'
import { type ContainerUnit, headSegmentsMax, reportCut, selectHeadSegments, type UnitContext } from './unit.ts'

/** A generator, because a report of a whole ship has tens of thousands of containers. */
export function* containerUnits(
  { segments, head: message }: Message,
  { issues }: UnitContext,
): Generator<ContainerUnit, void, undefined> {
  const starts = segments.flatMap(({ tag }, index) => (tag === 'EQD' ? [index] : []))
  const first = starts[0] ?? segments.length
  const head = segments.slice(0, Math.min(first, headSegmentsMax))
  if (first > headSegmentsMax) reportCut(message, issues)
  const groupAt = (nth: number): readonly Segment[] =>
    segments.slice(starts[nth], starts[nth + 1]).filter(({ tag }) => tag !== 'CNT')
  const kinds = starts.map((start) => kindOf(segments[start]))
  const ofKind = (kind: string) => kinds.flatMap((each, nth) => (each === kind ? [nth] : []))
  const [containers, chassis] = [ofKind('CN'), ofKind('CH')]
  const beside = containers.length === 1 && chassis.length === 1 ? groupAt(chassis[0] ?? 0) : []
  const ofHead = documentsOf(head)
  const needed = { own: selectHeadSegments(head, () => false), shared: selectHeadSegments(head, isDocument) }
  for (const nth of containers) {
    const group = groupAt(nth)
    const [equipment] = group
    if (equipment === undefined) continue
    const groupDocuments = documentsOf(group)
    const container = containerOf(equipment)
    yield {
      kind: 'box',
      head: hasDocuments(groupDocuments) ? needed.own : needed.shared,
      documents: hasDocuments(groupDocuments) ? groupDocuments : ofHead,
      containers: container === null ? [] : [container],
      ownSegments: beside.length === 0 ? group : [...group, ...beside].toSorted((a, b) => a.number - b.number),
      equipment,
      chassis: beside[0] ?? null,
    }
  }
}

function kindOf(equipment: Segment | undefined): string {
  return equipment === undefined ? '' : codeOf(equipment, 0)
}
