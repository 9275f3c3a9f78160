/** Scans for tests: pages that we draw, and only their pixels. */

import sharp, { type Sharp } from 'sharp'
import { renderPages } from '../../../tools/document-corpus/render-page.ts'
import { makePdf } from './made-pdf.ts'

/** Small enough to be read in a second. */
const size = [300, 200] as const

export const printed =
  'Arrival notice Container MSKU1234565 Vessel EVER GIVEN Voyage 0412W Terminal Long Beach'

/** A page of 300 by 200 points with `printed` on it. */
export async function drawPage(): Promise<Buffer> {
  return await makePdf(
    (pdf) => {
      pdf.font('Helvetica').fontSize(12)
      pdf.text('Arrival notice', 20, 15)
      pdf.text('Container MSKU1234565', 20, 60)
      pdf.text('Vessel EVER GIVEN Voyage 0412W', 20, 90)
      pdf.text('Terminal Long Beach', 20, 150)
    },
    { size: [...size], margin: 10 },
  )
}

export async function scanPage({ dpi = 200 } = {}): Promise<Sharp> {
  const [page] = await renderPages(await drawPage(), { dpi })
  if (page === undefined) throw new Error('the page was not drawn')
  return sharp(page.png)
}

/** A PDF whose pages are these pictures and nothing else, with what `over` draws upon each. */
export async function bindScans(
  pictures: readonly Buffer[],
  { dpi = 200, over = () => {} }: { dpi?: number; over?: (pdf: PDFKit.PDFDocument) => void } = {},
): Promise<Buffer> {
  const sizes = await Promise.all(
    pictures.map(async (picture) => {
      const { width, height } = await sharp(picture).metadata()
      return [(width * 72) / dpi, (height * 72) / dpi] as [number, number]
    }),
  )
  return await makePdf(
    (pdf) =>
      pictures.forEach((picture, index) => {
        const [width, height] = sizes[index] ?? [0, 0]
        pdf.addPage({ size: [width, height], margin: 0 })
        pdf.image(picture, 0, 0, { width, height })
        over(pdf)
      }),
    { autoFirstPage: false },
  )
}
