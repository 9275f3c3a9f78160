/** Reads a PDF page by page. */

import { pageBounds, Unreadable } from '../page-bounds.ts'
import type { PagesLine } from '../pages-program.ts'
import { openPdf, withPage } from './open-pdf.ts'
import { loadPdfium } from './pdfium.ts'
import { readPageText } from './read-page.ts'

export async function* readPdf(bytes: Uint8Array): AsyncGenerator<PagesLine> {
  const pdfium = await loadPdfium()
  const open = openPdf(pdfium, bytes)
  if (open === 'encrypted') throw new Unreadable('encrypted', 'The file opens with a password only.')
  if (open === 'damaged') throw new Unreadable('damaged', 'The file is not a PDF that can be opened.')
  if (open.pages > pageBounds.pages)
    throw new Unreadable(
      'too_many_pages',
      `The file has ${open.pages} pages; at most ${pageBounds.pages} are read.`,
    )
  yield { pages: open.pages }
  for (let index = 0; index < open.pages; index += 1) {
    const number = index + 1
    const read = withPage(open, index, (page) => readPageText(pdfium, page))
    if (read === null) yield { unread: number }
    else {
      const { width, height, words, invisibleWords } = read
      yield { page: { page: number, width, height, origin: 'text', words, invisibleWords } }
    }
  }
}
