/**
 * From the bytes of a file to the words that a person sees on each of its pages. Runs in the process that
 * `read-pages-apart.ts` starts, and nowhere else.
 */

import type { PagesReading, PageWords, Quarters, UnreadableReason, Word } from '../document.ts'
import { kindOfFile, pageBounds } from './bounds.ts'
import { pictureShare } from './drawn-area.ts'
import { greyOf, isBlank } from './grey.ts'
import { groupWords } from './group-words.ts'
import { readCharacters } from './page-characters.ts'
import { drawPage, openPdf, type Pdf, type PdfPage } from './pdfium.ts'
import type { Recognizer } from './recognize.ts'
import type { ScannedWords } from './scanned-words.ts'
import { drawWithoutText, findVisible, objectsOf } from './visible-words.ts'

/** The detail of a failure is for the person who handed the file in. */
class UnreadableFile extends Error {
  readonly reason: UnreadableReason
  constructor(reason: UnreadableReason, detail: string) {
    super(detail)
    this.reason = reason
  }
}

/** A page with a picture of this share is read from its pixels, too: it is a scan, with or without a line of print. */
const pictureShareMin = 0.25
/** A page with fewer words of its own may have print that is drawn as shapes. */
const fewWords = 5
const scanDpi = 300

/** From which page on, and how many of the pages before it were scans. */
export interface ReadFrom {
  /** From 0. */
  readonly place: number
  readonly scanned: number
}

export type PagesBatch =
  | {
      readonly ok: true
      readonly pages: readonly PageWords[]
      /** Where another process goes on; null after the last page. */
      readonly next: ReadFrom | null
    }
  | Extract<PagesReading, { readonly ok: false }>

/** Used up after so much time of the processor, so that a process ends by itself before it is killed. */
const enoughMs = 8_000

/** Reads pages until it has used enough time. */
export async function readPages(bytes: Buffer, from: ReadFrom = { place: 0, scanned: 0 }): Promise<PagesBatch> {
  const recognizer = openRecognizerLazily(from.scanned)
  try {
    if (bytes.length === 0) throw new UnreadableFile('damaged', 'The file is empty.')
    const kind = kindOfFile(bytes)
    if (kind === null)
      throw new UnreadableFile('unsupported_type', 'The file is neither a PDF nor a JPEG, PNG, TIFF or WebP picture.')
    const read = kind === 'pdf' ? readPdf : readImage
    const { pages, next } = await read(bytes, recognizer.get, from.place)
    return { ok: true, pages, next: next === null ? null : { place: next, scanned: recognizer.scanned() } }
  } catch (error) {
    if (error instanceof UnreadableFile) return { ok: false, reason: error.reason, detail: error.message }
    return { ok: false, reason: 'damaged', detail: 'The file cannot be read.' }
  } finally {
    await recognizer.close()
  }
}

/** Tesseract takes a third of a second to start. Files with text of their own never need it. */
function openRecognizerLazily(scannedBefore: number): {
  readonly get: () => Promise<Recognizer>
  readonly scanned: () => number
  readonly close: () => Promise<void>
} {
  let opened: Promise<Recognizer> | null = null
  let scanned = scannedBefore
  return {
    scanned: () => scanned,
    get: () => {
      scanned += 1
      if (scanned > pageBounds.scannedPages)
        throw new UnreadableFile(
          'too_many_pages',
          `More than ${pageBounds.scannedPages} pages are scans. Send them as several files.`,
        )
      opened ??= import('./recognize.ts').then(({ openRecognizer }) => openRecognizer())
      return opened
    },
    close: async () => (await opened?.catch(() => null))?.close(),
  }
}

function checkPageCount(pageCount: number): void {
  if (pageCount > pageBounds.pages)
    throw new UnreadableFile('too_many_pages', `The file has ${pageCount} pages, more than ${pageBounds.pages}.`)
}

type GetRecognizer = () => Promise<Recognizer>

/** `next`: the first page that was not read. */
type PartialPages = { readonly pages: readonly PageWords[]; readonly next: number | null }

/** Whether the process has used its time. What was read is given back to the system before the next page. */
function hasUsedTime(): boolean {
  globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000 > enoughMs
}

