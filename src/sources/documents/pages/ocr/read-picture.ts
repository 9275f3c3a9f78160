/**
 * Reads the words of a picture of a page. Print that slopes is straightened, a page that lies on its side or on its head
 * is turned until it can be read; the words have their places on the picture as it was given.
 */

import type { LineRun, Word } from '../../document.ts'
import { pageBounds } from '../page-bounds.ts'
import { evenLight, type Grey } from '../pixels/grey.ts'
import { findSlope, type Slope } from '../pixels/slope.ts'
import { viewOf } from '../pixels/view.ts'
import type { Found, Reader } from './tesseract.ts'

export interface PictureReading {
  readonly words: readonly Word[]
  readonly lines: LineRun
}

type Turn = LineRun['turn']

const dpiWanted = 300
/** A picture whose resolution nobody knows is taken for a page of this length. */
const pageInches = 11.3
const enlargedMax = 2.5
const sure = 0.6
/** Fewer letters than these in words that were read surely may stand there by chance. */
const lettersMin = 12

/** `dpi`: null when it is not known. `turn`: how the lines of the page before ran; tried first. */
export function readPicture(
  reader: Reader,
  picture: Grey,
  { dpi, turn }: { readonly dpi: number | null; readonly turn: Turn },
): PictureReading {
  const light = evenLight(picture)
  const slope = findSlope(light)
  const known = dpi ?? Math.max(picture.width, picture.height) / pageInches
  const scale = scaleOf(picture, known)
  const tries: { readonly reading: PictureReading; readonly letters: number }[] = []
  for (const each of turnsToTry(slope, turn)) {
    const lines = { turn: each, skewDegrees: each % 2 === 0 ? slope.acrossDegrees : slope.alongDegrees }
    const view = viewOf(light, { ...lines, scale })
    const found = reader.read(view.grey, known * scale)
    const words = found.filter(isWord).map((word) => ({ ...word, box: view.toPicture(word.box) }))
    const { letters, isGood } = judge(found)
    tries.push({ reading: { words, lines }, letters })
    if (isGood) break
  }
  const best = tries.reduce((a, b) => (b.letters > a.letters ? b : a))
  return best.letters === 0 ? { words: [], lines: { turn: 0, skewDegrees: 0 } } : best.reading
}

function scaleOf({ width, height }: Grey, dpi: number): number {
  const most = Math.sqrt(pageBounds.ocrPixels / (width * height))
  const wanted = Math.min(enlargedMax, dpiWanted / dpi)
  // A little more or less does not read better, and costs a copy.
  return Math.min(most, wanted < 1.15 ? 1 : wanted)
}

function turnsToTry({ isAcross }: Slope, before: Turn): readonly Turn[] {
  const across: readonly Turn[] = before === 2 ? [2, 0] : [0, 2]
  const along: readonly Turn[] = before === 3 ? [3, 1] : [1, 3]
  return isAcross ? [...across, ...along] : [...along, ...across]
}

/** Print that is on its head or side gives words too, of few letters and read unsurely. */
function judge(found: readonly Found[]): { readonly letters: number; readonly isGood: boolean } {
  let [letters, all] = [0, 0]
  for (const { text, confidence } of found) {
    const count = text.replaceAll(/[^\p{L}\p{N}]/gu, '').length
    all += count
    if (confidence >= sure && count >= 3) letters += count
  }
  return { letters, isGood: letters >= lettersMin && letters >= all * 0.45 }
}

/** Lines and specks are read as signs. */
function isWord({ text, confidence }: Found): boolean {
  return confidence >= 0.5 || /[\p{L}\p{N}]/u.test(text)
}
