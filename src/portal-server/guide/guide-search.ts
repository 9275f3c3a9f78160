/** Finds sections of the guide by the words that they have. */

import { type Guide, type GuidePage, slugOf } from './guide-pages.ts'

export interface FoundSection {
  readonly page: GuidePage
  readonly heading: string
  /** Without `#`; empty for the beginning of the page. */
  readonly anchor: string
  /** The words around the first match, as plain text. */
  readonly excerpt: string
}

interface Section {
  readonly page: GuidePage
  readonly heading: string
  readonly anchor: string
  readonly plain: string
  readonly lower: string
}

const foundMax = 30
const excerptLength = 180
const sections = new WeakMap<Guide, readonly Section[]>()

/** Sections that have every word, at the beginning of a word; those with the words in their heading first. */
export function searchGuide(guide: Guide, question: string): readonly FoundSection[] {
  const words =
    question
      .toLowerCase()
      .match(/[\p{L}\p{N}_-]+/gu)
      ?.slice(0, 8) ?? []
  if (words.length === 0) return []
  const all = sections.get(guide) ?? sectionsOf(guide)
  sections.set(guide, all)
  const patterns = words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(word)}`, 'gu'))
  const scored = all.flatMap((section) => {
    const heads = `${section.page.title} ${section.heading}`.toLowerCase()
    const counts = patterns.map(
      (pattern) => [heads.match(pattern)?.length ?? 0, section.lower.match(pattern)?.length ?? 0] as const,
    )
    if (counts.some(([head, body]) => head + body === 0)) return []
    const isRecord = section.page.name.startsWith('decisions/')
    const score = counts.reduce((sum, [head, body]) => sum + head * 8 + Math.min(body, 5), 0) / (isRecord ? 3 : 1)
    return [{ section, score }]
  })
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, foundMax)
    .map(({ section: { page, heading, anchor, plain, lower } }) => {
      const [pattern] = patterns
      const at = Math.max(0, (pattern === undefined ? 0 : lower.search(pattern)) - 60)
      return { page, heading, anchor, excerpt: plain.slice(at, at + excerptLength) }
    })
}

function sectionsOf({ pages }: Guide): readonly Section[] {
  return [...pages.values()].flatMap((page) =>
    page.text.split(/^(?=#{2,4} )/m).map((block) => {
      const [, heading = ''] = /^#{2,4} (.+)\n/.exec(block) ?? []
      const plain = block
        .replace(/^#{2,4} .+\n/, '')
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[`*|]/g, '')
        .replace(/\s+/g, ' ')
        .trim()
      return { page, heading, anchor: slugOf(heading), plain, lower: plain.toLowerCase() }
    }),
  )
}

function escapePattern(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|-]/g, '\\$&')
}
