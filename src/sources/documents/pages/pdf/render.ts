/** Renders a page of a PDF as it is shown: with its rotation, its crop box and its annotations; nothing is executed. */

import { OutOfMemory, type Pdfium, withMemory } from './pdfium.ts'

/** Rows from the top, 4 bytes a pixel in the order red, green, blue, unused. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

const flags = { annotations: 0x01, reverseByteOrder: 0x10 } as const
const bitmapWithoutAlpha = 3
const white = 0xffffffff

/** `size` in pixels; the page fills it. */
export function renderPage(
  pdfium: Pdfium,
  page: number,
  { width, height }: { readonly width: number; readonly height: number },
): Pixels {
  const bytes = width * height * 4
  return withMemory(pdfium, bytes, (first) => {
    const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, bitmapWithoutAlpha, first, width * 4)
    if (bitmap === 0) throw new OutOfMemory()
    try {
      pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white)
      pdfium._FPDF_RenderPageBitmap(
        bitmap,
        page,
        0,
        0,
        width,
        height,
        0,
        flags.annotations | flags.reverseByteOrder,
      )
      return { width, height, data: pdfium.HEAPU8.slice(first, first + bytes) }
    } finally {
      pdfium._FPDFBitmap_Destroy(bitmap)
    }
  })
}

/** The size at this resolution, made smaller where it would be more pixels than may be. */
export function pixelSize(
  points: { readonly width: number; readonly height: number },
  { dpi, pixelsMax }: { readonly dpi: number; readonly pixelsMax: number },
): { readonly width: number; readonly height: number; readonly dpi: number } {
  const wanted = dpi / 72
  const scale = Math.min(wanted, Math.sqrt(pixelsMax / (points.width * points.height)))
  const pixels = (length: number) => Math.max(1, Math.round(length * scale))
  return { width: pixels(points.width), height: pixels(points.height), dpi: scale * 72 }
}
