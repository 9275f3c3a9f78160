/**
 * PDFium, compiled to WebAssembly: opens a PDF, draws its pages and names the characters on them. The package's own
 * interface draws and gives plain text only; the places of characters need the functions of PDFium itself
 * (fpdfview.h, fpdf_text.h, fpdf_edit.h), which it exports as they are. Nothing here runs scripts or follows links:
 * the build has neither JavaScript nor XFA, and the part of PDFium that runs actions is never called.
 */

import { PDFiumLibrary } from '@hyzyla/pdfium'
import type { UnreadableReason } from '../document.ts'
import { pageBounds } from './bounds.ts'

/** Handles are addresses in the memory of the module; 0 is none. */
type Handle = number

export interface PdfiumModule {
  readonly HEAPU8: Uint8Array
  readonly HEAP32: Int32Array
  readonly HEAPF32: Float32Array
  readonly HEAPF64: Float64Array
  readonly _malloc: (bytes: number) => Handle
  readonly _free: (at: Handle) => void
  readonly _FPDF_LoadMemDocument: (at: Handle, bytes: number, password: Handle) => Handle
  readonly _FPDF_CloseDocument: (document: Handle) => void
  readonly _FPDF_GetLastError: () => number
  readonly _FPDF_GetPageCount: (document: Handle) => number
  readonly _FPDF_LoadPage: (document: Handle, place: number) => Handle
  readonly _FPDF_ClosePage: (page: Handle) => void
  readonly _FPDF_GetPageWidthF: (page: Handle) => number
  readonly _FPDF_GetPageHeightF: (page: Handle) => number
  readonly _FPDF_PageToDevice: (...args: readonly number[]) => number
  readonly _FPDF_RenderPageBitmap: (...args: readonly number[]) => void
  readonly _FPDFBitmap_Create: (width: number, height: number, alpha: number) => Handle
  readonly _FPDFBitmap_FillRect: (...args: readonly number[]) => void
  readonly _FPDFBitmap_GetBuffer: (bitmap: Handle) => Handle
  readonly _FPDFBitmap_GetStride: (bitmap: Handle) => number
  readonly _FPDFBitmap_Destroy: (bitmap: Handle) => void
  readonly _FPDFPage_Flatten: (page: Handle, use: number) => number
  readonly _FPDFPage_CountObjects: (page: Handle) => number
  readonly _FPDFPage_GetObject: (page: Handle, place: number) => Handle
  readonly _FPDFPageObj_GetType: (object: Handle) => number
  readonly _FPDFPageObj_GetBounds: (...args: readonly number[]) => number
  readonly _FPDFPageObj_SetIsActive: (object: Handle, isActive: number) => number
  readonly _FPDFFormObj_CountObjects: (form: Handle) => number
  readonly _FPDFFormObj_GetObject: (form: Handle, place: number) => Handle
  readonly _FPDFText_LoadPage: (page: Handle) => Handle
  readonly _FPDFText_ClosePage: (text: Handle) => void
  readonly _FPDFText_CountChars: (text: Handle) => number
  readonly _FPDFText_GetUnicode: (text: Handle, place: number) => number
  readonly _FPDFText_GetCharBox: (...args: readonly number[]) => number
  readonly _FPDFText_GetTextObject: (text: Handle, place: number) => Handle
}

/** Pixels of a page as it is shown, four bytes each: blue, green, red and one without meaning. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}

export interface PdfPage {
  readonly handle: Handle
  /** In points, as it is shown: turned as the file states, and cut to its crop box. */
  readonly width: number
  readonly height: number
}

export interface Pdf {
  readonly pdfium: PdfiumModule
  readonly pageCount: number
  /** `place` from 0. Null for a page that cannot be opened. */
  readonly openPage: (place: number) => PdfPage | null
  readonly closePage: (page: PdfPage) => void
  readonly close: () => void
}

export type OpenedPdf =
  | { readonly ok: true; readonly pdf: Pdf }
  | { readonly ok: false; readonly reason: UnreadableReason; readonly detail: string }

/** FPDF_ERR_PASSWORD and FPDF_ERR_SECURITY of fpdfview.h. */
const errors = { password: 4, security: 5 }

let loading: Promise<PdfiumModule> | null = null

async function loadPdfium(): Promise<PdfiumModule> {
  loading ??= PDFiumLibrary.init().then(
    // The module of the package is private, and there is no other access to the functions of PDFium.
    (library) => (library as unknown as { readonly module: PdfiumModule }).module,
  )
  return loading
}

export async function openPdf(bytes: Uint8Array): Promise<OpenedPdf> {
  const pdfium = await loadPdfium()
  const at = pdfium._malloc(bytes.length)
  pdfium.HEAPU8.set(bytes, at)
  const document = pdfium._FPDF_LoadMemDocument(at, bytes.length, 0)
  if (document === 0) {
    const error = pdfium._FPDF_GetLastError()
    pdfium._free(at)
    return error === errors.password || error === errors.security
      ? { ok: false, reason: 'encrypted', detail: 'The PDF needs a password.' }
      : { ok: false, reason: 'damaged', detail: 'The PDF cannot be opened: it is damaged or incomplete.' }
  }
  return { ok: true, pdf: pdfOf(pdfium, document, at) }
}

function pdfOf(pdfium: PdfiumModule, document: Handle, at: Handle): Pdf {
  const open = (place: number): Handle => pdfium._FPDF_LoadPage(document, place)
  return {
    pdfium,
    pageCount: pdfium._FPDF_GetPageCount(document),
    openPage: (place) => {
      const first = open(place)
      if (first === 0) return null
      // The values of form fields are not text of the page until they are flattened into it.
      const isChanged = pdfium._FPDFPage_Flatten(first, 0) === 1
      if (isChanged) pdfium._FPDF_ClosePage(first)
      const handle = isChanged ? open(place) : first
      if (handle === 0) return null
      const [width, height] = [pdfium._FPDF_GetPageWidthF(handle), pdfium._FPDF_GetPageHeightF(handle)]
      return width > 0 && height > 0 ? { handle, width, height } : null
    },
    closePage: ({ handle }) => pdfium._FPDF_ClosePage(handle),
    close: () => {
      pdfium._FPDF_CloseDocument(document)
      pdfium._free(at)
    },
  }
}

/** Draws a page on white, with what is written on it by annotations. Null when it would have too many pixels. */
export function drawPage(pdfium: PdfiumModule, page: PdfPage, dpi: number): Pixels | null {
  const width = Math.max(1, Math.round((page.width * dpi) / 72))
  const height = Math.max(1, Math.round((page.height * dpi) / 72))
  if (width * height > pageBounds.pixels) return null
  const bitmap = pdfium._FPDFBitmap_Create(width, height, 0)
  if (bitmap === 0) return null
  pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff)
  const withAnnotations = 1
  pdfium._FPDF_RenderPageBitmap(bitmap, page.handle, 0, 0, width, height, 0, withAnnotations)
  const from = pdfium._FPDFBitmap_GetBuffer(bitmap)
  const size = pdfium._FPDFBitmap_GetStride(bitmap) * height
  const bytes = Buffer.from(pdfium.HEAPU8.subarray(from, from + size))
  pdfium._FPDFBitmap_Destroy(bitmap)
  return { width, height, bytes }
}
