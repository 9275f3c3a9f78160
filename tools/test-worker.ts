// One of the processes that run the tests: takes file after file from the run's list until none remains. What the files
// import is loaded once for all of them, which is most of what a short file costs. `tools/test.ts` starts it.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import { isErrorCode } from '../src/platform/error-code.ts'
import { forgetImports } from '../test/support/forget-imports.ts'

const files = JSON.parse(process.env['LANDFALL_TEST_FILES'] ?? '[]') as readonly string[]
const taken = process.env['LANDFALL_TEST_TAKEN'] ?? ''

for (const [index, file] of files.entries()) {
  if (!take(index)) continue
  const path = resolve(file)
  await describe(file, async () => {
    process.argv[1] = path // as if the file had been started by itself
    await import(pathToFileURL(path).href)
  })
  forgetImports()
}

// What a test left running (a timer, a connection, a program) would keep this process, and so the whole run, without an
// end.
setTimeout(() => {
  console.error(
    `All tests have ended, but something that one of them began still runs: ${process.getActiveResourcesInfo().join(', ')}.`,
  )
  process.exit(1)
}, 60_000).unref()

/** Whether it is this process that made the folder: of several that try, one does. */
function take(index: number): boolean {
  try {
    mkdirSync(join(taken, String(index)))
    return true
  } catch (error) {
    if (isErrorCode(error, 'EEXIST')) return false
    throw error
  }
}
