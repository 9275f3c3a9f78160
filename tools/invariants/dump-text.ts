/**
 * The dump as text: a heading for each kind of name, and below it a line an item, sorted.
 */

import { createHash } from 'node:crypto'

export interface Group {
  readonly title: string
  readonly lines: readonly string[]
}

/** For what is too long for a line. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

const head = `# Names and structures that must not change while the code does. Written by \`npm run -s qa -- invariants\`; never edited by hand.
# A change needs a reason: npm run -s qa -- invariants --accept "<reason>"
`

/** Throws when a group has no lines: then its names are no longer found where they were looked for. */
export function writeDump(groups: readonly Group[]): string {
  const parts = groups.map(({ title, lines }) => {
    if (lines.length === 0) throw new Error(`Nothing was found for "${title}". Look into tools/invariants/.`)
    const items = new Set(lines.map((line) => line.replaceAll('\n', '\\n')))
    return `\n## ${title}\n${[...items].sort().join('\n')}\n`
  })
  return `${head}${parts.sort().join('')}`
}

/** Each line with its heading before it. */
export function readDump(text: string): ReadonlySet<string> {
  let title = ''
  const items = new Set<string>()
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) title = line.slice(3)
    else if (line !== '' && title !== '') items.add(`${title}: ${line}`)
  }
  return items
}
