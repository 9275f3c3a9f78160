/** The known text that was probably intended by a misspelt one. */

/** Null when none is near, that is, when more than two in five letters would have to change. */
export function findSimilarWord(word: string, known: readonly string[]): string | null {
  const lower = word.toLowerCase()
  const near = known
    .map((each) => ({
      each,
      steps: each.startsWith(lower) && lower.length > 1 ? 0 : countSteps(lower, each.toLowerCase()),
    }))
    .filter(({ each, steps }) => steps <= Math.max(1, Math.round(Math.max(each.length, word.length) / 2.5)))
    .toSorted((a, b) => a.steps - b.steps)
  return near[0]?.each ?? null
}

/** Letters to insert, drop or replace to make one of the other (Levenshtein). */
function countSteps(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let at = 1; at <= from.length; at += 1) {
    const next = [at]
    for (let other = 1; other <= to.length; other += 1) {
      const replaced = (row[other - 1] ?? 0) + (from[at - 1] === to[other - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[other] ?? 0) + 1, (next[other - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
