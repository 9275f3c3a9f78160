// Which of the tests that load a file are asked about a fault in it, and in which order: those first that are most about
// the file, as far as the budget goes. Depends on the files of the repository alone, so that the same code is asked the
// same everywhere.

import type { TestFile } from './find-loads.ts'

/** Seconds of processor for a test file, measured by an earlier run. */
export type Costs = Readonly<Record<string, number>>

const secondsMin = 0.2

/** What each test costs: as measured, or else guessed from what it does. */
export function readCosts(measured: Costs): (test: TestFile) => number {
  return ({ file, usesDatabase, isLong }) =>
    Math.max(measured[file] ?? (isLong ? 20 : usesDatabase ? 3 : 1), secondsMin)
}

/**
 * The nearest test is always among them, whatever it costs. Those with a browser or the whole program are only asked
 * when there are no others. `first`: a test that found the same fault before. Tests with a process of their own are the
 * last.
 */
export function orderTests(
  file: string,
  tests: readonly TestFile[],
  {
    costOf,
    budgetS,
    first = null,
  }: {
    readonly costOf: (test: TestFile) => number
    readonly budgetS: number
    readonly first?: string | null
  },
): readonly TestFile[] {
  const loading = tests.filter(({ distances }) => distances.has(file))
  const short = loading.filter((test) => !test.isLong || test.file === first)
  const asked = short.length > 0 ? short : loading
  const rarity = rarityOf(tests)
  const near = asked
    .map((test) => ({ test, nearness: nearnessOf(file, test, rarity) - Math.log2(1 + costOf(test)) / 8 }))
    .toSorted((a, b) => b.nearness - a.nearness || (a.test.file < b.test.file ? -1 : 1))
    .map(({ test }) => test)
    .toSorted((a, b) => Number(b.file === first) - Number(a.file === first))
  let leftS = budgetS
  return near
    .filter((test, index) => {
      const cost = costOf(test)
      if (index > 0 && cost > leftS) return false
      leftS -= cost
      return true
    })
    .toSorted((a, b) => Number(a.needsOwnProcess) - Number(b.needsOwnProcess))
}

/**
 * Imports between the two count most, then words that both paths have (the rarer the word, the more), then how little
 * else the test loads. 0 to 7.
 */
function nearnessOf(file: string, test: TestFile, rarity: (word: string) => number): number {
  const distance = test.distances.get(file) ?? Number.POSITIVE_INFINITY
  // The room is a word that too many share.
  const words = wordsOf(file).slice(1)
  const named = wordsOf(test.file)
  const all = words.reduce((sum, word) => sum + rarity(word), 0)
  const shared = words.filter((word) => named.includes(word)).reduce((sum, word) => sum + rarity(word), 0)
  return 3 / Math.max(1, distance) + 2.5 * (shared / all) + 1 / Math.log2(1 + test.distances.size)
}

/** The words of a path, in one number: `doors/api/webhooks/create-webhook.ts` has door, api, webhook and create. */
function wordsOf(path: string): readonly string[] {
  const words = path
    .replace(/^(src|test)\//, '')
    .replace(/(\.test)?\.ts$/, '')
    .split(/[/-]/)
  return [...new Set(words.map((word) => (word.length > 3 ? word.replace(/s$/, '') : word)))]
}

const rarities = new WeakMap<readonly TestFile[], ReadonlyMap<string, number>>()

/** A word that few tests have in their path says more about what a test is for. */
function rarityOf(tests: readonly TestFile[]): (word: string) => number {
  const known =
    rarities.get(tests) ??
    new Map(
      Map.groupBy(
        tests.flatMap(({ file }) => wordsOf(file)),
        (word) => word,
      )
        .entries()
        .map(([word, all]) => [word, all.length] as const),
    )
  rarities.set(tests, known)
  return (word) => Math.log(1 + tests.length / (1 + (known.get(word) ?? 0)))
}
