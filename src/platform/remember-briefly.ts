/** Remembers results for a few seconds: for work that several callers want at about the same time. */

const keptMs = 5_000
const keptMax = 500

/** A result that fails is not remembered. */
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
