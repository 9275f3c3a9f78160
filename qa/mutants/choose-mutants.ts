// Which faults of all that could be planted a seed chooses: as many of each room, at most one of a file while there are
// other files. Each has a rank that follows from the seed and its line alone, not from its place or from what else is
// there: code that moves takes its mutants with it, and code that is added pushes few out.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fraction } from '../../sandbox/chance.ts'
import { applyChange, type Change, findChanges, isParsable, type Operator } from './find-changes.ts'

export interface Mutant {
  /** From the root of the checkout. */
  readonly file: string
  readonly line: number
  readonly operator: Operator
  /** The line without the blanks around it. */
  readonly text: string
  /** Where in `text` the characters `remove` are. */
  readonly column: number
  readonly remove: string
  readonly insert: string
}

/** Each operator by how much a fault of its kind tells; there are many more conditions than anything else. */
const weights: Readonly<Record<Operator, number>> = {
  comparison: 1,
  'and/or': 1.2,
  not: 1.2,
  arithmetic: 1,
  boolean: 1.5,
  call: 1,
  return: 0.5,
  string: 0.7,
  number: 0.7,
  default: 1,
  condition: 0.35,
  sql: 1.5,
}

/** The first ones of a larger `count` are those of a smaller one. Fewer when there are no more. */
export function chooseMutants({
  root,
  seed,
  count,
}: {
  readonly root: string
  readonly seed: number
  readonly count: number
}): readonly Mutant[] {
  const rooms = Map.groupBy(findMutants(root), ({ file }) => roomOf(file))
  const turns = [...rooms.keys()].toSorted().map((room) => takeInOrder(root, rooms.get(room) ?? [], seed))
  const chosen: Mutant[] = []
  for (let open = turns; open.length > 0; open = open.filter((turn) => !turn.isOver()))
    for (const turn of open) {
      const mutant = turn.next()
      if (mutant !== null) chosen.push(mutant)
      if (chosen.length === count) return chosen
    }
  return chosen
}

/** Code that lies in no folder (`main.ts`) counts with the room that it starts. */
export function roomOf(file: string): string {
  const [, room = '', ...rest] = file.split('/')
  return rest.length > 0 ? room : 'doors'
}

export function findMutants(root: string): readonly Mutant[] {
  return findSources(root).flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    return findChanges(source).map((change) => describeChange(file, source, change))
  })
}

export function findSources(root: string): readonly string[] {
  return globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !file.includes('.generated.'))
    .toSorted()
}

function describeChange(file: string, source: string, { operator, at, remove, insert }: Change): Mutant {
  const start = source.lastIndexOf('\n', at - 1) + 1
  const end = source.indexOf('\n', at)
  const line = source.slice(start, end < 0 ? source.length : end)
  const text = line.trim()
  const column = at - start - line.indexOf(text)
  return { file, line: source.slice(0, at).split('\n').length, operator, text, column, remove, insert }
}

interface Turn {
  readonly next: () => Mutant | null
  readonly isOver: () => boolean
}

function takeInOrder(root: string, mutants: readonly Mutant[], seed: number): Turn {
  const ranked = [...new Map(mutants.map((mutant) => [keyOf(mutant), mutant] as const))]
    .map(([key, mutant]) => ({
      mutant,
      rank: -Math.log(1 - fraction(`${seed} ${key}`)) / weights[mutant.operator],
    }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ mutant }) => mutant)
  const isFirstOfFile = firstTime<Mutant>(({ file }) => file)
  const [first, later]: [Mutant[], Mutant[]] = [[], []]
  for (const mutant of ranked) (isFirstOfFile(mutant) ? first : later).push(mutant)
  const left = [...first, ...later]
  return {
    next: () => {
      for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift())
        if (isParsable(plant(readFileSync(join(root, mutant.file), 'utf8'), mutant) ?? '(')) return mutant
      return null
    },
    isOver: () => left.length === 0,
  }
}

/** Without the file: a line that moves to another file keeps its rank. */
function keyOf({ text, column, remove, insert }: Mutant): string {
  return JSON.stringify([text, column, remove, insert])
}

function firstTime<T>(keyOf: (each: T) => string): (each: T) => boolean {
  const known = new Set<string>()
  return (each) => known.size < known.add(keyOf(each)).size
}

/** The file with the fault, or null when its line is not there. Of equal lines the nearest to the line's number. */
export function plant(source: string, { line, text, column, remove, insert }: Mutant): string | null {
  const lines = source.split('\n')
  const nearest = lines
    .flatMap((each, index) => (each.trim() === text ? [index] : []))
    .toSorted((a, b) => Math.abs(a + 1 - line) - Math.abs(b + 1 - line))[0]
  if (nearest === undefined || !text.startsWith(remove, column)) return null
  const before = lines.slice(0, nearest).reduce((sum, each) => sum + each.length + 1, 0)
  const at = before + (lines[nearest] ?? '').indexOf(text) + column
  return applyChange(source, { at, remove, insert })
}

/**
 * The mutants of an earlier list, where they are today: in their file, or in the one other file that has their line.
 * null for those whose line is gone.
 */
export function findAgain(root: string, earlier: readonly Mutant[]): readonly (Mutant | null)[] {
  const sources = new Map(findSources(root).map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  return earlier.map((mutant) => {
    const here = locate(sources.get(mutant.file) ?? '', mutant)
    if (here !== null) return { ...mutant, line: here }
    const moved = [...sources].flatMap(([file, source]) => {
      const line = source.includes(mutant.text) ? locate(source, mutant) : null
      return line === null ? [] : [{ ...mutant, file, line }]
    })
    return moved.length === 1 ? (moved[0] ?? null) : null
  })
}

function locate(source: string, mutant: Mutant): number | null {
  const lines = source.split('\n').flatMap((each, index) => (each.trim() === mutant.text ? [index + 1] : []))
  return lines.toSorted((a, b) => Math.abs(a - mutant.line) - Math.abs(b - mutant.line))[0] ?? null
}
