/**
 * Tesseract as WebAssembly, with the English language data that npm brings. Measured on printed forms: the small data
 * (`best_int`) reads as well as the large; relaxed SIMD reads no faster than SIMD and may differ from machine to
 * machine.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import type { Box } from '../../document.ts'
import type { Grey } from '../pixels/grey.ts'

export interface Found {
  readonly text: string
  /** 0 to 1. */
  readonly confidence: number
  /** In pixels of the picture. */
  readonly box: Box
}

export interface Reader {
  /** In the order of reading that Tesseract finds. */
  read(picture: Grey, dpi: number): readonly Found[]
}

interface Core {
  readonly FS: { writeFile(path: string, data: Uint8Array): void }
  readonly TessBaseAPI: new () => {
    /** 0 when it worked. */
    Init(folder: null, language: string, mode: number): number
    SetVariable(name: string, value: string): void
    /** 1 when it failed. Reads `/input`. */
    SetImageFile(exif: number, angle: number): number
    Recognize(monitor: null): number
    GetTSVText(page: number): string
    Clear(): void
  }
}

const lstmOnly = 1
/** Columns and blocks are found by themselves: read best of all ways on forms, measured. */
const automatic = '3'
const require = createRequire(import.meta.url)
/** A module with one SIMD instruction: where it is none, the machine has not what the faster build needs. */
const simdModule = Uint8Array.from([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98,
  11,
])

/** Not among the types of Node. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { validate(bytes: Uint8Array): boolean }
}

export async function loadReader(): Promise<Reader> {
  const load = (
    WebAssembly.validate(simdModule)
      ? require('tesseract.js-core/tesseract-core-simd-lstm.js')
      : require('tesseract.js-core/tesseract-core-lstm.js')
  ) as (options: object) => Promise<Core>
  const quiet = () => {}
  const core = await load({ TesseractProgress: quiet, print: quiet, printErr: quiet })
  const data = require.resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz')
  core.FS.writeFile('eng.traineddata', gunzipSync(readFileSync(data)))
  const api = new core.TessBaseAPI()
  if (api.Init(null, 'eng', lstmOnly) !== 0) throw new Error('Tesseract does not start')
  api.SetVariable('tessedit_pageseg_mode', automatic)
  return {
    read({ width, height, data }, dpi) {
      core.FS.writeFile('/input', Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data]))
      api.SetVariable('user_defined_dpi', String(Math.round(Math.min(2_000, Math.max(70, dpi)))))
      if (api.SetImageFile(1, 0) === 1) return []
      api.Recognize(null)
      const found = readTsv(api.GetTSVText(0))
      api.Clear()
      return found
    },
  }
}

/** Columns: level, page, block, paragraph, line, word, left, top, width, height, confidence (0–100), text. */
function readTsv(tsv: string): readonly Found[] {
  const found: Found[] = []
  for (const line of tsv.split('\n')) {
    const columns = line.split('\t')
    const text = columns[11]?.trim() ?? ''
    if (columns[0] !== '5' || text === '') continue
    const [left = 0, top = 0, width = 0, height = 0, confidence = 0] = columns.slice(6, 11).map(Number)
    const box = { left, top, right: left + width, bottom: top + height }
    found.push({ text, confidence: Math.min(1, Math.max(0, confidence / 100)), box })
  }
  return found
}
