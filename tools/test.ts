// `npm test [-- files or folders]`: three tiers, one after the other (`test/tiers.ts`), each by Node's own test runner, with
// one PostgreSQL for all and a migrated template in it. Up to three files that failed in a tier run once more, each alone
// (decision 0049); `--once` leaves this out. After a tier that failed the next ones do not run, unless `--all` is given.
// `--record` writes down which test observed which status of the API, `--slowest` prints which files cost most,
// and `--costs` keeps it in test/costs.json.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { availableParallelism, constants } from 'node:os'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec, type TestEvent } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startTestServer, type TestServer } from '../test/support/cluster.ts'
import { keepObserved, recordInto } from '../test/support/observed.ts'
import { keepCosts, longestFirst, type Measured, printCosts, sumUp } from './test/costs.ts'
import { openReport } from './test/one-report.ts'
import { processorMs } from './test/processes.ts'
import { beginRun, endRun } from './test/run-of-tests.ts'
import { findNeeds, type Tier, tiers } from './test/tiers.ts'
import { watchCosts } from './test/watch-costs.ts'

/** What a worker is told. Places in the list are those among all files of the run. */
export interface Plan {
  readonly files: readonly { readonly file: string; readonly index: number; readonly ownProcess: boolean }[]
  /** A folder where who takes a file makes one. */
  readonly taken: string
  readonly isMeasured: boolean
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))
process.chdir(root)
const workerPath = join(root, 'tools/test-worker.ts')
// Many files wait for programs, servers and timers. One worker more than there are cores keeps the cores busy meanwhile.
const workersMax = availableParallelism() + 1
const runAgainMax = 3

const { values: asked, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    once: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    slowest: { type: 'boolean', default: false },
    costs: { type: 'boolean', default: false },
  },
})
const isMeasured = asked.slowest || asked.costs
const files = (await findTests(positionals)).map((file, index) => ({ file, index, ...findNeeds(file) }))
if (files.length === 0) {
  console.error('No test files found. They are named test/**/*.test.ts.')
  process.exit(1)
}
const thisRun = await beginRun()
const stop = new AbortController()
/** Set when the run is aborted; then this process ends there, and nothing is to go on beside it. */
let aborting: Promise<never> | null = null
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    aborting ??= abort(signal)
  })

const taken = join(thisRun.folder, 'taken')
const recordFolder = join(thisRun.folder, 'record')
for (const each of [taken, recordFolder]) mkdirSync(each)
if (asked.record) Object.assign(process.env, recordInto(recordFolder))
const server = files.some(({ database }) => database) ? await start() : null
const stopWatching = isMeasured ? watchCosts(thisRun, () => server?.pid ?? null) : null
const report = openReport((line) => console.error(line))
const printed = report.events.pipe(new spec())
printed.pipe(process.stdout, { end: false })
/** Files whose second run passed, and how many of their tests failed in the first. */
const unsteady = new Map<string, number>()
const notRun = await runTiers()
await aborting
const counts = report.end()
await finished(printed)
if (stopWatching !== null) await tellCosts(stopWatching())
if (asked.record)
  // Observed statuses count even when the test that observed them failed.
  console.log(
    `test/observed-statuses.json: ${keepObserved(
      recordFolder,
      files.map(({ file }) => file),
    )} statuses seen.`,
  )
await server?.stop()
const left = await endRun(thisRun)
if (left.length > 0) console.error(`Tests have ended, but left running: ${left.join(', ')}.`)
if (notRun.length > 0)
  console.error(`Not run, because of what failed before: ${notRun.join(' and ')}. With --all they do.`)
const failedOnce = [...unsteady.values()].reduce((sum, tests) => sum + tests, 0)
console.log(`${counts.pass + failedOnce} passed, ${counts.fail - failedOnce} failed, ${counts.skipped} skipped`)
if (unsteady.size > 0) console.error(`UNSTEADY, failed and then passed alone: ${[...unsteady.keys()].join(', ')}`)
process.exitCode = process.exitCode === 1 || left.length > 0 ? 1 : 0

