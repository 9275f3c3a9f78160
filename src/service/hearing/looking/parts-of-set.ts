/** How many tasks of a set are worked in one transaction. */

import type { HearTask } from '../../../store/tasks.ts'

/** Claims in memory and under locks at a time, as far as they are known beforehand. */
const claimsMax = 20_000
/** Claims that are folded in one transaction, those of a shipment once for each of its entries: some seconds at most. */
const foldedMax = 160_000

/** Of a bill with very many boxes fewer at a time. It is read once, however many of the tasks are about it. */
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
