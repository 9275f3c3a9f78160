/**
 * In which of three tiers a test file runs, by what it and its helpers import: `unit` has no database, `service` has one,
 * and `program` starts programs, a browser, or a PostgreSQL of its own. The quick ones run first.
 */

import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

export const tiers = ['unit', 'service', 'program'] as const
export type Tier = (typeof tiers)[number]

export interface Needs {
  readonly tier: Tier
  readonly database: boolean
  readonly browser: boolean
  /** It counts the memory of its process or replaces modules, so no other file may run there. */
  readonly ownProcess: boolean
}

/** Paths are from the root of the checkout. */
export function findNeeds(file: string): Needs {
  const reached = reach(file)
  const database = reached.has(cluster)
  const program = starts.some((each) => reached.has(each))
  return {
    tier: program ? 'program' : database ? 'service' : 'unit',
    database,
    browser: reached.has('playwright-core'),
    ownProcess: /memoryUsage\(|registerHooks\(|node:inspector/.test(readFileSync(file, 'utf8')),
  }
}

const cluster = 'test/support/cluster.ts'
const starts = [
  'node:child_process',
  'playwright-core',
  'src/platform/postgres-cluster.ts',
  'tools/keep-installation/installation.ts',
]

/** All that the file imports, and its helpers in `test/`, `tools/` and `qa/` in turn. What the product imports does not count. */
function reach(file: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const add = (name: string): void => {
    if (reached.has(name)) return
    reached.add(name)
    if (!/^(test|tools|qa)\/.*\.ts$/.test(name) || isOfRunner(name) || !existsSync(name)) return
    for (const each of readImports(name)) add(each)
  }
  add(file)
  return reached
}

/** What the runner itself is made of starts programs for every file. */
const isOfRunner = (name: string): boolean => name === cluster || name.startsWith('tools/test/')

const known = new Map<string, readonly string[]>()

function readImports(file: string): readonly string[] {
  const before = known.get(file)
  if (before !== undefined) return before
  const written = readFileSync(file, 'utf8').matchAll(
    /^(?:import (?!type\b)|export |\} )(?:[^'\n]*? )?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm,
  )
  const found = [...written].map(([, first, second, third]) => {
    const name = first ?? second ?? third ?? ''
    return name.startsWith('.') ? posix.join(posix.dirname(file), name) : name
  })
  known.set(file, found)
  return found
}
