/** The words of a page that is only pixels: made even and level, turned upright, read, and put back to their places. */

import type { Quarters, Word } from '../document.ts'
import { evenLight, type Grey, isBlank } from './grey.ts'
import type { Recognizer } from './recognize.ts'
import { postureOf, tilt, tiltBack, turn, turnBack } from './turned.ts'

/** A page whose words are believed less than this on average is read in the other postures, too. */
const goodConfidence = 0.6
const fewWords = 5

export interface ScannedWords {
  readonly words: readonly Word[]
  readonly quarters: Quarters
  /** Radians, clockwise, after it was turned by the quarters. */
  readonly tilt: number
}

export function readScannedWords(picture: Grey, recognizer: Recognizer): ScannedWords {
  const even = evenLight(picture)
  let best: ScannedWords = { words: [], quarters: 0, tilt: 0 }
  if (isBlank(even)) return best
  const { upright, onItsSide, isOnItsSide } = postureOf(even)
  const standing = ([0, 2] as const).map((quarters) => ({ quarters, angle: upright }))
  const lying = ([1, 3] as const).map((quarters) => ({ quarters, angle: onItsSide }))
  for (const posture of isOnItsSide ? [...lying, ...standing] : [...standing, ...lying]) {
    const words = readTurned(even, posture, recognizer)
    if (qualityOf(words).sum > qualityOf(best.words).sum) best = { words, quarters: posture.quarters, tilt: posture.angle }
    if (qualityOf(best.words).confidence >= goodConfidence && best.words.length >= fewWords) break
  }
  return best
}

function readTurned(
  picture: Grey,
  of: { readonly quarters: Quarters; readonly angle: number },
  recognizer: Recognizer,
): readonly Word[] {
  const turned = turn(picture, of.quarters)
  const level = of.angle === 0 ? turned : tilt(turned, of.angle)
  return recognizer.wordsOf(level).map((word) => {
    const box = of.angle === 0 ? word.box : tiltBack(word.box, of.angle, turned)
    return { ...word, box: turnBack(box, of.quarters) }
  })
}

/** Of words with letters or digits: dirt that is taken for signs says nothing. */
function qualityOf(words: readonly Word[]): { readonly confidence: number; readonly sum: number } {
  const real = words.filter(({ text }) => /[\p{L}\p{N}]{2}/u.test(text))
  const letters = real.reduce((all, { text }) => all + text.length, 0)
  const believed = real.reduce((all, { text, confidence }) => all + text.length * confidence, 0)
  const isSure = real
    .filter(({ confidence }) => confidence > 0.8)
    .reduce((all, { text }) => all + text.length, 0)
  return { confidence: letters === 0 ? 0 : believed / letters, sum: isSure }
}
