// `npm run qa -- mutants`: plants small faults in `src/`, one at a time, and counts how many of them the tests find.
// The faults are chosen by a seed, as many in each folder.
//
// Stryker (10.1, its runner for TAP) understands our files and `node:test`: it was tried on one file. But before its
// first mutant it runs each of our test files in a process of its own, one after the other, which is more than an hour;
// then it tries all of 70,000 mutants, or those of files that are named, by all the tests that load a line; what runs
// in programs and threads that a test starts it does not see; and it brings 73 MB of packages. A few hundred lines of
// our own choose by seed, ask the nearest tests first and stop at a budget.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseMutants, findAgain, type Mutant } from './mutants/choose-mutants.ts'
import { type Options, readOptions, usage } from './mutants/options.ts'
import {
  compare,
  describeJudged,
  type Judged,
  percentFound,
  type Report,
  summarize,
  writeReport,
} from './mutants/report.ts'
import { runMutants } from './mutants/run-mutants.ts'

const options = readOptions(process.argv.slice(2))
if (options === null || options.isHelp) {
  console.log(usage)
  process.exit(options === null ? 2 : 0)
}
try {
  process.exitCode = await main(options)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}

interface Choice {
  readonly seed: number
  readonly budgetS: number
  readonly chosen: readonly { readonly before: Mutant | Judged; readonly mutant: Mutant }[]
  /** Those of the list whose line is not there any more. */
  readonly gone: readonly Mutant[]
}

async function main(options: Options): Promise<number> {
  const root = options.root === null ? fileURLToPath(new URL('..', import.meta.url)) : resolve(options.root)
  const { seed, budgetS, chosen, gone } = choose(root, options)
  for (const { file, line, text } of gone) console.log(`gone     ${file}:${line}  ${text}`)
  if (options.list !== null) {
    const mutants = chosen.map(({ mutant }) => mutant)
    writeFileSync(options.list, writeReport({ seed, budgetS, mutants, costs: {} }))
    console.log(`${options.list}: ${mutants.length} mutants.`)
    return 0
  }
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())
  const startedMs = Date.now()
  const judged: (Judged | undefined)[] = chosen.map(() => undefined)
  console.log(`${chosen.length} mutants, chosen by the seed ${seed}.`)
  try {
    await runMutants({
      root,
      mutants: chosen.map(({ mutant, before }) => ({ mutant, first: 'by' in before ? before.by : null })),
      costs: readReport(join(root, 'test/mutants.json'))?.costs ?? {},
      budgetS,
      slots: options.slots,
      until: startedMs + options.minutes * 60_000,
      isPlanted: options.isPlanted,
      stop: stop.signal,
      onJudged: (index, outcome, costs) => {
        const mutant = chosen[index]?.mutant
        if (mutant === undefined) return
        const done: Judged = { ...mutant, ...outcome }
        judged[index] = done
        const mutants = judged.filter((each) => each !== undefined)
        console.log(`${`${mutants.length}/${chosen.length}`.padEnd(8)} ${describeJudged(done)}`)
        if (options.json !== null) writeFileSync(options.json, writeReport({ seed, budgetS, mutants, costs }))
      },
    })
  } catch (error) {
    if (!stop.signal.aborted) throw error
    console.log('Interrupted.')
  }
  const pairs = chosen.flatMap(({ before }, index) => {
    const now = judged[index]
    return now === undefined ? [] : [{ before, now }]
  })
  const minutes = ((Date.now() - startedMs) / 60_000).toFixed(1)
  const code = tell(pairs, gone.length, options)
  console.log(`${pairs.length} of ${chosen.length} mutants in ${minutes} minutes, ${options.slots} side by side.`)
  return stop.signal.aborted ? 130 : code
}

function choose(root: string, { from, seed, count, budgetS }: Options): Choice {
  if (from === null) {
    const mutants = chooseMutants({ root, seed, count: count ?? 100 })
    return {
      seed,
      budgetS: budgetS ?? 30,
      chosen: mutants.map((mutant) => ({ before: mutant, mutant })),
      gone: [],
    }
  }
  const earlier = readReport(from)
  if (earlier === null) throw new Error(`There is no file ${from}.`)
  const listed = earlier.mutants.slice(0, count ?? undefined)
  const places = findAgain(root, listed)
  return {
    seed: earlier.seed,
    budgetS: budgetS ?? earlier.budgetS,
    chosen: listed.flatMap((before, index) => {
      const place = places[index] ?? null
      return place === null ? [] : [{ before, mutant: withoutOutcome(place) }]
    }),
    gone: listed.filter((_, index) => places[index] === null),
  }
}

function withoutOutcome({ file, line, operator, text, column, remove, insert }: Mutant): Mutant {
  return { file, line, operator, text, column, remove, insert }
}

function readReport(path: string): Report | null {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : null
}

/** Prints the figures. Returns the exit code. */
function tell(pairs: Parameters<typeof compare>[0], gone: number, options: Options): number {
  const judged = pairs.map(({ now }) => now)
  const percent = percentFound(judged)
  const { worse, better } = compare(pairs)
  console.log(`\n${summarize(judged)}\n`)
  if (options.from !== null) {
    console.log(`${gone} gone, ${better.length} better, ${worse.length} worse than in ${options.from}.`)
    for (const each of better) console.log(`better: ${describeJudged(each)}`)
    for (const each of worse) console.log(`worse:  ${describeJudged(each)}`)
  }
  console.log(`${percent.toFixed(0)} % found.`)
  const isFooled = !options.isPlanted && percent > 0
  if (isFooled) console.log('Nothing was planted, and yet something was found.')
  return worse.length > 0 || isFooled || percent < options.atLeast ? 1 : 0
}
