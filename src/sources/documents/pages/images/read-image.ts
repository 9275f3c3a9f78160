/** Reads the words of a picture file, page by page: a photo has one, a TIFF of a scanner may have many. */

import type { LineRun } from '../../document.ts'
import { readPicture } from '../ocr/read-picture.ts'
import { loadReader } from '../ocr/tesseract.ts'
import { pageBounds } from '../page-bounds.ts'
import type { PagesLine } from '../pages-program.ts'
import { greyOf, openPicture, sizeOfPage } from './picture-file.ts'

export async function* readImage(bytes: Buffer): AsyncGenerator<PagesLine> {
  const file = await openPicture(bytes)
  yield { pages: file.pages }
  const reader = await loadReader()
  let turn: LineRun['turn'] = 0
  for (let index = 0; index < Math.min(file.pages, pageBounds.ocrPages); index += 1) {
    const { width, height, dpi } = await sizeOfPage(file, index)
    const grey = await greyOf(file, index, { width, height, dpi })
    const { words, lines } = readPicture(reader, grey, {
      // Of the picture as it is read, which may be smaller.
      dpi: dpi === null ? null : (dpi * grey.width) / width,
      turn,
    })
    turn = lines.turn
    const isStraight = lines.turn === 0 && lines.skewDegrees === 0
    yield {
      page: {
        page: index + 1,
        width,
        height,
        origin: 'ocr',
        words,
        invisibleWords: 0,
        ...(isStraight ? {} : { lines }),
      },
    }
  }
}
