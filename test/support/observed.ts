/**
 * Which test saw which operation answer with which status. It is written down while the tests run, when `npm test --
 * --record` asks for it, and kept in test/observed-statuses.json. The fuzz run fails for a status that is in the
 * OpenAPI document and not in that file: no test has seen it.
 */

import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { getTestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const page = join(root, 'test/observed-statuses.json')
/** The variable that names the folder to which each process of a run writes. */
const folderVariable = 'LANDFALL_TEST_RECORD'

/** By operation, then status: the test that saw it, as `file: name`. */
export type Observed = Readonly<Record<string, Readonly<Record<string, string>>>>

export function noteObserved(operation: string, status: number): void {
  const folder = process.env[folderVariable]
  const fullName = getTestContext()?.fullName
  if (folder === undefined || fullName === undefined) return
  const file = relative(root, process.argv[1] ?? '')
  // Where many files share a process, each is a suite of its own.
  const name = fullName.startsWith(`${file} > `) ? fullName.slice(file.length + 3) : fullName
  const seen = { operation, status, file, name }
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(seen)}\n`)
}

interface Seen {
  readonly operation: string
  readonly status: number
  readonly file: string
  readonly name: string
}

export function readObserved(): Observed {
  return existsSync(page) ? (JSON.parse(readFileSync(page, 'utf8')) as Observed) : {}
}

/** Statuses of the document that no test has seen whose file still exists, as `operation status`. */
export function findUnobserved(
  operations: readonly { readonly id: string; readonly responses: object }[],
  observed: Observed = readObserved(),
): readonly string[] {
  return operations.flatMap(({ id, responses }) =>
    Object.keys(responses)
      .filter((status) => {
        const witness = observed[id]?.[status]
        return witness === undefined || !existsSync(join(root, witness.split(': ', 1)[0] ?? ''))
      })
      .map((status) => `${id} ${status}`),
  )
}

/**
 * Adds what a run saw, and keeps what files saw before that did not run this time. Returns how many statuses are known.
 */
export function keepObserved(folder: string, ran: readonly string[]): number {
  const files = new Set(ran.map((each) => relative(root, join(root, each))))
  const kept: Record<string, Record<string, string>> = {}
  for (const [operation, statuses] of Object.entries(readObserved())) {
    for (const [status, witness] of Object.entries(statuses)) {
      const file = witness.split(': ', 1)[0] ?? ''
      if (files.has(file) || !existsSync(join(root, file))) continue
      kept[operation] = { ...kept[operation], [status]: witness }
    }
  }
  const seen = readdirSync(folder).flatMap((each) =>
    readFileSync(join(folder, each), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Seen),
  )
  for (const { operation, status, file, name } of seen) {
    const statuses = kept[operation] ?? {}
    const [witness, known] = [`${file}: ${name}`, statuses[String(status)]]
    // The first test by name is kept, so that the same tests write the same page.
    kept[operation] = { ...statuses, [status]: known === undefined || witness < known ? witness : known }
  }
  const sorted = Object.fromEntries(
    Object.entries(kept)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([operation, statuses]) => [operation, statuses]),
  )
  writeFileSync(page, `${JSON.stringify(sorted, null, 2)}\n`)
  return Object.values(sorted).reduce((sum, statuses) => sum + Object.keys(statuses).length, 0)
}

export const recordInto = (folder: string): Readonly<Record<string, string>> => ({ [folderVariable]: folder })
