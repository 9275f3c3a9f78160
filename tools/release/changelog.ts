/** CHANGELOG.md: what is not released yet at its top, then one part for each version, the newest first. */

const heading = /^## (.+)$/gm
const released = /^(\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\)$/

interface Part {
  /** `Unreleased`, or a version. */
  readonly name: string
  readonly notes: string
}

/** Throws where a heading is neither Unreleased nor a version with its day. */
export function readParts(text: string): readonly Part[] {
  const headings = [...text.matchAll(heading)]
  return headings.map(({ 0: line, 1: title = '', index }, at) => {
    const name = title === 'Unreleased' ? title : released.exec(title)?.[1]
    if (name === undefined)
      throw new Error(`CHANGELOG.md has the heading "${title}"; it must be Unreleased or 1.2.3 (2026-01-31).`)
    return { name, notes: text.slice(index + line.length, headings[at + 1]?.index).trim() }
  })
}

/** The notes of Unreleased become those of `version`; Unreleased stays, empty. */
export function moveUnreleased(
  text: string,
  { version, day }: { readonly version: string; readonly day: string },
): string {
  return text.replace(/^## Unreleased$\n*/m, `## Unreleased\n\n## ${version} (${day})\n`)
}
