/**
 * Recognition of characters by Tesseract, compiled to WebAssembly, with its language data from a package. Nothing is
 * downloaded and nothing is written: its files are in the memory of the module.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Word } from '../document.ts'
import type { GreyPicture } from './grey.ts'

interface Tesseract {
  readonly FS: { readonly writeFile: (path: string, bytes: Uint8Array) => void }
  readonly TessBaseAPI: new () => TesseractApi
}

interface TesseractApi {
  readonly Init: (folder: null, language: string, engine: number) => number
  readonly SetVariable: (name: string, value: string) => void
  readonly SetImageFile: (orientation: number, angle: number) => number
  readonly Recognize: (monitor: null) => number
  readonly GetTSVText: (page: number) => string
  readonly End: () => void
}

export interface Recognizer {
  readonly wordsOf: (picture: GreyPicture, segmentation: Segmentation) => readonly Word[]
  readonly close: () => void
}

const require = createRequire(import.meta.url)
/** From the fastest build to the one that every processor runs. Typed by hand: the package has no types. */
const builds: readonly (() => unknown)[] = [
  () => require('tesseract.js-core/tesseract-core-relaxedsimd-lstm'),
  () => require('tesseract.js-core/tesseract-core-simd-lstm'),
  () => require('tesseract.js-core/tesseract-core-lstm'),
]
/** OEM_LSTM_ONLY. */
const engine = 1
/**
 * PSM_SPARSE_TEXT: as many words as can be found, in any order; short single figures are lost. PSM_SINGLE_BLOCK: lines
 * over the whole width of the page, with everything in them.
 */
const segmentations = { sparse: '11', block: '6' } as const
export type Segmentation = keyof typeof segmentations
/** Words with a lower confidence of Tesseract (0 to 100) are mostly lines and dirt. */
const confidenceMin = 20

export async function openRecognizer(): Promise<Recognizer> {
  const module = await loadTesseract()
  const data = join(dirname(require.resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int')
  module.FS.writeFile('eng.traineddata', gunzipSync(readFileSync(join(data, 'eng.traineddata.gz'))))
  const api = new module.TessBaseAPI()
  if (api.Init(null, 'eng', engine) !== 0) throw new Error('Tesseract does not accept its language data')
  api.SetVariable('user_defined_dpi', '300')
  return {
    wordsOf: (picture, segmentation) => {
      api.SetVariable('tessedit_pageseg_mode', segmentations[segmentation])
      module.FS.writeFile('/input', pgmOf(picture))
      if (api.SetImageFile(1, 0) === 1) return []
      api.Recognize(null)
      return readTsv(api.GetTSVText(0), picture)
    },
    close: () => api.End(),
  }
}

async function loadTesseract(): Promise<Tesseract> {
  let refusal: unknown
  for (const load of builds) {
    try {
      const start = load() as (options: object) => Promise<Tesseract>
      return await start({ print: () => {}, printErr: () => {} })
    } catch (error) {
      refusal = error // this processor lacks what the build needs
    }
  }
  throw refusal
}

/** Netpbm's grey format: a line of text, then the pixels. */
function pgmOf({ width, height, bytes }: GreyPicture): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), bytes])
}

/** Remains of ruled lines, at either end of a word. */
const dirt = /^[|[\]{}_\u2014=~\s]+|[|[\]{}_\u2014=~\s]+$/g

/** The rows of level 5 are words: level, five counters, left, top, width, height, confidence, text. */
function readTsv(tsv: string, { width, height }: GreyPicture): readonly Word[] {
  return tsv.split('\n').flatMap((row): readonly Word[] => {
    const cells = row.split('\t')
    if (cells[0] !== '5') return []
    const [left = 0, top = 0, across = 0, down = 0, confidence = 0] = cells.slice(6, 11).map(Number)
    const text = (cells[11] ?? '').replaceAll(dirt, '')
    if (text === '' || confidence < confidenceMin) return []
    const box = {
      left: left / width,
      top: top / height,
      right: (left + across) / width,
      bottom: (top + down) / height,
    }
    return [{ text, box, confidence: confidence / 100 }]
  })
}
