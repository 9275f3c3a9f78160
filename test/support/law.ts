// What the architecture forbids, as a function over a map of files: imports against the order, circles, an impure domain,
// dead files.
import { posix } from 'node:path'
import { findFolderCircles, findVerbCircles } from './law-of-folders.ts'

/** A file imports only what stands before it, or beside it in the same place. The first pattern that fits is its place. */
export const order: readonly RegExp[] = [
  /^src\/domain\//,
  /^src\/platform\//,
  /^src\/reference\//,
  /^src\/inference\//,
  /^src\/connectors\//,
  /^src\/db\//,
  /^src\/(modules|pipeline)\/.*-sql\.ts$/,
  /^src\/(modules|pipeline)\/(?!.*-(resource|input|routes)\.ts$)/,
  /^src\/api\/shape\//,
  /^src\/(modules|pipeline)\/.*-resource\.ts$/,
  /^src\/api\//,
  /^src\/(modules|pipeline)\/.*-(input|routes)\.ts$/,
  /^src\/(mcp|oauth|cli|mail-in|dcsa-out|portal-server|server)\//,
  /^src\/main\.ts$/,
]
const linesMax = 300

export type Files = ReadonlyMap<string, string>

/** One sentence for each breach; empty for lawful files. Paths are from the root of the checkout. */
export function findBreaches(files: Files): readonly string[] {
  const imports = new Map([...files].map(([path, text]) => [path, readImports(path, text)]))
  const breaches: string[] = []
  for (const [path, text] of files) {
    const code = stripComments(text)
    for (const target of imports.get(path) ?? []) breaches.push(...judgeImport(path, target, files))
    if (
      placeOf(path) === 0 &&
      /\bDate\.now\b|\bMath\.random\b|\bnew Date\(\s*\)|\bperformance\.|\bprocess\.[a-z]|\bfetch\(|\bcrypto\b/.test(
        code,
      )
    ) {
      breaches.push(`${path} asks the clock, chance or the outside; the domain is pure`)
    }
    if (/^export default\b/m.test(code)) breaches.push(`${path} has a default export`)
    if (/^export (type )?(\*|\{[^}]*\} from)/m.test(code) || posix.basename(path) === 'index.ts')
      breaches.push(`${path} is a barrel`)
    const lines = text.split('\n').length - 1
    if (lines > linesMax) breaches.push(`${path} has ${lines} lines, more than ${linesMax}`)
  }
  // A program that is started as a process of its own is not dead, although no file imports it.
  const reached = new Map(
    [...files].map(([path, text]) => [path, [...readImports(path, text), ...readPrograms(path, text)]]),
  )
  return [
    ...breaches,
    ...findCycles(imports),
    ...findFolderCircles(imports, findCycles),
    ...findVerbCircles(imports, findCycles),
    ...findDead(reached),
  ]
}

function judgeImport(path: string, target: string, files: Files): readonly string[] {
  const isPackage = !/^(src|sandbox|test|tools|bench|docs)\//.test(target)
  const [from, to] = [placeOf(path), placeOf(target)]
  if (from === 0 && (isPackage || to !== 0)) return [`${path} imports ${target}; the domain imports nothing but itself`]
  if (isPackage) return []
  if (path.startsWith('src/') && (to === -1 || to > from)) return [`${path} imports ${target}, which stands after it`]
  if (path.startsWith('sandbox/') && !/^(sandbox|src\/reference)\//.test(target))
    return [`${path} imports ${target}; the sandbox knows only reference data`]
  if (/^(src|sandbox|tools|bench)\/.*\.ts$/.test(target) && !files.has(target))
    return [`${path} imports ${target}, which is not there`]
  return []
}

/**
 * Paths from the root for files, names for packages. `import type` counts as well, because it ties two files in the
 * same way.
 */
export function readImports(path: string, text: string): readonly string[] {
  const written = stripComments(text).matchAll(
    /(?:^|[;\n])\s*(?:import|export)\b\s*(?:[\w$*{}\s,]+?\bfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g,
  )
  return [...written].map(([, first, second]) => fromRoot(path, first ?? second ?? ''))
}

function readPrograms(path: string, text: string): readonly string[] {
  const written = stripComments(text).matchAll(/new URL\(\s*['"](\.[^'"]+\.ts)['"]/g)
  return [...written].map(([, name]) => fromRoot(path, name ?? ''))
}

function fromRoot(path: string, name: string): string {
  return name.startsWith('.') ? posix.join(posix.dirname(path), name) : name
}

function stripComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

export function placeOf(path: string): number {
  return order.findIndex((pattern) => pattern.test(path))
}

function findCycles(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>()
  const cycles: string[] = []
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    if (done.has(path) || trail.includes(path)) return
    for (const target of imports.get(path) ?? []) walk(target, [...trail, path])
    done.add(path)
  }
  for (const path of imports.keys()) walk(path, [])
  return cycles
}

/**
 * The files that are started: main.ts, the command line, the sandbox's program, every tool and benchmark. A file that
 * only a test imports is dead.
 */
function findDead(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const alive = new Set<string>()
  const reach = (path: string): void => {
    if (alive.has(path)) return
    alive.add(path)
    for (const target of imports.get(path) ?? []) reach(target)
  }
  for (const path of imports.keys())
    if (/^(src\/main\.ts|src\/cli\/landfall\.ts|sandbox\/main\.ts|tools\/[^/]+|bench\/[^/]+)$/.test(path)) reach(path)
  return [...imports.keys()]
    .filter((path) => /^(src|sandbox)\//.test(path) && !alive.has(path))
    .map((path) => `${path} is dead: nothing that starts reaches it`)
}
