/** Renders a page of a PDF as it is shown: with its rotation, its crop box and its annotations; nothing is executed. */

import type { Grey } from '../pixels/grey.ts'
import { OutOfMemory, type Pdfium, withMemory } from './pdfium.ts'

/** Rows from the top, 4 bytes a pixel in the order red, green, blue, unused. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

interface Size {
  readonly width: number
  readonly height: number
}

const flags = { annotations: 0x01, grey: 0x08, reverseByteOrder: 0x10 } as const
const formats = { grey: 1, colours: 3 } as const
const white = 0xffffffff

/** `size` in pixels; the page fills it. */
export function renderPage(pdfium: Pdfium, page: number, size: Size): Pixels {
  const form = { format: formats.colours, bytes: 4, flags: flags.annotations | flags.reverseByteOrder }
  return { ...size, data: render(pdfium, page, { ...size, ...form }) }
}

/** One byte a pixel. */
export function renderGrey(pdfium: Pdfium, page: number, size: Size): Grey {
  const form = { format: formats.grey, bytes: 1, flags: flags.annotations | flags.grey }
  return { ...size, data: render(pdfium, page, { ...size, ...form }) }
}

interface Form extends Size {
  readonly format: number
  /** Of a pixel. */
  readonly bytes: number
  readonly flags: number
}

function render(pdfium: Pdfium, page: number, { width, height, format, bytes, flags }: Form): Uint8Array {
  const stride = width * bytes
  return withMemory(pdfium, stride * height, (first) => {
    const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, format, first, stride)
    if (bitmap === 0) throw new OutOfMemory()
    try {
      pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white)
      pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
      return pdfium.HEAPU8.slice(first, first + stride * height)
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
