/** Draws pages of a PDF as pictures, by the same PDFium that reads them. */

import sharp from 'sharp'
import { drawPage, openPdf } from '../../src/connectors/papers/pages/pdfium.ts'

/** A PNG of each page. */
export async function renderPages(pdf: Uint8Array, dpi: number): Promise<readonly Buffer[]> {
  const opened = await openPdf(pdf)
  if (!opened.ok) throw new Error(opened.detail)
  const pictures: Buffer[] = []
  for (let place = 0; place < opened.pdf.pageCount; place += 1) {
    const page = opened.pdf.openPage(place)
    const pixels = page === null ? null : drawPage(opened.pdf.pdfium, page, dpi)
    if (page === null || pixels === null) throw new Error(`page ${place + 1} cannot be drawn`)
    const { width, height, bytes } = pixels
    // PDFium writes blue first; papers are grey enough for that to make no difference.
    pictures.push(
      await sharp(bytes, { raw: { width, height, channels: 4 } })
        .removeAlpha()
        .png()
        .toBuffer(),
    )
    opened.pdf.closePage(page)
  }
  opened.pdf.close()
  return pictures
}
