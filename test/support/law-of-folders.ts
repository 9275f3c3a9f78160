// How the folders of a room lie: none imports another in a circle, however far round, and nobody meets more doors at one
// level than fit on a page. A file that lies beside folders counts like one of them.
import { posix } from 'node:path'

const circleless = /^src\/(core|sources|store|service|doors)(?=\/)/
const uncrowded = /^src\/(service)(?=\/)/
/** Levels that are not in order yet. */
const unorderedYet: readonly string[] = ['src/doors']

const foldersMax = 14
/** Beside folders, and in a folder that has none of its own. */
const looseMax = { besideFolders: 6, alone: 50 }

type Imports = ReadonlyMap<string, readonly string[]>

/** One sentence for each circle of folders; `findCycles` walks a graph of whatever names. */
export function findFolderCircles(
  imports: Imports,
  findCycles: (graph: Imports) => readonly string[],
): readonly string[] {
  const graphs = new Map<string, Map<string, Set<string>>>()
  for (const [path, targets] of imports)
    for (const target of targets) {
      const level = sharedFolder(path, target)
      if (!circleless.test(`${level}/`) || unorderedYet.includes(level)) continue
      const graph = graphs.get(level) ?? new Map<string, Set<string>>()
      const from = unitOf(level, path)
      graphs.set(level, graph.set(from, (graph.get(from) ?? new Set()).add(unitOf(level, target))))
    }
  return [...graphs].flatMap(([level, graph]) =>
    findCycles(new Map([...graph].map(([unit, others]) => [unit, [...others]]))).map(
      (circle) => `${level}: folders in a circle, ${circle}`,
    ),
  )
}

/** One sentence for each level that has too much on it. */
export function findCrowds(paths: readonly string[]): readonly string[] {
  const levels = new Map<string, Set<string>>()
  for (const path of paths.filter((each) => uncrowded.test(each)))
    for (let level = posix.dirname(path); level !== 'src'; level = posix.dirname(level))
      levels.set(level, (levels.get(level) ?? new Set()).add(unitOf(level, path)))
  return [...levels].flatMap(([level, units]) => {
    const folders = [...units].filter((unit) => !unit.endsWith('.ts')).length
    const loose = units.size - folders
    const max = folders === 0 ? looseMax.alone : looseMax.besideFolders
    return [
      ...(folders > foldersMax ? [`${level} has ${folders} folders, more than ${foldersMax}`] : []),
      ...(loose > max ? [`${level} has ${loose} loose files, more than ${max}`] : []),
    ]
  })
}

function sharedFolder(one: string, other: string): string {
  let folder = posix.dirname(one)
  while (folder !== '.' && !other.startsWith(`${folder}/`)) folder = posix.dirname(folder)
  return folder
}

function unitOf(level: string, path: string): string {
  return path.slice(level.length + 1).split('/')[0] ?? ''
}
