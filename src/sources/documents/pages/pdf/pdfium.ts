/**
 * PDFium as WebAssembly: the functions of its C interface that we call. The build has no JavaScript engine and no XFA,
 * and its files are in memory, so that a PDF can neither run nor fetch anything through it.
 *
 * Numbers that are named after a thing are addresses of it in the memory of the module.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { PDFiumModule } from '@hyzyla/pdfium'

export interface Pdfium {
  /** Replaced whenever the memory grows: never keep it over a call. */
  readonly HEAPU8: Uint8Array
  readonly wasmExports: {
    malloc(bytes: number): number
    free(address: number): void
  }
  _FPDF_InitLibraryWithConfig(config: number): void
  _FPDF_LoadMemDocument(bytes: number, size: number, password: number): number
  _FPDF_CloseDocument(document: number): void
  _FPDF_GetLastError(): number
  _FPDF_GetPageCount(document: number): number
  _FPDF_LoadPage(document: number, index: number): number
  _FPDF_ClosePage(page: number): void
  _FPDF_GetPageWidthF(page: number): number
  _FPDF_GetPageHeightF(page: number): number
  _FPDF_PageToDevice(
    page: number,
    startX: number,
    startY: number,
    sizeX: number,
    sizeY: number,
    rotate: number,
    x: number,
    y: number,
    toX: number,
    toY: number,
  ): number
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    startX: number,
    startY: number,
    sizeX: number,
    sizeY: number,
    rotate: number,
    flags: number,
  ): void
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, first: number, stride: number): number
  _FPDFBitmap_FillRect(
    bitmap: number,
    left: number,
    top: number,
    width: number,
    height: number,
    color: number,
  ): void
  _FPDFBitmap_Destroy(bitmap: number): void
  /** In quarter turns clockwise. */
  _FPDFPage_GetRotation(page: number): number
  _FPDFPage_GetAnnotCount(page: number): number
  _FPDFPage_Flatten(page: number, flag: number): number
  _FPDFPage_CountObjects(page: number): number
  _FPDFPage_GetObject(page: number, index: number): number
  _FPDFFormObj_CountObjects(form: number): number
  _FPDFFormObj_GetObject(form: number, index: number): number
  _FPDFPageObj_GetType(object: number): number
  _FPDFPageObj_SetIsActive(object: number, isActive: number): number
  _FPDFPageObj_CountMarks(object: number): number
  _FPDFPageObj_GetMark(object: number, index: number): number
  _FPDFPageObj_RemoveMark(object: number, mark: number): number
  _FPDFPageObjMark_RemoveParam(object: number, mark: number, name: number): number
  _FPDFTextObj_GetTextRenderMode(text: number): number
  _FPDFText_LoadPage(page: number): number
  _FPDFText_ClosePage(text: number): void
  _FPDFText_CountChars(text: number): number
  _FPDFText_GetUnicode(text: number, index: number): number
  _FPDFText_IsGenerated(text: number, index: number): number
  _FPDFText_HasUnicodeMapError(text: number, index: number): number
  _FPDFText_GetCharAngle(text: number, index: number): number
  _FPDFText_GetCharBox(
    text: number,
    index: number,
    left: number,
    right: number,
    bottom: number,
    top: number,
  ): number
  _FPDFText_GetLooseCharBox(text: number, index: number, rect: number): number
  _FPDFText_GetTextObject(text: number, index: number): number
}

export const objectTypes = { text: 1, form: 5 } as const

let loaded: Promise<Pdfium> | null = null

/** One module a process: what it needs is read from the package's folder. */
export function loadPdfium(): Promise<Pdfium> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<Pdfium> {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm'))
  const module = (await PDFiumModule({
    wasmBinary: new Uint8Array(wasm).buffer,
    locateFile: () => '',
  })) as unknown as Pdfium
  module._FPDF_InitLibraryWithConfig(0)
  return module
}

/** Lends memory of the module for as long as the work takes. */
export function withMemory<T>(pdfium: Pdfium, bytes: number, work: (address: number) => T): T {
  const address = pdfium.wasmExports.malloc(bytes)
  if (address === 0) throw new OutOfMemory()
  try {
    return work(address)
  } finally {
    pdfium.wasmExports.free(address)
  }
}

export class OutOfMemory extends Error {
  constructor() {
    super('there is not enough memory left')
  }
}
