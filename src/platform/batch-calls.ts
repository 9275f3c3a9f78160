/**
 * For work that several callers want at about the same time. Collects single items into batches. While a batch is under
 * way the next one gathers, so batches get larger under load.
 */

const batchMax = 128

/**
 * `work` returns one result per item, in the same order. When a batch of several items fails, each item is tried alone,
 * so that one bad item cannot harm the others. `work` must therefore change nothing when it throws.
 */
export function batchCalls<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  interface WaitingItem {
    readonly item: Item
    readonly done: (result: Result) => void
    readonly fail: (error: unknown) => void
  }
  let waiting: WaitingItem[] = []
  let isRunning = false

  async function runBatch(batch: readonly WaitingItem[]): Promise<void> {
    try {
      const results = await work(batch.map(({ item }) => item))
      if (results.length !== batch.length) throw new Error('the batch did not return one result for each item')
      for (const [place, { done }] of batch.entries()) done(results[place] as Result)
    } catch (error) {
      const [only] = batch
      if (batch.length === 1) only?.fail(error)
      else await Promise.all(batch.map((each) => runBatch([each])))
    }
  }

  async function run(): Promise<void> {
    isRunning = true
    // Items that are added in the same tick go into the same batch.
    await Promise.resolve()
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax)
      waiting = waiting.slice(batchMax)
      await runBatch(batch)
    }
    isRunning = false
  }

  return (item) =>
    new Promise((done, fail) => {
      waiting.push({ item, done, fail })
      if (!isRunning) void run()
    })
}

const keptMs = 5_000
const keptMax = 500

/** Shares a result for a few seconds. A result that fails is not remembered. */
export function rememberBriefly<Item, Result>(
  work: (item: Item) => Promise<Result>,
  keyOf: (item: Item) => string,
): (item: Item) => Promise<Result> {
  /** Oldest first. */
  const results = new Map<string, { readonly result: Promise<Result>; readonly untilMs: number }>()
  const forgetOld = (nowMs: number): void => {
    for (const [key, { untilMs }] of results) {
      if (untilMs > nowMs && results.size < keptMax) return
      results.delete(key)
    }
  }
  return (item) => {
    const nowMs = performance.now()
    forgetOld(nowMs)
    const key = keyOf(item)
    const known = results.get(key)
    if (known !== undefined) return known.result
    const result = work(item)
    results.set(key, { result, untilMs: nowMs + keptMs })
    result.catch(() => results.delete(key))
    return result
  }
}
