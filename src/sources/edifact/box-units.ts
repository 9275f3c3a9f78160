/** The units of gate and quay reports: one box each. */

import { boxOf, documentsOf, hasDocuments, isDocument } from './documents.ts'
import { codeOf } from './fields.ts'
import type { Message } from './messages.ts'
import type { Segment } from './segments.ts'
import { type BoxUnit, headOf, headSegmentsMax, reportCut, type UnitContext } from './unit.ts'

export function boxUnits({ segments, head: message }: Message, { issues }: UnitContext): readonly BoxUnit[] {
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
