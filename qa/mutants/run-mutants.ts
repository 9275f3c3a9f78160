// Judges mutants, several side by side, each in a copy of the checkout, all with one PostgreSQL.

import { availableParallelism, loadavg } from 'node:os'
import type { Mutant } from './choose-mutants.ts'
import { makeCopy, makeRunFolder, removeRunFolder } from './copies.ts'
import type { Database } from './databases.ts'
import { findTestFiles } from './find-loads.ts'
import { judgeMutant, type Outcome, type Trust } from './judge-mutant.ts'
import { type Costs, orderTests, readCosts } from './order-tests.ts'
import type { Bench } from './run-tests.ts'

export interface Run {
  readonly root: string
  /** `first`: the test that is asked first, if it still loads the file. */
  readonly mutants: readonly { readonly mutant: Mutant; readonly first: string | null }[]
  readonly costs: Costs
  readonly budgetS: number
  readonly slots: number
  /** Milliseconds since 1970 after which no further one is begun. */
  readonly until: number
  readonly isPlanted: boolean
  readonly stop: AbortSignal
  /** `costs`: with what was measured until then. */
  readonly onJudged: (index: number, outcome: Outcome, costs: Costs) => void
}

/** Resolves when all have been judged, or `until` is over. Rejects with the signal's reason. Leaves nothing behind. */
export async function runMutants(run: Run): Promise<void> {
  const tests = findTestFiles(run.root)
  const costOf = readCosts(run.costs)
  const measured = new Map<string, number>()
  const folder = makeRunFolder()
  let database: Database | null = null
  try {
    if (tests.some(({ usesDatabase }) => usesDatabase)) {
      const { startDatabase } = await import('./databases.ts')
      database = await startDatabase()
    }
    const trust: Trust = new Map()
    const trouble = new AbortController()
    const stop = AbortSignal.any([run.stop, trouble.signal])
    let next = 0
    const work = async (name: string): Promise<void> => {
      const bench: Bench = {
        copy: makeCopy(run.root, folder, name),
        database,
        noteCost: (file, seconds) => measured.set(file, Math.min(seconds, measured.get(file) ?? seconds)),
        limitMsOf: (test) => limitMsOf(costOf(test)),
        stop,
      }
      for (let index = next++; index < run.mutants.length && Date.now() < run.until; index = next++) {
        const outcome = await judge(index, bench)
        run.onJudged(index, outcome, { ...run.costs, ...roundAll(measured) })
      }
    }
    const judge = (index: number, bench: Bench): Promise<Outcome> => {
      const { mutant, first } = run.mutants[index] as Run['mutants'][number]
      const asked = orderTests(mutant.file, tests, { costOf, budgetS: run.budgetS, first })
      const loading = tests.filter(({ distances }) => distances.has(mutant.file)).length
      return judgeMutant(mutant, { tests: asked, loading, bench, trust, isPlanted: run.isPlanted })
    }
    // When one of them cannot go on the others stop, and are waited for.
    const works = Array.from({ length: run.slots }, (_, index) => work(`s${index + 1}`))
    for (const each of works) each.catch((error: unknown) => trouble.abort(error))
    await Promise.allSettled(works)
    stop.throwIfAborted()
  } finally {
    await database?.stop()
    removeRunFolder(folder)
  }
}

/** Half a minute and five times its cost on a quiet machine, and as much more as the machine has more to do. */
function limitMsOf(costS: number): number {
  const busy = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
  return (30 + 5 * costS) * busy * 1_000
}

function roundAll(measured: ReadonlyMap<string, number>): Costs {
  return Object.fromEntries([...measured].map(([file, seconds]) => [file, Math.round(seconds * 10) / 10]))
}