async function readPdf(bytes: Buffer, recognizer: GetRecognizer, from: number): Promise<PartialPages> {
  const opened = await openPdf(bytes)
  if (!opened.ok) throw new UnreadableFile(opened.reason, opened.detail)
  const { pdf } = opened
  try {
    checkPageCount(pdf.pageCount)
    const pages: PageWords[] = []
    for (let place = from; place < pdf.pageCount; place += 1) {
      if (place > from && hasUsedTime()) return { pages, next: place }
      const page = pdf.openPage(place)
      if (page === null) throw new UnreadableFile('damaged', `Page ${place + 1} cannot be opened.`)
      pages.push({ page: place + 1, ...(await readPdfPage(pdf, page, recognizer)) })
      pdf.closePage(page)
    }
    return { pages, next: null }
  } finally {
    pdf.close()
  }
}

async function readPdfPage(
  { pdfium }: Pdf,
  page: PdfPage,
  recognizer: GetRecognizer,
): Promise<Omit<PageWords, 'page'>> {
  const characters = readCharacters(pdfium, page)
  if (characters === null) throw new UnreadableFile('too_large', 'A page has too many characters.')
  const printed = groupWords(characters)
  const seen = findVisible(pdfium, page, printed)
  if (seen === null) throw new UnreadableFile('too_large', 'A page is too large to be drawn.')
  const ownWords = seen.visible.map(({ text, box }): Word => ({ text, box, confidence: 1 }))
  const isScan = ownWords.length < fewWords || pictureShare(pdfium, page) >= pictureShareMin
  const none: ScannedWords = { words: [], quarters: 0, tilt: 0 }
  const found = isScan ? await readDrawn({ pdfium, page, printed }, recognizer) : none
  return {
    width: page.width,
    height: page.height,
    origin: found.words.length > ownWords.length ? 'ocr' : 'text',
    ...(found.words.length > ownWords.length
      ? { quarters: found.quarters, tilt: found.tilt }
      : { quarters: quartersOf(ownWords, page) }),
    words: [...ownWords, ...found.words],
    invisibleWords: seen.invisible,
  }
}

/** Reads the page from its pixels, drawn without its own text, so that no word is read twice. */
async function readDrawn(
  of: {
    readonly pdfium: Pdf['pdfium']
    readonly page: PdfPage
    readonly printed: ReturnType<typeof groupWords>
  },
  recognizer: GetRecognizer,
): Promise<ScannedWords> {
  const dpi = Math.min(scanDpi, Math.sqrt(14_000_000 / ((of.page.width * of.page.height) / 72 ** 2)))
  const drawn = drawWithoutText(of.pdfium, objectsOf(of.printed), () => drawPage(of.pdfium, of.page, dpi))
  if (drawn === null) throw new UnreadableFile('too_large', 'A page is too large to be drawn.')
  const picture = greyOf(drawn)
  if (isBlank(picture)) return { words: [], quarters: 0, tilt: 0 }
  const { readScannedWords } = await import('./scanned-words.ts')
  return readScannedWords(picture, await recognizer())
}

async function readImage(bytes: Buffer, recognizer: GetRecognizer, from: number): Promise<PartialPages> {
  const { openImage } = await import('./image-pages.ts')
  const opened = await openImage(bytes)
  if (!opened.ok) throw new UnreadableFile(opened.reason, opened.detail)
  checkPageCount(opened.image.pageCount)
  const { readScannedWords } = await import('./scanned-words.ts')
  const pages: PageWords[] = []
  for (let place = from; place < opened.image.pageCount; place += 1) {
    if (place > from && hasUsedTime()) return { pages, next: place }
    const { width, height, picture } = await opened.image.readPage(place)
    const found = readScannedWords(picture, await recognizer())
    pages.push({ page: place + 1, width, height, origin: 'ocr', ...found, invisibleWords: 0 })
  }
  return { pages, next: null }
}

/**
 * Text of a PDF that runs up or down the page, as on a sheet that was drawn on its side. It is found by the shape of
 * its words, and by the direction in which the lines follow each other.
 */
function quartersOf(words: readonly Word[], { width, height }: PdfPage): Quarters {
  const long = words.filter(({ text }) => text.length >= 4)
  const upright = long.filter(({ box }) => (box.right - box.left) * width >= (box.bottom - box.top) * height)
  if (long.length < fewWords || upright.length * 2 >= long.length) return 0
  // Words come in reading order.
  const steps = words.slice(1).map(({ box }, place) => box.left - (words[place]?.box.left ?? box.left))
  return steps.reduce((sum, step) => sum + step, 0) > 0 ? 1 : 3
}
