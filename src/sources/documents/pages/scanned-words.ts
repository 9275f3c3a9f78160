/**
 * The words of a page that is only pixels: made even and level, turned upright, without ruled lines, read twice, and
 * moved back to their places.
 */

import type { Quarters, Word } from '../document.ts'
import { evenLight, type Grey, isBlank } from './grey.ts'
import type { Recognizer } from './recognize.ts'
import { eraseRules } from './ruled-lines.ts'
import { postureOf, tilt, tiltBack, turn, turnBack } from './turned.ts'
import { joinReadings } from './two-readings.ts'

/** A page whose words are believed less than this on average is read in the other postures, too. */
const goodConfidence = 0.6
const fewWords = 5

export interface ScannedWords {
  readonly words: readonly Word[]
  readonly quarters: Quarters
  /** Radians, clockwise, after it was turned by the quarters. */
  readonly tilt: number
}

interface Posed {
  readonly quarters: Quarters
  readonly angle: number
}

export function readScannedWords(picture: Grey, recognizer: Recognizer): ScannedWords {
  const even = evenLight(picture)
  if (isBlank(even)) return { words: [], quarters: 0, tilt: 0 }
  let best: { words: readonly Word[]; posture: Posed; level: Grey } | null = null
  for (const posture of posturesOf(even)) {
    const level = levelled(even, posture)
    const words = recognizer.wordsOf(level, 'sparse')
    if (best === null || qualityOf(words).sum > qualityOf(best.words).sum) best = { words, posture, level }
    if (qualityOf(best.words).confidence >= goodConfidence && best.words.length >= fewWords) break
  }
  if (best === null || best.words.length === 0) return { words: [], quarters: 0, tilt: 0 }
  const { quarters, angle } = best.posture
  const { level } = best
  const words = joinReadings(best.words, recognizer.wordsOf(level, 'block')).map((word) => {
    const box = angle === 0 ? word.box : tiltBack(word.box, angle, level)
    return { ...word, box: turnBack(box, quarters) }
  })
  return { words, quarters, tilt: angle }
}

/** All four ways in which a page may lie, the likely ones first. */
function posturesOf(picture: Grey): readonly Posed[] {
  const { upright, onItsSide, isOnItsSide } = postureOf(picture)
  const standing = ([0, 2] as const).map((quarters) => ({ quarters, angle: upright }))
  const lying = ([1, 3] as const).map((quarters) => ({ quarters, angle: onItsSide }))
  return isOnItsSide ? [...lying, ...standing] : [...standing, ...lying]
}

function levelled(picture: Grey, { quarters, angle }: Posed): Grey {
  return eraseRules(tilt(turn(picture, quarters), angle))
}

/** Counts only words with letters or digits: dirt that was read as characters says nothing. */
function qualityOf(words: readonly Word[]): { readonly confidence: number; readonly sum: number } {
  const real = words.filter(({ text }) => /[\p{L}\p{N}]{2}/u.test(text))
  const letters = real.reduce((all, { text }) => all + text.length, 0)
  const believed = real.reduce((all, { text, confidence }) => all + text.length * confidence, 0)
  const isSure = real
    .filter(({ confidence }) => confidence > 0.8)
    .reduce((all, { text }) => all + text.length, 0)
  return { confidence: letters === 0 ? 0 : believed / letters, sum: isSure }
}
