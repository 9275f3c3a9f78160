/**
 * Names as people type them, in memory. They are for searching only: `resolvePlace`, which reads what a source wrote,
 * must not know them, for several things may bear one such name and only a person can choose.
 */

import { plainName } from './plain-name.ts'

/** How near a name is to what was typed: the whole of it (1), its beginning (2), words of it (4). */
export type Nearness = 1 | 2 | 4

export interface TypedNames {
  /** Keys by the nearest of their names. `text` is looked up as it is; whole and beginning also without blanks. */
  find(text: string): ReadonlyMap<string, Nearness>
}

export function indexTypedNames(named: Iterable<readonly [name: string, key: string]>): TypedNames {
  const entries = Array.from(named, ([name, key]) => {
    const plain = plainName(name)
    return { key, joined: joinWords(plain), words: plain.split(' ') }
  })
  return {
    find: (text) => {
      const found = new Map<string, Nearness>()
      const plain = plainName(text)
      if (plain === '') return found
      const [joined, words] = [joinWords(plain), plain.split(' ')]
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

/** `EVER GIVEN` and `EVERGIVEN` are one name to who types it. */
export function joinWords(plain: string): string {
  return plain.replaceAll(' ', '')
}
