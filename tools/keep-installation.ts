/**
 * `npm run qa -- keep-installation`: makes an installation by running the program, fills it with everything that an upgrade
 * could break, and stores it in one file. `test/upgrade/` upgrades every stored installation with the code of today.
 */

import { writeFileSync } from 'node:fs'
import { homedir, hostname, tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { textOf, writeKept } from '../test/upgrade/kept.ts'
import { missingIn } from './keep-installation/contents.ts'
import { git, keepFromCommit } from './keep-installation/from-commit.ts'
import { liveThrough } from './keep-installation/live.ts'

const help = `Usage: npm run qa -- keep-installation [<file>] [--commit <commit>]

Runs Landfall on an empty folder for about three minutes and writes what came of it to one compressed file: every row,
the installation's secret, and what its customers and receivers saw. Touches nothing but loopback and a folder of its own.
  <file>             where to write; without it, test/upgrade/<day of the commit>.landfall.zst
  --commit <commit>  with the code of that commit, through a git worktree that goes again
Exits with 1 when something that a kept installation must have is missing; then nothing is written.`

/** The code that determines the content of an installation. */
const code = ['src', 'sandbox', 'package-lock.json']
const bytesMax = 5_000_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { commit: { type: 'string' }, help: { type: 'boolean', default: false } },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}
const startedMs = Date.now()
const say = (sentence: string): void =>
  console.log(`${((Date.now() - startedMs) / 1_000).toFixed(0).padStart(4)} s  ${sentence}`)

try {
  process.exitCode = await keep()
} catch (error) {
  console.error(error)
  process.exitCode = 1
}

async function keep(): Promise<number> {
  const of = values.commit ?? 'HEAD'
  const [commit = '', committedOn = ''] = git('log', '-1', '--format=%H %cs', of, '--', ...code).split(' ')
  const file = positionals[0] ?? `test/upgrade/${committedOn}.landfall.zst`
  if (values.commit !== undefined) return keepFromCommit(values.commit, file)
  if (git('status', '--porcelain', '--', ...code) !== '')
    throw new Error('The code has changes that are in no commit: nobody could tell later what made this installation.')
  const lived = await liveThrough(say)
  for (const [what, count] of Object.entries(lived.contents)) console.log(`${String(count).padStart(8)}  ${what}`)
  const missing = missingIn(lived.contents)
  if (missing.length > 0) throw new Error(`Nothing is kept, for there are none of these: ${missing.join(', ')}.`)
  const bytes = writeKept({ format: 1, commit, committedOn, ...lived })
  refuseTraces(textOf(bytes))
  if (bytes.length > bytesMax) throw new Error(`It has ${bytes.length} bytes; ${bytesMax} are allowed.`)
  writeFileSync(file, bytes)
  say(`${file}: ${bytes.length} bytes.`)
  return 0
}

/** The file must contain no trace of the machine that made it. */
function refuseTraces(text: string): void {
  for (const trace of [hostname(), homedir(), process.cwd(), `${tmpdir()}/`])
    if (trace.length > 2 && text.includes(trace)) throw new Error(`The rows speak of this machine: ${trace}`)
}
