/**
 * How fast pages become words: of PDFs with text, and of scans. The limit is the part that cannot be left out, done in
 * this process with everything loaded: to draw each page once, and to let Tesseract read each scan once.
 */

import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { loadReader } from '../src/sources/documents/pages/ocr/tesseract.ts'
import { openPdf, sizeOf, withPage } from '../src/sources/documents/pages/pdf/open-pdf.ts'
import { loadPdfium } from '../src/sources/documents/pages/pdf/pdfium.ts'
import { pixelSize, renderGrey, renderPage } from '../src/sources/documents/pages/pdf/render.ts'
import { readPagesApart } from '../src/sources/documents/pages/read-pages-apart.ts'
import { renderPages } from '../tools/document-corpus/render-page.ts'
import {
  alternate,
  type Figure,
  median,
  medianRatio,
  progress,
  secondsOf,
  seededChance,
  spread,
} from './measure.ts'
import { isFull } from './size.ts'

const rounds = 3
const wordsOfPage = 260

export async function measurePages(): Promise<readonly Figure[]> {
  const text = await drawPages(isFull() ? 100 : 40)
  const scans = await scanOf(await drawPages(isFull() ? 12 : 4))
  const single = await drawPages(1)
  progress('document pages: PDFs with text')
  const ofText = await alternate(rounds, {
    ours: () => rateOf(text, readApart),
    limit: () => rateOf(text, drawOnce),
  })
  progress('document pages: scans')
  const ofScans = await alternate(rounds, {
    ours: () => rateOf(scans, readApart),
    limit: () => rateOf(scans, recogniseOnce),
  })
  progress('document pages: a file of one page')
  const ofSingle = await alternate(rounds, {
    ours: () => rateOf(single, readApart),
    limit: () => rateOf(single, drawOnce),
  })
  return [
    figureOf('PDFs with text', ofText, {
      pages: text.pages,
      limit: 'each page drawn once by PDFium in a process that runs already',
      // It is drawn three times: with its text, without it, and to look for print that is no text.
      ratioMin: 0.15,
    }),
    figureOf('scans of 200 dpi', ofScans, {
      pages: scans.pages,
      limit: 'each page read once by Tesseract in a process that runs already',
      ratioMin: 0.6,
    }),
    figureOf('PDFs of one page, a process for each', ofSingle, {
      pages: single.pages,
      limit: 'the page drawn once by PDFium in a process that runs already',
      ratioMin: null,
    }),
  ]
}

interface File {
  readonly bytes: Buffer
  readonly pages: number
}

async function rateOf(file: File, work: (file: File) => Promise<void>): Promise<number> {
  return file.pages / (await secondsOf(() => work(file)))
}

async function readApart({ bytes, pages }: File): Promise<void> {
  const reading = await readPagesApart(bytes, { contentType: null, fileName: 'bench.pdf' })
  if (!reading.ok) throw new Error(reading.detail)
  const words = reading.pages.reduce((sum, page) => sum + page.words.length, 0)
  if (words < pages * wordsOfPage * 0.9) throw new Error(`${words} words were found on ${pages} pages`)
}

async function drawOnce(file: File): Promise<void> {
  await eachPage(file, (pdfium, page) => {
    pdfiumDraw(pdfium, page)
  })
}

async function recogniseOnce(file: File): Promise<void> {
  const reader = await readerOf()
  await eachPage(file, (pdfium, page) => {
    reader.read(renderGrey(pdfium, page, pixelSize(sizeOf(pdfium, page), forOcr)), forOcr.dpi)
  })
}

type Pdfium = Awaited<ReturnType<typeof loadPdfium>>

const onScreen = { dpi: 144, pixelsMax: 4_000_000 } as const
const forOcr = { dpi: 300, pixelsMax: 12_000_000 } as const
let reader: ReturnType<typeof loadReader> | null = null

function readerOf(): ReturnType<typeof loadReader> {
  reader ??= loadReader()
  return reader
}

function pdfiumDraw(pdfium: Pdfium, page: number): void {
  renderPage(pdfium, page, pixelSize(sizeOf(pdfium, page), onScreen))
}

async function eachPage({ bytes }: File, work: (pdfium: Pdfium, page: number) => void): Promise<void> {
  const pdfium = await loadPdfium()
  const open = openPdf(pdfium, bytes)
  if (typeof open === 'string') throw new Error(`the PDF is ${open}`)
  for (let index = 0; index < open.pages; index += 1) withPage(open, index, (page) => work(pdfium, page))
  pdfium._FPDF_CloseDocument(open.document)
}

/** Pages like those of a bill: short lines of words and numbers. */
async function drawPages(pages: number): Promise<File> {
  const chance = seededChance(18)
  const digits = () => String(Math.floor(chance() * 9_000_000) + 1_000_000)
  const vocabulary = [
    'Container',
    'Vessel',
    'Port',
    'Consignee',
    'Terminal',
    'Weight',
    'Free',
    'Last',
    'Release',
  ]
  const words = () => `${vocabulary[Math.floor(chance() * vocabulary.length)]} ${digits()}`
  const pdf = new PDFDocument({ size: 'A4', margin: 40, autoFirstPage: false })
  const parts: Buffer[] = []
  pdf.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise((resolve) => pdf.on('end', resolve))
  for (let page = 0; page < pages; page += 1) {
    pdf.addPage().font('Helvetica').fontSize(9)
    for (let index = 0; index < wordsOfPage / 2; index += 1)
      pdf.text(words(), 40 + (index % 4) * 130, 50 + Math.floor(index / 4) * 22, { lineBreak: false })
  }
  pdf.end()
  await ended
  return { bytes: Buffer.concat(parts), pages }
}

async function scanOf({ bytes, pages }: File): Promise<File> {
  const pictures = await renderPages(bytes, { dpi: 200 })
  const pdf = new PDFDocument({ size: 'A4', margin: 0, autoFirstPage: false })
  const parts: Buffer[] = []
  pdf.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise((resolve) => pdf.on('end', resolve))
  for (const { png } of pictures) {
    const jpeg = await sharp(png).blur(0.5).jpeg({ quality: 75 }).toBuffer()
    pdf.addPage().image(jpeg, 0, 0, { width: pdf.page.width })
  }
  pdf.end()
  await ended
  return { bytes: Buffer.concat(parts), pages }
}

function figureOf(
  what: string,
  sides: Awaited<ReturnType<typeof alternate>>,
  {
    pages,
    limit,
    ratioMin,
  }: { readonly pages: number; readonly limit: string; readonly ratioMin: number | null },
): Figure {
  const ratio = medianRatio(sides)
  return {
    bench: 'documents',
    what: `pages read: ${what}`,
    unit: 'pages/s',
    figure: median(sides.ours),
    limit: { what: limit, value: median(sides.limit) },
    ratio,
    aim: ratioMin === null ? 'measured: what a process of its own costs' : `ratio at least ${ratioMin}`,
    isMet: ratioMin === null || ratio >= ratioMin,
    note: `${rounds} rounds of a file of ${pages} pages with ${wordsOfPage} words each; ${spread(sides.ours)} against ${spread(sides.limit)}`,
    postgres: null,
  }
}
