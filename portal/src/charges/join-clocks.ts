/** Joins containers with what their terms count, by the container, and puts the clocks in order. */

import type { Container } from '../../../sdk/typescript/src/description.generated.ts'
import { type ChargedRow, type Clock, clockOf, compareClocks } from './clock.ts'

export function joinClocks(boxes: readonly Container[], charged: readonly ChargedRow[], now: number): readonly Clock[] {
  const rowOf = new Map(charged.map((row) => [row.id, row]))
  const known = new Set(boxes.map(({ id }) => id))
  const ofBoxes = boxes.map((box) => clockOf({ box, charged: rowOf.get(box.id) ?? null }, now))
  // Of the other containers only those whose clocks run, such as one that is out and not back yet.
  const others = charged
    .filter(({ id }) => !known.has(id))
    .map((row) => clockOf({ box: null, charged: row }, now))
    .filter((clock) => clock !== null && clock.kinds.length > 0)
  return [...ofBoxes, ...others].filter((clock) => clock !== null).toSorted(compareClocks)
}
