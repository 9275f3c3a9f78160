/** The characters of a page's own text, in the order of PDFium's text page, with their places. */

import type { Box } from '../../document.ts'
import { pageBounds, Unreadable } from '../page-bounds.ts'
import { type ToShown, toShown } from './open-pdf.ts'
import { type Pdfium, withMemory } from './pdfium.ts'

export interface Character {
  readonly text: string
  /** Space between words: of the file, or a gap or the end of a line that PDFium found. */
  readonly isSpace: boolean
  /** Around the ink; of a space, nothing. */
  readonly box: Box
  /** In points, as it is shown: from the highest to the lowest that letters of the font reach. */
  readonly size: number
  /** How the line runs, in quarter turns clockwise: 0 to the right, 1 down, 2 to the left, 3 up. */
  readonly turn: 0 | 1 | 2 | 3
  /** The object that draws it; 0 when PDFium put it in. */
  readonly object: number
  /** The file does not say which letter it is. */
  readonly isUnknown: boolean
}

export function readCharacters(pdfium: Pdfium, page: number): readonly Character[] {
  const text = pdfium._FPDFText_LoadPage(page)
  if (text === 0) return []
  try {
    const count = pdfium._FPDFText_CountChars(text)
    if (count > pageBounds.charactersPerPage)
      throw new Unreadable('too_large', `A page has more than ${pageBounds.charactersPerPage} characters.`)
    const shown = toShown(pdfium, page)
    const pageTurn = pdfium._FPDFPage_GetRotation(page)
    return withMemory(pdfium, 32, (at) =>
      Array.from({ length: Math.max(0, count) }, (_, index) =>
        readCharacter({ pdfium, text, index, at, shown, pageTurn }),
      ),
    )
  } finally {
    pdfium._FPDFText_ClosePage(text)
  }
}

interface Place {
  readonly pdfium: Pdfium
  /** A PDFium text page. */
  readonly text: number
  readonly index: number
  /** Memory for four numbers. */
  readonly at: number
  readonly shown: ToShown
  /** How the page is turned when it is shown, in quarter turns clockwise. */
  readonly pageTurn: number
}

/** PDFium's own sign for a hyphen at the end of a line. */
const lineHyphen = 0x02

function readCharacter({ pdfium, text, index, at, shown, pageTurn }: Place): Character {
  const code = pdfium._FPDFText_GetUnicode(text, index)
  const isUnknown = code === 0 || code === 0xfffd || pdfium._FPDFText_HasUnicodeMapError(text, index) === 1
  const letter = code === lineHyphen ? '-' : isKnown(code) ? String.fromCodePoint(code) : '\ufffd'
  pdfium._FPDFText_GetCharBox(text, index, at, at + 8, at + 16, at + 24)
  const [left = 0, right = 0, bottom = 0, top = 0] = new Float64Array(pdfium.HEAPU8.buffer, at, 4)
  const from = shown(left, bottom)
  const to = shown(right, top)
  pdfium._FPDFText_GetLooseCharBox(text, index, at)
  const loose = new Float32Array(pdfium.HEAPU8.buffer, at, 4)
  const [looseLeft = 0, looseTop = 0, looseRight = 0, looseBottom = 0] = loose
  const turnOnPage = Math.round(pdfium._FPDFText_GetCharAngle(text, index) / (Math.PI / 2))
  const isUpright = turnOnPage % 2 === 0
  return {
    text: letter,
    isSpace: isSpace(letter),
    box: {
      left: Math.min(from[0], to[0]),
      top: Math.min(from[1], to[1]),
      right: Math.max(from[0], to[0]),
      bottom: Math.max(from[1], to[1]),
    },
    size: Math.abs(isUpright ? looseTop - looseBottom : looseRight - looseLeft),
    turn: ((turnOnPage + pageTurn) & 3) as Character['turn'],
    object: pdfium._FPDFText_GetTextObject(text, index),
    isUnknown,
  }
}

function isKnown(code: number): boolean {
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
}

/** Also what a file uses for no character at all: controls, and a space without width. */
function isSpace(letter: string): boolean {
  return letter < ' ' || letter === '\u200b' || /\s/u.test(letter)
}
