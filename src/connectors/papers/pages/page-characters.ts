/** The characters of a page with their places and the text objects that they belong to. */

import type { Rectangle } from '../document.ts'
import { pageBounds } from './bounds.ts'
import type { PdfiumModule, PdfPage } from './pdfium.ts'

export interface Character {
  readonly text: string
  /** Null for a space or line break, which PDFium adds between words. */
  readonly box: Rectangle | null
  /** The text object of the page that draws it; 0 when there is none. */
  readonly object: number
}

/** The number of steps per page in which PDFium gives places: fine enough for any rectangle. */
const steps = 1_000_000

/** Null when the page has more characters than are read. */
export function readCharacters(pdfium: PdfiumModule, page: PdfPage): readonly Character[] | null {
  const text = pdfium._FPDFText_LoadPage(page.handle)
  if (text === 0) return []
  const bufferAddress = pdfium._malloc(4 * 8 + 2 * 4)
  try {
    const count = pdfium._FPDFText_CountChars(text)
    if (count > pageBounds.charsOfPage) return null
    return Array.from({ length: count }, (_, place): Character => {
      const code = pdfium._FPDFText_GetUnicode(text, place)
      const sign = code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : ' '
      const object = pdfium._FPDFText_GetTextObject(text, place)
      const box = sign.trim() === '' ? null : readRectangle(pdfium, page, { text, place, bufferAddress })
      return { text: sign, box, object }
    })
  } finally {
    pdfium._free(bufferAddress)
    pdfium._FPDFText_ClosePage(text)
  }
}

/** Left, right, bottom and top come in the page's own units, and go out as fractions of the page as it is shown. */
function readRectangle(
  pdfium: PdfiumModule,
  page: PdfPage,
  of: { readonly text: number; readonly place: number; readonly bufferAddress: number },
): Rectangle | null {
  const { text, place, bufferAddress } = of
  if (
    pdfium._FPDFText_GetCharBox(
      text,
      place,
      bufferAddress,
      bufferAddress + 8,
      bufferAddress + 16,
      bufferAddress + 24,
    ) === 0
  )
    return null
  const [left = 0, right = 0, bottom = 0, top = 0] = pdfium.HEAPF64.subarray(bufferAddress / 8, bufferAddress / 8 + 4)
  return toPageRectangle(pdfium, page, { left, right, bottom, top }, bufferAddress + 32)
}

/** `bufferAddress`: eight bytes for two integers. */
export function toPageRectangle(
  pdfium: PdfiumModule,
  { handle }: PdfPage,
  of: { readonly left: number; readonly right: number; readonly bottom: number; readonly top: number },
  bufferAddress: number,
): Rectangle {
  const toDevicePoint = (x: number, y: number): readonly [number, number] => {
    pdfium._FPDF_PageToDevice(handle, 0, 0, steps, steps, 0, x, y, bufferAddress, bufferAddress + 4)
    return [(pdfium.HEAP32[bufferAddress / 4] ?? 0) / steps, (pdfium.HEAP32[bufferAddress / 4 + 1] ?? 0) / steps]
  }
  const [[x1, y1], [x2, y2]] = [toDevicePoint(of.left, of.top), toDevicePoint(of.right, of.bottom)]
  return {
    left: Math.min(x1, x2),
    top: Math.min(y1, y2),
    right: Math.max(x1, x2),
    bottom: Math.max(y1, y2),
  }
}
