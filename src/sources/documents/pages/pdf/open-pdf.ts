/** Opens a PDF and its pages, and says why one cannot be opened. */

import { type Pdfium, withMemory } from './pdfium.ts'

export interface OpenPdf {
  readonly pdfium: Pdfium
  readonly document: number
  readonly pages: number
}

const passwordNeeded = 4
const securityUnknown = 5

/** A file that is encrypted but opens without a password opens here too, as it does for everybody. */
export function openPdf(pdfium: Pdfium, bytes: Uint8Array): OpenPdf | 'encrypted' | 'damaged' {
  // PDFium reads from these bytes until the document is closed; the process ends before they are given back.
  const first = pdfium.wasmExports.malloc(bytes.length)
  if (first === 0) return 'damaged'
  pdfium.HEAPU8.set(bytes, first)
  const document = pdfium._FPDF_LoadMemDocument(first, bytes.length, 0)
  if (document !== 0) return { pdfium, document, pages: pdfium._FPDF_GetPageCount(document) }
  const error = pdfium._FPDF_GetLastError()
  pdfium.wasmExports.free(first)
  return error === passwordNeeded || error === securityUnknown ? 'encrypted' : 'damaged'
}

/** `index` from 0. Null when the page is damaged. */
export function withPage<T>(
  { pdfium, document }: OpenPdf,
  index: number,
  work: (page: number) => T,
): T | null {
  const page = pdfium._FPDF_LoadPage(document, index)
  if (page === 0) return null
  try {
    return work(page)
  } finally {
    pdfium._FPDF_ClosePage(page)
  }
}

/** In points, as it is shown. */
export function sizeOf(pdfium: Pdfium, page: number): { readonly width: number; readonly height: number } {
  return { width: pdfium._FPDF_GetPageWidthF(page), height: pdfium._FPDF_GetPageHeightF(page) }
}

/** A place in the page's own coordinates to fractions of the page as it is shown. */
export type ToShown = (x: number, y: number) => readonly [number, number]

export function toShown(pdfium: Pdfium, page: number): ToShown {
  const parts = 1_000_000
  const place = (x: number, y: number) =>
    withMemory(pdfium, 8, (at) => {
      pdfium._FPDF_PageToDevice(page, 0, 0, parts, parts, 0, x, y, at, at + 4)
      const view = new DataView(pdfium.HEAPU8.buffer)
      return [view.getInt32(at, true) / parts, view.getInt32(at + 4, true) / parts] as const
    })
  // The way is affine, and whole numbers are all that PDFium gives: measured over a thousand points it is exact enough.
  const [x0, y0] = place(0, 0)
  const [xx, yx] = place(1_000, 0)
  const [xy, yy] = place(0, 1_000)
  return (x, y) => [
    x0 + (x * (xx - x0) + y * (xy - x0)) / 1_000,
    y0 + (x * (yx - y0) + y * (yy - y0)) / 1_000,
  ]
}
