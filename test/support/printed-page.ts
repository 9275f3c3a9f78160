/** Pages for tests, as lines of a typewriter: where four blanks or more stand between words, they are apart. */

import type { PageWords } from '../../src/connectors/papers/document.ts'

const [wide, high] = [0.008, 0.012]

export function pageOf(lines: readonly string[], page = 1): PageWords {
  const words = lines.flatMap((line, place) =>
    [...line.matchAll(/\S+/g)].map((found) => ({
      text: found[0],
      confidence: 1,
      box: {
        left: found.index * wide,
        top: place * 2 * high,
        right: (found.index + found[0].length) * wide,
        bottom: (place * 2 + 1) * high,
      },
    })),
  )
  return { page, width: 595, height: 842, origin: 'text', words, invisibleWords: 0 }
}
