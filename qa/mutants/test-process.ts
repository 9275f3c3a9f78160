// The process that runs tests for `npm run qa -- mutants`: file after file, as `npm test` does, in a copy of the checkout. It
// tells over its channel which file begins and what it took; test-reporter.ts tells what failed.

import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

export type Told =
  | { readonly kind: 'begins'; readonly file: string }
  | { readonly kind: 'ends'; readonly file: string; readonly seconds: number }
  /** From the reporter. */
  | { readonly kind: 'failed'; readonly test: string }
  | { readonly kind: 'done' }

const tell = (told: Told): void => void process.send?.(told)

process.once('disconnect', () => process.exit(1))
process.channel?.unref()
for (const file of process.argv.slice(2)) {
  const before = secondsOfProcessor()
  tell({ kind: 'begins', file })
  await describe(file, async () => {
    process.argv[1] = resolve(file) // as if the file had been started by itself
    await import(pathToFileURL(resolve(file)).href)
  })
  await forgetImports()
  await turn() // what failed is told before the next file begins
  tell({ kind: 'ends', file, seconds: secondsOfProcessor() - before })
}
tell({ kind: 'done' })

/** As `npm test` does between two files. */
async function forgetImports(): Promise<void> {
  const path = resolve('test/support/forget-imports.ts')
  if (!existsSync(path)) return
  const { forgetImports } = (await import(pathToFileURL(path).href)) as { readonly forgetImports: () => void }
  forgetImports()
}

/** Of this process and, where the system tells it, of those that it started and that have ended. */
function secondsOfProcessor(): number {
  const { user, system } = process.cpuUsage()
  if (!existsSync('/proc/self/stat')) return (user + system) / 1e6
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
  return fields.reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}
