/** Makes pictures of the pages of a PDF that we made ourselves, for tests and samples that need scans. */

import sharp from 'sharp'
import { openPdf, sizeOf, withPage } from '../../src/sources/documents/pages/pdf/open-pdf.ts'
import { loadPdfium } from '../../src/sources/documents/pages/pdf/pdfium.ts'
import { pixelSize, renderPage } from '../../src/sources/documents/pages/pdf/render.ts'

export interface PagePicture {
  /** PNG without an alpha channel. */
  readonly png: Buffer
  /** In pixels. */
  readonly width: number
  readonly height: number
}

/** Throws when the file or the page cannot be opened. Each page has `dpi` dots per inch. */
export async function renderPages(pdf: Uint8Array, { dpi = 200 } = {}): Promise<readonly PagePicture[]> {
  const pdfium = await loadPdfium()
  const open = openPdf(pdfium, pdf)
  if (typeof open === 'string') throw new Error(`the PDF is ${open}`)
  try {
    const pictures: PagePicture[] = []
    for (let index = 0; index < open.pages; index += 1) {
      const pixels = withPage(open, index, (page) =>
        renderPage(pdfium, page, pixelSize(sizeOf(pdfium, page), { dpi, pixelsMax: 64_000_000 })),
      )
      if (pixels === null) throw new Error(`page ${index + 1} is damaged`)
      const { width, height, data } = pixels
      const png = await sharp(data, { raw: { width, height, channels: 4 } })
        .removeAlpha()
        .png({ compressionLevel: 3 })
        .toBuffer()
      pictures.push({ png, width, height })
    }
    return pictures
  } finally {
    pdfium._FPDF_CloseDocument(open.document)
  }
}
