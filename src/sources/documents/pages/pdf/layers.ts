/**
 * Parts the texts of a page into layers of which none has one text upon another, so that what is drawn over each other
 * can be looked at one by one. Most pages have a single layer; a watermark makes a second.
 */

import type { Character } from './characters.ts'

/** Share of the smaller of two boxes that both must cover to be one upon the other; less is letters that touch. */
const coveredMin = 0.3
/** Nobody reads more texts than these upon each other. */
const layersMax = 5
const cells = 64
/** More characters than this in one of 4,096 parts of a page are a heap, in which nothing can be read. */
const heapMin = 400

/**
 * The layer of each object that draws text, from 0; null for one that lies on too many others. The same letter at the
 * same place is no conflict: that is how bold print is often made.
 */
export function findLayers(characters: readonly Character[]): ReadonlyMap<number, number | null> {
  const { conflicts, heaped } = findConflicts(characters)
  const layers = new Map<number, number | null>([...heaped].map((object) => [object, null]))
  for (const { object } of characters) {
    if (object === 0 || layers.has(object)) continue
    const taken = new Set([...(conflicts.get(object) ?? [])].map((other) => layers.get(other)))
    let layer = 0
    while (taken.has(layer)) layer += 1
    layers.set(object, layer < layersMax ? layer : null)
  }
  return layers
}

interface Conflicts {
  readonly conflicts: ReadonlyMap<number, ReadonlySet<number>>
  readonly heaped: ReadonlySet<number>
}

function findConflicts(characters: readonly Character[]): Conflicts {
  const conflicts = new Map<number, Set<number>>()
  const heaped = new Set<number>()
  const note = (a: number, b: number) => {
    const known = conflicts.get(a)
    if (known === undefined) conflicts.set(a, new Set([b]))
    else known.add(b)
  }
  const grid = new Map<number, Character[]>()
  for (const character of characters) {
    if (character.object === 0 || character.isSpace) continue
    for (const cell of cellsOf(character)) {
      const neighbours = grid.get(cell)
      if (neighbours === undefined) grid.set(cell, [character])
      else if (neighbours.length >= heapMin) heaped.add(character.object)
      else {
        for (const other of neighbours)
          if (
            other.object !== character.object &&
            !conflicts.get(other.object)?.has(character.object) &&
            other.text !== character.text &&
            covers(other, character)
          ) {
            note(other.object, character.object)
            note(character.object, other.object)
          }
        neighbours.push(character)
      }
    }
  }
  return { conflicts, heaped }
}

function* cellsOf({ box }: Character): Generator<number> {
  const cell = (value: number) => Math.min(cells - 1, Math.max(0, Math.floor(value * cells)))
  for (let row = cell(box.top); row <= cell(box.bottom); row += 1)
    for (let column = cell(box.left); column <= cell(box.right); column += 1) yield row * cells + column
}

function covers({ box: a }: Character, { box: b }: Character): boolean {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  if (width <= 0 || height <= 0) return false
  const area = (box: Character['box']) => (box.right - box.left) * (box.bottom - box.top)
  return width * height >= coveredMin * Math.min(area(a), area(b))
}
