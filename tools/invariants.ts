/**
 * `npm run -s qa -- invariants`: names and structures that must not change while files move, words are renamed and libraries
 * are replaced. `test/invariants.test.ts` compares them with `test/invariants.txt`.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { compareDumps, faultsOfRecord, withChange } from './invariants/changes.ts'
import { writeDump } from './invariants/dump-text.ts'

const help = `Usage: npm run -s qa -- invariants [--check | --accept <reason>]

Prints the names and structures that must not change: operations, schemas, tables, stored keys, log events, metrics,
settings, commands, texts that ids are derived from, and more. Uses no database and no network.
  --check            print only what differs from test/invariants.txt
  --accept <reason>  write what differs to test/invariants.txt, and with the reason to test/invariants-changes.txt
  --help             print this
Exits with 0; with 1 when --check finds a difference or a change without a reason; with 2 when it was called wrongly.`

const dumpFile = new URL('../test/invariants.txt', import.meta.url)
const changesFile = new URL('../test/invariants-changes.txt', import.meta.url)

process.exitCode = await run(process.argv.slice(2))

async function run(args: readonly string[]): Promise<number> {
  const values = readArguments(args)
  if (values === null) return 2
  if (values.help) {
    console.log(help)
    return 0
  }
  // Loads nearly the whole program.
  const { collectGroups } = await import('./invariants/collect.ts')
  const dump = writeDump(await collectGroups())
  if (!values.check && values.accept === undefined) {
    process.stdout.write(dump)
    return 0
  }
  const recorded = { dump: readFileSync(dumpFile, 'utf8'), changes: readFileSync(changesFile, 'utf8') }
  const differing = compareDumps(recorded.dump, dump)
  for (const line of differing) console.log(line)
  if (values.accept !== undefined && differing.length > 0) {
    writeFileSync(changesFile, withChange(recorded.changes, values.accept, differing))
    writeFileSync(dumpFile, dump)
    return 0
  }
  const faults = faultsOfRecord(recorded)
  for (const fault of faults) console.error(fault)
  return differing.length + faults.length > 0 ? 1 : 0
}

/** Null, and a sentence on standard error, when they cannot be read. */
function readArguments(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        check: { type: 'boolean', default: false },
        accept: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
    const reason = values.accept?.trim()
    if (reason === '' || reason?.includes('\n')) throw new Error('The reason is one line of text.')
    if (values.check && reason !== undefined) throw new Error('Give --check or --accept, not both.')
    return values
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help}`)
    return null
  }
}
