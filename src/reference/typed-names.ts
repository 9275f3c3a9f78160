/**
 * Names that people type, cached in memory and used for searching only. `resolvePlace`, which reads what a source
 * wrote, must not use them: several things may have the same typed name, and only a person can choose one.
 */

import { plainName } from './plain-name.ts'

/** How well a name fits the typed text: the text is the complete name (1), its beginning (2), or words of it (4). */
export type Nearness = 1 | 2 | 4

export interface TypedNames {
  /** Keys, each with the best fit of its names. Spaces do not count for the complete name and its beginning. */
  find(text: string): ReadonlyMap<string, Nearness>
}

export function indexTypedNames(named: Iterable<readonly [name: string, key: string]>): TypedNames {
  const entries = Array.from(named, ([name, key]) => {
    const plain = plainName(name)
    return { key, joined: removeSpaces(plain), words: plain.split(' ') }
  })
  return {
    find: (text) => {
      const found = new Map<string, Nearness>()
      const plain = plainName(text)
      if (plain === '') return found
      const [joined, words] = [removeSpaces(plain), plain.split(' ')]
      for (const entry of entries) {
        const nearness = nearnessOf(entry)
        const before = found.get(entry.key)
        if (nearness !== null && (before === undefined || nearness < before)) found.set(entry.key, nearness)
      }
      return found

      function nearnessOf(entry: (typeof entries)[number]): Nearness | null {
        if (entry.joined === joined) return 1
        if (entry.joined.startsWith(joined)) return 2
        const isThere = (word: string): boolean => entry.words.some((each) => each.startsWith(word))
        return words.every(isThere) ? 4 : null
      }
    },
  }
}

/** People type both `EVER GIVEN` and `EVERGIVEN` for one name. */
export function removeSpaces(plain: string): string {
  return plain.replaceAll(' ', '')
}
