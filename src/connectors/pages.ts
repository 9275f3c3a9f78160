/**
 * How an answer of several pages is stored as one snapshot: a line of JSON that names each page's status, type and
 * length, then the pages' bytes one after the other, untouched. The same pages give the same bytes.
 *
 *     {"pages":[{"status":200,"contentType":"application/json","bytes":2,"truncated":false}, …],"complete":true}\n
 *     [][]…
 */

import { membersOf } from '../domain/values/json-value.ts'
import type { RawSnapshot } from './source.ts'

export const pagesContentType = 'application/vnd.landfall.pages'

export interface Page {
  readonly status: number
  readonly contentType: string | null
  readonly body: Buffer
  /** True when the body was cut at the maximum size of one answer. */
  readonly truncated: boolean
}

export interface Pages {
  readonly pages: readonly Page[]
  /** False when the source announced another page that could not be fetched. */
  readonly complete: boolean
}

/** A single complete page is stored as it is, without a frame. */
export function writePages({ pages, complete }: Pages, fetchedAt: string): RawSnapshot {
  const [first] = pages
  const isPlain = pages.length === 1 && complete && first?.truncated === false && !isFramed(first.contentType)
  if (isPlain && first !== undefined) {
    return { status: first.status, contentType: first.contentType, body: first.body, fetchedAt }
  }
  const frame = pages.map(({ status, contentType, body, truncated }) => ({
    status,
    contentType,
    bytes: body.length,
    truncated,
  }))
  const head = Buffer.from(`${JSON.stringify({ pages: frame, complete })}\n`)
  const body = Buffer.concat([head, ...pages.map((page) => page.body)])
  return { status: first?.status ?? 0, contentType: pagesContentType, body, fetchedAt }
}

/** The pages of a snapshot. A frame that is not valid is read as one page of raw bytes. */
export function readPages(snapshot: RawSnapshot): Pages {
  const asOne = { pages: [{ ...snapshot, truncated: false }], complete: true }
  if (!isFramed(snapshot.contentType)) return asOne
  const headEnds = snapshot.body.indexOf(10)
  const frame = headEnds < 0 ? null : readFrame(snapshot.body.toString('utf8', 0, headEnds))
  if (frame === null) return asOne
  let at = headEnds + 1
  const pages = frame.pages.map(({ bytes, ...page }) => {
    const body = snapshot.body.subarray(at, at + bytes)
    at += bytes
    return { ...page, body }
  })
  return at === snapshot.body.length ? { pages, complete: frame.complete } : asOne
}

function isFramed(contentType: string | null): boolean {
  return contentType?.toLowerCase().startsWith(pagesContentType) === true
}

interface Frame {
  readonly pages: readonly (Omit<Page, 'body'> & { readonly bytes: number })[]
  readonly complete: boolean
}

function readFrame(head: string): Frame | null {
  let frame: unknown
  try {
    frame = JSON.parse(head)
  } catch {
    // Not our frame: the caller reads the bytes as one page.
    return null
  }
  const { pages, complete } = membersOf(frame)
  return Array.isArray(pages) && pages.every(isPageFrame) && typeof complete === 'boolean' ? { pages, complete } : null
}

function isPageFrame(page: unknown): page is Frame['pages'][number] {
  const { status, contentType, bytes, truncated } = membersOf(page)
  const isTyped = contentType === null || typeof contentType === 'string'
  return (
    Number.isInteger(status) &&
    isTyped &&
    Number.isSafeInteger(bytes) &&
    Number(bytes) >= 0 &&
    typeof truncated === 'boolean'
  )
}
