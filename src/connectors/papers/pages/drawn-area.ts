/** How much of a page is covered by pictures: a page that is mostly a picture is a scan, whatever text is beside it. */

import { toPageRectangle } from './page-characters.ts'
import type { PdfiumModule, PdfPage } from './pdfium.ts'
import { areaOf } from './visible-words.ts'

/** FPDF_PAGEOBJ_IMAGE and FPDF_PAGEOBJ_FORM of fpdf_edit.h. */
const types = { image: 3, form: 5 }
/** Maximum number of objects that are read, and how deep groups of objects are followed. */
const objectsMax = 2_000
const depthMax = 4

/** The largest share of the page that one picture covers, 0 to 1. A group that contains one counts as a whole. */
export function pictureShare(pdfium: PdfiumModule, page: PdfPage): number {
  const bufferAddress = pdfium._malloc(24)
  let share = 0
  try {
    const count = Math.min(objectsMax, pdfium._FPDFPage_CountObjects(page.handle))
    for (let place = 0; place < count; place += 1) {
      const object = pdfium._FPDFPage_GetObject(page.handle, place)
      if (!hasPicture(pdfium, object, 0)) continue
      if (
        pdfium._FPDFPageObj_GetBounds(
          object,
          bufferAddress,
          bufferAddress + 4,
          bufferAddress + 8,
          bufferAddress + 12,
        ) === 0
      )
        continue
      const [left = 0, bottom = 0, right = 0, top = 0] = pdfium.HEAPF32.subarray(
        bufferAddress / 4,
        bufferAddress / 4 + 4,
      )
      const rectangle = toPageRectangle(pdfium, page, { left, right, bottom, top }, bufferAddress + 16)
      const within = {
        left: Math.max(0, rectangle.left),
        top: Math.max(0, rectangle.top),
        right: Math.min(1, rectangle.right),
        bottom: Math.min(1, rectangle.bottom),
      }
      share = Math.max(share, areaOf(within))
    }
  } finally {
    pdfium._free(bufferAddress)
  }
  return share
}

function hasPicture(pdfium: PdfiumModule, object: number, depth: number): boolean {
  const type = pdfium._FPDFPageObj_GetType(object)
  if (type === types.image) return true
  if (type !== types.form || depth >= depthMax) return false
  const count = Math.min(objectsMax, pdfium._FPDFFormObj_CountObjects(object))
  for (let place = 0; place < count; place += 1)
    if (hasPicture(pdfium, pdfium._FPDFFormObj_GetObject(object, place), depth + 1)) return true
  return false
}
