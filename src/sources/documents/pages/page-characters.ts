/** The characters of a page with their places and the text objects that they belong to. */

import type { Box } from '../document.ts'
import { pageBounds } from './bounds.ts'
import type { PdfiumModule, PdfPage } from './pdfium.ts'

export interface Character {
  readonly text: string
  /** Null for a space or line break, which PDFium adds between words. */
  readonly box: Box | null
  /** The text object of the page that draws it; 0 when there is none. */
  readonly object: number
}

/** Steps of the whole page in which PDFium gives places: fine enough for any box. */
const steps = 1_000_000

/** Null when the page has more characters than are read. */
export function readCharacters(pdfium: PdfiumModule, page: PdfPage): readonly Character[] | null {
  const text = pdfium._FPDFText_LoadPage(page.handle)
  if (text === 0) return []
  const room = pdfium._malloc(4 * 8 + 2 * 4)
  try {
    const count = pdfium._FPDFText_CountChars(text)
    if (count > pageBounds.charsOfPage) return null
    return Array.from({ length: count }, (_, place): Character => {
      const code = pdfium._FPDFText_GetUnicode(text, place)
      const sign = code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : ' '
      const object = pdfium._FPDFText_GetTextObject(text, place)
      const box = sign.trim() === '' ? null : boxOf(pdfium, page, { text, place, room })
      return { text: sign, box, object }
    })
  } finally {
    pdfium._free(room)
    pdfium._FPDFText_ClosePage(text)
  }
}

/** Left, right, bottom and top come in the page's own units, and go out as fractions of the page as it is shown. */
function boxOf(
  pdfium: PdfiumModule,
  page: PdfPage,
  of: { readonly text: number; readonly place: number; readonly room: number },
): Box | null {
  const { text, place, room } = of
  if (pdfium._FPDFText_GetCharBox(text, place, room, room + 8, room + 16, room + 24) === 0) return null
  const [left = 0, right = 0, bottom = 0, top = 0] = pdfium.HEAPF64.subarray(room / 8, room / 8 + 4)
  return boxOnPage(pdfium, page, { left, right, bottom, top }, room + 32)
}

/** `room`: eight bytes to write two whole numbers into. */
export function boxOnPage(
  pdfium: PdfiumModule,
  { handle }: PdfPage,
  of: { readonly left: number; readonly right: number; readonly bottom: number; readonly top: number },
  room: number,
): Box {
  const shown = (x: number, y: number): readonly [number, number] => {
    pdfium._FPDF_PageToDevice(handle, 0, 0, steps, steps, 0, x, y, room, room + 4)
    return [(pdfium.HEAP32[room / 4] ?? 0) / steps, (pdfium.HEAP32[room / 4 + 1] ?? 0) / steps]
  }
  const [[x1, y1], [x2, y2]] = [shown(of.left, of.top), shown(of.right, of.bottom)]
  return {
    left: Math.min(x1, x2),
    top: Math.min(y1, y2),
    right: Math.max(x1, x2),
    bottom: Math.max(y1, y2),
  }
}
