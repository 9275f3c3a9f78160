/**
 * Reads the words that a person sees on the pages of a document, in a separate process for each file
 * (`apart/run-apart.ts`), so that a harmful file can exhaust only the memory and time of that process, and can neither
 * run nor fetch nor read anything.
 */

import type { PagesReading, PageWords, UnreadableReason } from '../document.ts'
import { type Limits, runApart } from './apart/run-apart.ts'
import { type FileKind, findFileKind } from './file-kind.ts'
import { pageBounds } from './page-bounds.ts'
import { type PagesLine, pagesLimits, pagesProgram } from './pages-program.ts'

/**
 * The kind of file is found in its bytes; what the sender called it does not count. It takes at most 120 seconds and 5
 * more for each page, 600 in all; what was read until then is returned, with the pages that were not. Rejects only when
 * no process can be started.
 */
export async function readPagesApart(
  bytes: Buffer,
  _claimed: { readonly contentType: string | null; readonly fileName: string },
  options: {
    readonly limits?: Partial<Limits>
    /** For the log: what a process wrote that failed by itself. */
    readonly onFault?: (told: string) => void
  } = {},
): Promise<PagesReading> {
  const kind = kindOf(bytes)
  if (typeof kind !== 'string') return kind
  const answer = new Answer()
  const ending = await runApart(pagesProgram(kind, 'read'), bytes, {
    limits: { ...pagesLimits, ...options.limits },
    onLine: (line) => answer.take(JSON.parse(line) as PagesLine),
  })
  if (ending.kind === 'failed') options.onFault?.(ending.told)
  return answer.reading(ending.kind === 'ended')
}

/** The kind of a file that may be opened, else why not. */
export function kindOf(bytes: Buffer): FileKind | (PagesReading & { readonly ok: false }) {
  const refused = (reason: UnreadableReason, detail: string) => ({ ok: false, reason, detail }) as const
  if (bytes.length === 0) return refused('damaged', 'The file is empty.')
  if (bytes.length > pageBounds.fileBytes)
    return refused('too_large', `The file is larger than ${pageBounds.fileBytes / 1_048_576} MB.`)
  return (
    findFileKind(bytes) ??
    refused('unsupported_type', 'The file is none of PDF, JPEG, PNG, TIFF and WebP, whatever its name says.')
  )
}

export const exhausted = {
  ok: false,
  reason: 'exhausted',
  detail: 'The file takes too much time or memory to read.',
} as const

class Answer {
  private readonly pages: PageWords[] = []
  private readonly unread: number[] = []
  private total = 0
  private refusal: (PagesReading & { readonly ok: false }) | null = null

  take(line: PagesLine): void {
    if ('pages' in line) this.total = line.pages
    else if ('page' in line) this.pages.push(line.page)
    else if ('unread' in line) this.unread.push(line.unread)
    else if ('refused' in line) this.refusal = { ok: false, ...line.refused }
  }

  reading(isWhole: boolean): PagesReading {
    const failure = this.refusal ?? (isWhole ? null : exhausted)
    const hasWords = this.pages.some(({ words }) => words.length > 0)
    if (!hasWords) return failure ?? this.nothing()
    const read = new Set(this.pages.map(({ page }) => page))
    const unread = Array.from({ length: this.total }, (_, index) => index + 1).filter(
      (page) => !read.has(page),
    )
    return { ok: true, pages: this.pages, ...(unread.length === 0 ? {} : { unread }) }
  }

  private nothing(): PagesReading {
    if (this.pages.length === 0) return { ok: false, reason: 'damaged', detail: 'No page can be opened.' }
    return { ok: false, reason: 'no_text', detail: 'No text can be seen on its pages.' }
  }
}
