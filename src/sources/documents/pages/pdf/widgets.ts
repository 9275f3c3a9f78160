/**
 * Draws what lies upon a page (fields of a form with their values, stamps, notes) into the page itself, so that its text
 * is read like any other. Scripts and actions are not asked; this build of PDFium could not run them.
 */

import { type OpenPdf, sizeOf, withPage } from './open-pdf.ts'
import { pixelSize, renderGrey } from './render.ts'

const forDisplay = 0

/** `index` from 0. Pages that are open must be opened again. */
export function flattenPage(open: OpenPdf, index: number): void {
  withPage(open, index, (page) => {
    const { pdfium } = open
    if (pdfium._FPDFPage_GetAnnotCount(page) === 0) return
    // Fields whose looks the file leaves to the reader get them when the page is first rendered.
    renderGrey(pdfium, page, pixelSize(sizeOf(pdfium, page), { dpi: 8, pixelsMax: 40_000 }))
    pdfium._FPDFPage_Flatten(page, forDisplay)
  })
}
