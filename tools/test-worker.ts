// One of the processes that run the tests: takes file after file from the run's list until none remains. What the files
// import is loaded once for all of them, which is most of what a short file costs. A file that needs a process of its own
// is taken by a worker that takes no other. `tools/test.ts` starts it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import { isErrorCode } from '../src/platform/error-code.ts'
import type { Measured } from './test/costs.ts'
import { processorMs } from './test/processes.ts'
import { beginFile, endRun, findRun, isFirstToEnd } from './test/run-of-tests.ts'
import type { Plan } from './test.ts'

const plan = JSON.parse(process.env['LANDFALL_TEST_PLAN'] ?? '{}') as Plan
const run = findRun()

// When the run's own process was killed, nobody else ends what it has begun.
const parent = process.ppid
const watch = setInterval(async () => {
  if (process.ppid === parent || run === null) return
  clearInterval(watch)
  // The tests fail now, for want of a database, and nobody takes what is written: that must not end this process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  process.on('uncaughtException', () => {})
  if (isFirstToEnd(run)) await endRun(run)
  process.exit(1)
}, 500)
watch.unref()

const alone = plan.files.find(({ index, ownProcess }) => ownProcess && take(index))
if (alone !== undefined) await runFile(alone)
else {
  const { forgetImports } = await import('../test/support/forget-imports.ts')
  for (const each of plan.files) {
    if (each.ownProcess || !take(each.index)) continue
    await runFile(each)
    forgetImports()
  }
}

// What a test left running (a timer, a connection, a program) would keep this process, and so the whole run, without an
// end.
setTimeout(() => {
  console.error(
    `All tests have ended, but something that one of them began still runs: ${process.getActiveResourcesInfo().join(', ')}.`,
  )
  process.exit(1)
}, 60_000).unref()

async function runFile({ file, index }: Plan['files'][number]): Promise<void> {
  const path = resolve(file)
  beginFile(index)
  const [beganAt, before] = [performance.now(), plan.isMeasured ? processorMs() : 0]
  await describe(file, async () => {
    process.argv[1] = path // as if the file had been started by itself
    await import(pathToFileURL(path).href)
  })
  if (!plan.isMeasured) return
  const measured: Measured = {
    index,
    wallMs: performance.now() - beganAt,
    cpuMs: processorMs() - before,
  }
  writeFileSync(join(plan.taken, String(index), 'measured.json'), JSON.stringify(measured))
}

/** Whether it is this process that made the folder: of several that try, one does. */
function take(index: number): boolean {
  try {
    mkdirSync(join(plan.taken, String(index)))
    return true
  } catch (error) {
    if (isErrorCode(error, 'EEXIST')) return false
    throw error
  }
}