async function findTests(given: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const name of given.length === 0 ? ['test'] : given) {
    const each = !existsSync(name) && existsSync(join('test', name)) ? join('test', name) : name
    const isFolder = statSync(each, { throwIfNoEntry: false })?.isDirectory() === true
    for await (const file of glob(isFolder ? join(each, '**/*.test.ts') : each)) found.add(file)
  }
  return longestFirst([...found].sort())
}

async function start(): Promise<TestServer> {
  try {
    const startedAt = performance.now()
    const started = await startTestServer(process.env, console.log)
    const tookMs = Math.round(performance.now() - startedAt)
    console.log(`Test database: PostgreSQL ${started.version}, ${started.applied} migrations, ready in ${tookMs} ms.`)
    Object.assign(process.env, {
      LANDFALL_TEST_ADMIN_URL: started.adminUrl,
      LANDFALL_TEST_TEMPLATE: started.template,
    })
    return started
  } catch (error) {
    await aborting
    console.error(error instanceof Error ? error.message : error)
    await endRun(thisRun)
    process.exit(1)
  }
}

/** Returns the tiers that were left out. */
async function runTiers(): Promise<readonly Tier[]> {
  const wanted = tiers.filter((tier) => files.some((each) => each.tier === tier))
  for (const [place, tier] of wanted.entries()) {
    const ofTier = files.filter((each) => each.tier === tier)
    console.log(`Running ${ofTier.length} test files: ${tier} …`)
    if (ofTier.some(({ browser }) => browser)) await (await import('../test/support/browser.ts')).unpackBrowser()
    const failed = await runFiles(ofTier, taken, false)
    if (failed.size === 0) continue
    if (await passAlone(failed, ofTier)) continue
    process.exitCode = 1
    if (!asked.all) return wanted.slice(place + 1)
  }
  return []
}

/** Whether every file that failed passes when it runs alone. Many that fail are no accident, and do not run again. */
async function passAlone(failed: ReadonlyMap<string, number>, ofTier: Plan['files']): Promise<boolean> {
  const again = ofTier.filter(({ file }) => failed.has(file))
  if (asked.once || again.length !== failed.size || again.length > runAgainMax) return false
  let isPassed = true
  for (const each of again) {
    console.error(`${each.file} failed, and runs once more, alone.`)
    const folder = join(thisRun.folder, `again-${each.index}`)
    mkdirSync(folder)
    const failedAlone = await runFiles([each], folder, true)
    if (failedAlone.size > 0) isPassed = false
    else unsteady.set(each.file, failed.get(each.file) ?? 0)
  }
  return isPassed
}

function runFiles(some: Plan['files'], takenIn: string, isSecond: boolean): Promise<ReadonlyMap<string, number>> {
  const plan: Plan = { files: some, taken: takenIn, isMeasured }
  process.env['LANDFALL_TEST_PLAN'] = JSON.stringify(plan)
  const alone = some.filter(({ ownProcess }) => ownProcess).length
  const workers = alone + Math.min(workersMax, some.length - alone)
  const tests = run({
    files: Array.from({ length: workers }, () => workerPath),
    concurrency: workersMax,
    // For a file; a worker as a whole takes as long as it takes.
    execArgv: ['--test-timeout=300000'],
    signal: stop.signal,
  })
  return report.add(tests as AsyncIterable<TestEvent>, isSecond)
}

async function tellCosts(watched: ReturnType<ReturnType<typeof watchCosts>>): Promise<void> {
  const measured = readdirSync(taken)
    .map((index) => join(taken, index, 'measured.json'))
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')) as Measured)
  const costs = sumUp(files, measured, watched)
  console.log(printCosts(costs, { whole: processorMs() / 1_000, databaseMs: watched.databaseMs }))
  if (asked.costs) console.log(`test/costs.json: ${keepCosts(costs)} files.`)
}

/** Nothing is waited for: what runs is killed, and what it made is removed. */
async function abort(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): Promise<never> {
  console.error(`${signal}: the run ends, and all that it began.`)
  stop.abort()
  await endRun(thisRun)
  process.exit(128 + constants.signals[signal])
}
