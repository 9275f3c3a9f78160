// Whether the tests find a fault. What fails counts only if it fails again by itself, and passes without the fault.

import { type Mutant, plant } from './choose-mutants.ts'
import type { TestFile } from './find-loads.ts'
import { type Bench, type Result, runTests } from './run-tests.ts'

export type Outcome =
  | { readonly outcome: 'found'; readonly by: string; readonly test: string }
  | { readonly outcome: 'survived'; readonly asked: number; readonly loading: number }
  | { readonly outcome: 'unloaded' }

/** What is known about tests in the code as it is; shared by all mutants of a run. */
export type Trust = Map<string, Promise<boolean>>

/** `tests`: those that are asked, in their order. `isPlanted`: false leaves the code as it is: nothing may be found. */
export async function judgeMutant(
  mutant: Mutant,
  {
    tests,
    loading,
    bench,
    trust,
    isPlanted,
  }: {
    readonly tests: readonly TestFile[]
    /** How many load the file. */
    readonly loading: number
    readonly bench: Bench
    readonly trust: Trust
    readonly isPlanted: boolean
  },
): Promise<Outcome> {
  if (tests.length === 0) return { outcome: 'unloaded' }
  const whole = bench.copy.read(mutant.file)
  const faulty = isPlanted ? (plant(whole, mutant) ?? whole) : whole
  const run = async (text: string, files: readonly TestFile[]): Promise<Result> => {
    bench.copy.write(mutant.file, text)
    try {
      return await runTests(files, bench)
    } finally {
      bench.copy.write(mutant.file, whole)
    }
  }
  const passesWhole = async (test: TestFile): Promise<boolean> => (await run(whole, [test])).kind === 'passed'
  const isBroken = await Promise.all(tests.map(async ({ file }) => (await trust.get(file)) === false))
  for (let left = tests.filter((_, index) => !isBroken[index]); left.length > 0; ) {
    const result = await run(faulty, left)
    if (result.kind === 'passed') break
    const at = left.findIndex(({ file }) => file === result.file)
    const failed = left[at]
    if (failed === undefined) break
    left = left.slice(at + 1)
    // Whether a file takes too long depends on the machine at that moment, and is asked each time.
    if (result.isTimeout) trust.delete(failed.file)
    else if ((await run(faulty, [failed])).kind === 'passed') continue
    if (!trust.has(failed.file)) trust.set(failed.file, passesWhole(failed))
    if (await trust.get(failed.file)) return { outcome: 'found', by: failed.file, test: result.test }
  }
  return { outcome: 'survived', asked: tests.length, loading }
}
