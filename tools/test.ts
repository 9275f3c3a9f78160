// `npm test [-- files or folders]`: one PostgreSQL for the whole run with a migrated template in it, then Node's own
// test runner. No server is started when no file uses a database. `--record` writes down which test observed which
// status of the API, `--slowest` prints at the end which files took longest.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { startTestServer, type TestServer } from '../test/support/cluster.ts'
import { keepObserved, recordInto } from '../test/support/observed.ts'
import { slowest } from '../test/support/slowest.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
process.chdir(root)
const workerPath = join(root, 'tools/test-worker.ts')
// Many files wait for programs, servers and timers. One worker more than there are cores keeps the cores busy meanwhile.
const workersMax = availableParallelism() + 1

const given = process.argv.slice(2)
const recordFolder = given.includes('--record') ? mkdtempSync(join(tmpdir(), 'landfall-record-')) : null
const isTimed = given.includes('--slowest')
const files = await findTests(given.filter((each) => !['--record', '--slowest'].includes(each)))
if (files.length === 0) {
  console.error('No test files found. They are named test/**/*.test.ts.')
  process.exit(1)
}
const server = files.some(usesDatabase) ? await start() : null
const code = await runTests(server)
await server?.stop()
if (recordFolder !== null) {
  // Observed statuses count even when the test that observed them failed.
  console.log(`test/observed-statuses.json: ${keepObserved(recordFolder, files)} statuses seen.`)
  rmSync(recordFolder, { recursive: true })
}
process.exitCode = code

async function findTests(given: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const each of given.length === 0 ? ['test'] : given) {
    const isFolder = statSync(each, { throwIfNoEntry: false })?.isDirectory() === true
    for await (const file of glob(isFolder ? join(each, '**/*.test.ts') : each)) found.push(file)
  }
  return longestFirst(found.sort())
}

/** Those that take longest begin first, so that none of them runs alone at the end. */
function longestFirst(found: readonly string[]): readonly string[] {
  const longest = JSON.parse(readFileSync('test/longest-first.json', 'utf8')) as readonly string[]
  const named = longest.filter((each) => found.includes(each))
  return [...named, ...found.filter((each) => !named.includes(each))]
}

/**
 * A test that uses the database through a helper outside test/support is not recognised here. It still gets a database,
 * but has to start its own.
 */
function usesDatabase(file: string): boolean {
  return /from '[^']*(support\/(database|cluster)|harness|helper)/.test(readFileSync(file, 'utf8'))
}

async function start(): Promise<TestServer> {
  try {
    const startedAt = performance.now()
    const started = await startTestServer(process.env, console.log)
    const tookMs = Math.round(performance.now() - startedAt)
    console.log(
      `Test database: PostgreSQL ${started.version}, ${started.applied} migrations, ready in ${tookMs} ms.`,
    )
    return started
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

async function runTests(server: TestServer | null): Promise<number> {
  console.log(`Running ${files.length} test files …`)
  const taken = mkdtempSync(join(tmpdir(), 'landfall-taken-'))
  const shared = files.filter((each) => !needsOwnProcess(each))
  Object.assign(process.env, {
    LANDFALL_TEST_FILES: JSON.stringify(shared),
    LANDFALL_TEST_TAKEN: taken,
    ...(recordFolder === null ? {} : recordInto(recordFolder)),
    ...(server === null
      ? {}
      : { LANDFALL_TEST_ADMIN_URL: server.adminUrl, LANDFALL_TEST_TEMPLATE: server.template }),
  })
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
  const workers = Array.from({ length: Math.min(workersMax, shared.length) }, () => workerPath)
  const tests = run({
    files: [...workers, ...files.filter(needsOwnProcess)],
    concurrency: workersMax + 1,
    // For a file; a worker as a whole takes as long as it takes.
    execArgv: ['--test-timeout=300000'],
    signal: stop.signal,
  })
  let code = 0
  tests.on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) code = 1
  })
  const printed = [tests.compose(new spec()), ...(isTimed ? [tests.compose(slowest)] : [])]
  for (const each of printed) each.pipe(process.stdout, { end: false })
  await Promise.all(printed.map((each) => finished(each)))
  rmSync(taken, { recursive: true })
  return code
}

/** A test that counts the memory of its process, or replaces a module, runs alone in its process. */
function needsOwnProcess(file: string): boolean {
  return /memoryUsage\(|registerHooks\(/.test(readFileSync(file, 'utf8'))
}
