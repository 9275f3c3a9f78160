/** The objects of a page that draw text, also within forms (which is what PDF calls a drawing that is used again). */

import { pageBounds, Unreadable } from '../page-bounds.ts'
import { objectTypes, type Pdfium, withMemory } from './pdfium.ts'

const depthMax = 24

/** In the order in which they are drawn. */
export function findTextObjects(pdfium: Pdfium, page: number): readonly number[] {
  const found: number[] = []
  let seen = 0
  const take = (object: number, depth: number): void => {
    seen += 1
    if (seen > pageBounds.objectsPerPage) throw new Unreadable('too_large', 'A page draws too many things.')
    const type = pdfium._FPDFPageObj_GetType(object)
    if (type === objectTypes.text) found.push(object)
    if (type !== objectTypes.form || depth > depthMax) return
    const count = pdfium._FPDFFormObj_CountObjects(object)
    for (let index = 0; index < count; index += 1)
      take(pdfium._FPDFFormObj_GetObject(object, index), depth + 1)
  }
  const count = pdfium._FPDFPage_CountObjects(page)
  for (let index = 0; index < count; index += 1) take(pdfium._FPDFPage_GetObject(page, index), 0)
  return found
}

/**
 * Takes away the words that a file may give for reading aloud in place of what is drawn (`/ActualText`): PDFium would
 * return them as the text, and nobody sees them.
 */
export function removeSpokenText(pdfium: Pdfium, objects: readonly number[]): void {
  const name = Buffer.from('ActualText\0', 'latin1')
  withMemory(pdfium, name.length, (at) => {
    pdfium.HEAPU8.set(name, at)
    for (const object of objects) {
      const marks = pdfium._FPDFPageObj_CountMarks(object)
      for (let index = 0; index < marks; index += 1)
        pdfium._FPDFPageObjMark_RemoveParam(object, pdfium._FPDFPageObj_GetMark(object, index), at)
    }
  })
}
