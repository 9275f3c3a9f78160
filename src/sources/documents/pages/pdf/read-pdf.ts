/**
 * Reads a PDF page by page: its own text as far as it is seen, and what else looks like print from the pixels. So a
 * scan is read from its picture, whatever invisible text somebody laid over it, and a form that is a picture gives both
 * its print and what was filled in.
 */

import type { LineRun, PageWords, Word } from '../../document.ts'
import { readPicture } from '../ocr/read-picture.ts'
import type { Reader } from '../ocr/tesseract.ts'
import { pageBounds, Unreadable } from '../page-bounds.ts'
import type { PagesLine } from '../pages-program.ts'
import { looksPrinted } from '../pixels/print.ts'
import { type OpenPdf, openPdf, sizeOf } from './open-pdf.ts'
import { loadPdfium } from './pdfium.ts'
import { readPageText } from './read-page.ts'
import { pixelSize, renderGrey } from './render.ts'
import { flattenPage } from './widgets.ts'

const glance = { dpi: 110, pixelsMax: 2_500_000 } as const
const forOcr = { dpi: 300, pixelsMax: pageBounds.ocrPixels } as const

/** Throws `Unreadable`. Pages that would need their pixels read after `ocrPages` were are `unread`. */
export async function* readPdf(
  bytes: Uint8Array,
  { ocrPages = pageBounds.ocrPages as number } = {},
): AsyncGenerator<PagesLine> {
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
  const ocr = new Ocr(ocrPages)
  for (let index = 0; index < open.pages; index += 1) yield await readPage(open, index, ocr)
}

/** The one reader of a file, started when the first page needs it, and how the last page lay. */
class Ocr {
  private reader: Reader | null = null
  private left: number
  turn: LineRun['turn'] = 0

  constructor(pages: number) {
    this.left = pages
  }

  async next(): Promise<Reader | null> {
    if (this.left === 0) return null
    this.left -= 1
    const { loadReader } = await import('../ocr/tesseract.ts')
    this.reader ??= await loadReader()
    return this.reader
  }
}

async function readPage(open: OpenPdf, index: number, ocr: Ocr): Promise<PagesLine> {
  const { pdfium } = open
  flattenPage(open, index)
  const page = pdfium._FPDF_LoadPage(open.document, index)
  if (page === 0) return { unread: index + 1 }
  try {
    const size = sizeOf(pdfium, page)
    const text = readPageText(pdfium, page)
    const seen = pixelSize(size, glance)
    const isPrinted = looksPrinted(renderGrey(pdfium, page, seen), seen.dpi)
    const shown = { page: index + 1, ...size, invisibleWords: text.invisibleWords }
    if (!isPrinted) return { page: written(shown, { ...text, origin: 'text', skewDegrees: 0 }) }
    const reader = await ocr.next()
    if (reader === null) return { unread: index + 1 }
    const pixels = pixelSize(size, forOcr)
    const read = readPicture(reader, renderGrey(pdfium, page, pixels), {
      dpi: pixels.dpi,
      turn: text.words.length > 0 ? text.turn : ocr.turn,
    })
    ocr.turn = read.lines.turn
    const words = [...text.words, ...read.words.filter((word) => !overlapsAny(word, text.words))]
    const isMostlyText = text.words.length > read.words.length
    const lines = isMostlyText ? { turn: text.turn, skewDegrees: 0 } : read.lines
    return { page: written(shown, { words, origin: read.words.length > 0 ? 'ocr' : 'text', ...lines }) }
  } finally {
    pdfium._FPDF_ClosePage(page)
  }
}

function written(
  shown: Pick<PageWords, 'page' | 'width' | 'height' | 'invisibleWords'>,
  { words, origin, turn, skewDegrees }: Pick<PageWords, 'words' | 'origin'> & LineRun,
): PageWords {
  const isStraight = turn === 0 && skewDegrees === 0
  return { ...shown, words, origin, ...(isStraight ? {} : { lines: { turn, skewDegrees } }) }
}

/** Words of the text stay as they are; a stroke that is left of one may be read again. */
function overlapsAny({ box }: Word, words: readonly Word[]): boolean {
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
  return words.some(
    ({ box: other }) => x > other.left && x < other.right && y > other.top && y < other.bottom,
  )
}
