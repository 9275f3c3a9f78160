// Which tests load a file of `src/`, and how far away from it each is. Read from the text: imports, `import()`, programs
// and threads (`new URL('../../qa/mutants/thread.ts', …)`), and a program that a test starts by its path (`join(root, 'src/main.ts')`).

import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

export interface TestFile {
  readonly file: string
  /** The files of ours that it loads, each with the number of imports between the two. */
  readonly distances: ReadonlyMap<string, number>
  /** It opens a browser, runs the whole program for minutes, or does nothing without a cluster of Citus. */
  readonly isLong: boolean
  readonly usesDatabase: boolean
  /** It counts the memory of its process, or replaces a module. */
  readonly needsOwnProcess: boolean
}

const code = ['src', 'test', 'sandbox', 'tools', 'qa', 'sdk'].map((folder) => `${folder}/**/*.{ts,mjs}`)
const browsers = 'playwright-core'
const servers = 'test/support/cluster.ts'

/** The files of ours that a file loads before it runs, itself included. What it loads later (`import()`) is left out. */
export function findLoads(root: string, entry: string): readonly string[] {
  const loadsOf = (file: string): readonly string[] =>
    readLoads(file, readFileSync(join(root, file), 'utf8'), atOnce).filter((each) => existsSync(join(root, each)))
  return [...measureDistances(entry, loadsOf).keys()]
}

export function findTestFiles(root: string): readonly TestFile[] {
  const files = new Set(globSync(code, { cwd: root, exclude: ['**/node_modules'] }))
  const loads = new Map<string, readonly string[]>()
  const loadsOf = (file: string): readonly string[] => {
    const known = loads.get(file)
    if (known !== undefined) return known
    const read = readLoads(file, readFileSync(join(root, file), 'utf8'))
    const own = read.filter((each) => files.has(each) || each === browsers)
    loads.set(file, own)
    return own
  }
  return [...files]
    .filter((file) => /^test\/.*\.test\.ts$/.test(file))
    .toSorted()
    .map((file) => {
      const distances = measureDistances(file, (each) => (files.has(each) ? loadsOf(each) : []))
      const text = readFileSync(join(root, file), 'utf8')
      return {
        file,
        distances,
        isLong: distances.has(browsers) || /^test\/e2e\/|\/distribut/.test(file),
        usesDatabase: distances.has(servers),
        needsOwnProcess: /memoryUsage\(|registerHooks\(/.test(text),
      }
    })
}

function measureDistances(from: string, loadsOf: (file: string) => readonly string[]): ReadonlyMap<string, number> {
  const distances = new Map([[from, 0]])
  // A Map goes on to what is added while it is walked: nearest files first.
  for (const [file, distance] of distances)
    for (const each of loadsOf(file)) if (!distances.has(each)) distances.set(each, distance + 1)
  return distances
}

/** Paths from the root and names of packages. What is imported as a type only is not loaded. */
function readLoads(file: string, text: string, how = loaded): readonly string[] {
  const code = text.replace(/^\s*(\/\/.*|\/?\*.*)$/gm, '').replace(typesOnly, '')
  const names = [...code.matchAll(how)].flatMap(([, ...groups]) => groups.filter((each) => each !== undefined))
  return [...new Set(names.map((each) => (each.startsWith('.') ? fromFolderOf(file, each) : each)))]
}

const loaded =
  /\b(?:from|import\(|import|new URL\()\s*'([^']+)'|\bjoin\([^()']*'((?:src|sandbox|tools)\/[^']+\.(?:ts|mjs))'/g
const atOnce = /(?:\bfrom|^import)\s*'([^']+)'/gm
const typesOnly =
  /^(import|export) (type [^']*?|\{\s*type \w+( as \w+)?(,\s*type \w+( as \w+)?)*,?\s*\}) from '[^']+'$/gm

function fromFolderOf(file: string, name: string): string {
  return posix.join(posix.dirname(file), name)
}
