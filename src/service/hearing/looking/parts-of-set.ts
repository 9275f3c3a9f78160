/** How many tasks of a set are worked in one transaction. */

import type { HearTask } from '../../../store/looks/tasks.ts'

/**
 * Maximum claims in memory and under locks at a time. Their number is estimated, for it is known only when they are
 * loaded.
 */
const claimsMax = 20_000
/**
 * Maximum claims that are folded in one transaction, which is some seconds of work. The claims of a shipment count once
 * for each of its entries.
 */
const foldedMax = 160_000

/**
 * Cuts a set into parts, one transaction each; with very many boxes on a bill a part has fewer tasks. A shipment is
 * loaded once for each part, however many tasks of the part are about it.
 */
export function partsOf<Task extends Pick<HearTask, 'shipmentId' | 'weight'>>(
  tasks: readonly Task[],
): readonly (readonly Task[])[] {
  const parts: Task[][] = []
  let part: Task[] = []
  for (const task of tasks) {
    if (part.length === 0 || isTooMuch([...part, task])) {
      part = []
      parts.push(part)
    }
    part.push(task)
  }
  return parts
}

function isTooMuch(tasks: readonly Pick<HearTask, 'shipmentId' | 'weight'>[]): boolean {
  const read = new Map(tasks.map((task) => [task.shipmentId ?? task, task.weight]))
  return sum(read.values()) > claimsMax || sum(tasks.map(({ weight }) => weight)) > foldedMax
}

function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}
