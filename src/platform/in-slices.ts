/** Work on many items that lets other requests run in between. */

import { setImmediate } from 'node:timers/promises'

const sliceMs = 10

/** Calls `work` for each item in order, and pauses whenever that has used the processor for a while. */
export async function inSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<readonly Result[]> {
  const results: Result[] = []
  let since = performance.now()
  for (const item of items) {
    results.push(work(item))
    if (performance.now() - since < sliceMs) continue
    await setImmediate()
    since = performance.now()
  }
  return results
}
