// Runs test files in a copy of the checkout until one fails.

import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Copy, emptyTemporary, endProcessesOf } from './copies.ts'
import type { Database } from './databases.ts'
import type { TestFile } from './find-loads.ts'
import type { Told } from './test-process.ts'

export type Result =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly file: string; readonly test: string; readonly isTimeout: boolean }

export interface Bench {
  readonly copy: Copy
  /** null where no test uses one. */
  readonly database: Database | null
  /** What a test file costs, in seconds of processor, each time that one has passed. */
  readonly noteCost: (file: string, seconds: number) => void
  /** How long a file may take before it counts as one that hangs. */
  readonly limitMsOf: (test: TestFile) => number
  readonly stop: AbortSignal
}

const program = fileURLToPath(new URL('./test-process.ts', import.meta.url))
const reporter = fileURLToPath(new URL('./test-reporter.ts', import.meta.url))
/** After the last test a process has this long to end. What leaves a timer or a connection open fails `npm test` too. */
const endsWithinMs = 30_000

/** Those that need a process of their own are the last in `tests`. */
export async function runTests(tests: readonly TestFile[], bench: Bench): Promise<Result> {
  const shared = tests.filter(({ needsOwnProcess }) => !needsOwnProcess)
  const single = tests.filter(({ needsOwnProcess }) => needsOwnProcess).map((test) => [test])
  for (const batch of [...(shared.length > 0 ? [shared] : []), ...single]) {
    const result = await runBatch(batch, bench)
    if (result.kind === 'failed') return result
  }
  return { kind: 'passed' }
}

async function runBatch(tests: readonly TestFile[], bench: Bench): Promise<Result> {
  bench.stop.throwIfAborted()
  const { copy, database } = bench
  const open = database !== null && tests.some(({ usesDatabase }) => usesDatabase) ? await database.open() : null
  const child = spawn(
    process.execPath,
    [`--test-reporter=${reporter}`, '--test-reporter-destination=stderr', program, ...tests.map(({ file }) => file)],
    {
      cwd: copy.root,
      env: {
        ...withoutOurs(process.env),
        TMPDIR: copy.temporary,
        NODE_COMPILE_CACHE: join(copy.root, '..', 'cache'),
        ...open?.env,
      },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: true, // its group is ended with it
    },
  )
  try {
    return await watch(child, tests, bench)
  } finally {
    endGroup(child)
    endProcessesOf(copy.root)
    endProcessesOf(copy.temporary)
    await open?.close(child.pid ?? 0)
    emptyTemporary(copy.temporary)
  }
}

/** Resolves at the first failure, when a file takes too long, or when all have passed. */
function watch(child: ChildProcess, tests: readonly TestFile[], { limitMsOf, noteCost, stop }: Bench): Promise<Result> {
  return new Promise((resolve, reject) => {
    let file = tests[0]?.file ?? ''
    let isDone = false
    let timer: NodeJS.Timeout | undefined
    const fail = (test: string, isTimeout = false): void => resolve({ kind: 'failed', file, test, isTimeout })
    const limit = (ms: number): void => {
      clearTimeout(timer)
      timer = setTimeout(() => fail(isDone ? '(does not end)' : '(takes too long)', true), ms)
    }
    limit(60_000)
    child.on('message', (told: Told) => {
      if (told.kind === 'failed') return fail(told.test)
      if (told.kind === 'ends') return noteCost(told.file, told.seconds)
      if (told.kind === 'done') {
        isDone = true
        return limit(endsWithinMs)
      }
      file = told.file
      const test = tests.find((each) => each.file === file)
      if (test !== undefined) limit(limitMsOf(test))
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(timer)
      if (code === 0 && isDone) resolve({ kind: 'passed' })
      else fail(`(ends with ${code ?? 'a signal'})`)
    })
    stop.addEventListener('abort', () => reject(stop.reason), { once: true })
  })
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {} // All of it has ended.
}

/** The environment without what npm, the test runner and this program say to their own processes. */
function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(NODE_TEST_CONTEXT|NODE_CHANNEL|LANDFALL_TEST_)/.test(name)),
  )
}
