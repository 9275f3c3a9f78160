// How folders must lie: none imports another in a circle, however long. A file that lies beside folders counts like a
// folder.
import { posix } from 'node:path'

const circleless = /^src\/(domain|connectors|api|mcp|oauth|cli|portal-server)(?=\/)/
/** Verbs: what a module or a part of the pipeline does. Its statements, resources and routes have places of their own. */
const verb = /^src\/(?:modules|pipeline)\/[^/]+(?=\/)(?!.*-(?:sql|resource|input|routes)\.ts$)/

type Imports = ReadonlyMap<string, readonly string[]>

/** One sentence for each circle of folders. `findCycles` finds circles in a graph of any names. */
export function findFolderCircles(
  imports: Imports,
  findCycles: (graph: Imports) => readonly string[],
): readonly string[] {
  const graphs = new Map<string, Map<string, Set<string>>>()
  for (const [path, targets] of imports)
    for (const target of targets) {
      const level = sharedFolder(path, target)
      if (!circleless.test(`${level}/`)) continue
      const graph = graphs.get(level) ?? new Map<string, Set<string>>()
      const from = unitOf(level, path)
      graphs.set(level, graph.set(from, (graph.get(from) ?? new Set()).add(unitOf(level, target))))
    }
  return [...graphs].flatMap(([level, graph]) => circlesIn(graph, findCycles).map((circle) => `${level}: ${circle}`))
}

/** The same for the verbs of modules and of the pipeline, over all their folders. */
export function findVerbCircles(
  imports: Imports,
  findCycles: (graph: Imports) => readonly string[],
): readonly string[] {
  const graph = new Map<string, Set<string>>()
  for (const [path, targets] of imports) {
    const from = verb.exec(path)?.[0]
    for (const target of targets) {
      const to = verb.exec(target)?.[0]
      if (from === undefined || to === undefined || from === to) continue
      graph.set(from, (graph.get(from) ?? new Set()).add(to))
    }
  }
  return circlesIn(graph, findCycles)
}

function circlesIn(
  graph: ReadonlyMap<string, ReadonlySet<string>>,
  findCycles: (graph: Imports) => readonly string[],
): readonly string[] {
  const lists = new Map([...graph].map(([folder, others]) => [folder, [...others]]))
  return findCycles(lists).map((circle) => `folders in a circle, ${circle}`)
}

function sharedFolder(one: string, other: string): string {
  let folder = posix.dirname(one)
  while (folder !== '.' && !other.startsWith(`${folder}/`)) folder = posix.dirname(folder)
  return folder
}

function unitOf(level: string, path: string): string {
  return path.slice(level.length + 1).split('/')[0] ?? ''
}
