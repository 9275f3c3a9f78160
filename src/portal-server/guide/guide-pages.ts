/**
 * The pages of the guide: the files of docs/, grouped as docs/README.md groups them. They are read once, at the first
 * request for one of them.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = join(root, 'docs')
/** The list of all pages; the guide makes its own from it. */
const list = 'README.md'

export interface GuidePage {
  /** As in the address: `webhooks`, `decisions/0001-…`. */
  readonly name: string
  readonly title: string
  /** For whom it is: the first paragraph, as Markdown. */
  readonly about: string
  /** Markdown without the title. */
  readonly text: string
}

export interface GuideGroup {
  readonly title: string
  readonly pages: readonly GuidePage[]
}

export interface Guide {
  readonly pages: ReadonlyMap<string, GuidePage>
  readonly groups: readonly GuideGroup[]
}

let read: Guide | null = null

export function readGuide(): Guide {
  read ??= readFolder()
  return read
}

function readFolder(): Guide {
  const names = ['', 'decisions/'].flatMap((below) =>
    existsSync(join(folder, below))
      ? readdirSync(join(folder, below))
          .filter((file) => file.endsWith('.md') && below + file !== list)
          .map((file) => below + file.slice(0, -3))
      : [],
  )
  const pages = new Map(names.toSorted().map((name) => [name, readPage(name)]))
  return { pages, groups: groupsOf(pages) }
}

function readPage(name: string): GuidePage {
  const whole = readFileSync(join(folder, `${name}.md`), 'utf8')
  const title = /^# (.+)$/m.exec(whole)?.[1] ?? name
  const text = whole.replace(/^# .+\n+/m, '')
  return { name, title, about: text.split(/\n\s*\n/)[0] ?? '', text }
}

/** The sections of the list, in its order; pages that it does not name come last. */
function groupsOf(pages: ReadonlyMap<string, GuidePage>): readonly GuideGroup[] {
  const seen = new Set<string>()
  const sections = readFileSync(join(folder, list), 'utf8').split(/^## /m)
  const named = sections.flatMap((section) => {
    const [title = ''] = section.split('\n')
    const found = [...section.matchAll(/\(([\w-]+)\.md/g)].flatMap(([, name = '']) => {
      const page = pages.get(name)
      if (page === undefined || seen.has(name)) return []
      seen.add(name)
      return [page]
    })
    return found.length === 0 ? [] : [{ title, pages: found }]
  })
  const others = [...pages.values()].filter(({ name }) => !seen.has(name))
  const isRecord = ({ name }: GuidePage): boolean => name.startsWith('decisions/')
  return [
    ...named,
    { title: 'More', pages: others.filter((page) => !isRecord(page)) },
    { title: 'Decisions', pages: others.filter(isRecord) },
  ].filter((group) => group.pages.length > 0)
}

const pictureTypes: Readonly<Record<string, string>> = { png: 'image/png', svg: 'image/svg+xml' }

/** Null for a name that is none of the pictures. */
export function readPicture(name: string): { readonly bytes: Buffer; readonly contentType: string } | null {
  const pictures = join(folder, 'pictures')
  const contentType = pictureTypes[name.split('.').at(-1) ?? '']
  // The folder's own list decides, so that no name leads out of it.
  if (contentType === undefined || !existsSync(pictures) || !readdirSync(pictures).includes(name)) return null
  return { bytes: readFileSync(join(pictures, name)), contentType }
}

/** As GitHub makes them, so that links of the files work here too. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
