/** Does together what is asked for meanwhile: while batches are under way the next one gathers, so load makes it larger. */

const batchMax = 128
/** While one waits for the disk another may run; more would only make them smaller. */
const underWayMax = 3

/**
 * The work answers for each item in order. When it fails for several at once each is tried alone, so that one bad item
 * harms itself only; the work must therefore leave nothing behind when it throws.
 */
export function together<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  interface Asked {
    readonly item: Item
    readonly done: (result: Result) => void
    readonly fail: (error: unknown) => void
  }
  let waiting: Asked[] = []
  let underWay = 0
  let isCalled = false

  async function answer(batch: readonly Asked[]): Promise<void> {
    try {
      const results = await work(batch.map(({ item }) => item))
      if (results.length !== batch.length) throw new Error('the work did not answer for each item')
      for (const [place, { done }] of batch.entries()) done(results[place] as Result)
    } catch (error) {
      const [only] = batch
      if (batch.length === 1) only?.fail(error)
      else await Promise.all(batch.map((each) => answer([each])))
    }
  }

  async function run(): Promise<void> {
    underWay += 1
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax)
      waiting = waiting.slice(batchMax)
      await answer(batch)
    }
    underWay -= 1
  }

  return (item) =>
    new Promise((done, fail) => {
      waiting.push({ item, done, fail })
      if (isCalled || underWay === underWayMax) return
      isCalled = true
      // What is asked for in the same breath belongs together.
      queueMicrotask(() => {
        isCalled = false
        void run()
      })
    })
}
