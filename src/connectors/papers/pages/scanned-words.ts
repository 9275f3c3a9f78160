/**
 * The words of a page that is only pixels. The page is made even and level, turned upright, freed of ruled lines and
 * read twice; then the words are moved back to their places.
 */

import type { Quarters, Word } from '../document.ts'
import { type GreyPicture, isBlank, normalizeLighting } from './grey.ts'
import { joinReadings } from './join-readings.ts'
import type { Recognizer } from './recognize.ts'
import { detectOrientation, rotateBack, rotatePicture, tiltBack, tiltPicture } from './rotate-picture.ts'
import { eraseRuledLines } from './ruled-lines.ts'

/** A page whose words have a lower confidence on average is also read in the other postures. */
const goodConfidence = 0.6
const fewWords = 5

export interface ScannedWords {
  readonly words: readonly Word[]
  readonly quarters: Quarters
  /** Radians, clockwise, after it was turned by the quarters. */
  readonly tilt: number
}

interface PagePose {
  readonly quarters: Quarters
  readonly angle: number
}

export function readScannedWords(picture: GreyPicture, recognizer: Recognizer): ScannedWords {
  const even = normalizeLighting(picture)
  if (isBlank(even)) return { words: [], quarters: 0, tilt: 0 }
  let best: { words: readonly Word[]; posture: PagePose; level: GreyPicture } | null = null
  for (const posture of listLikelyPoses(even)) {
    const level = levelPicture(even, posture)
    const words = recognizer.wordsOf(level, 'sparse')
    if (best === null || qualityOf(words).sum > qualityOf(best.words).sum) best = { words, posture, level }
    if (qualityOf(best.words).confidence >= goodConfidence && best.words.length >= fewWords) break
  }
  if (best === null || best.words.length === 0) return { words: [], quarters: 0, tilt: 0 }
  const { quarters, angle } = best.posture
  const { level } = best
  const words = joinReadings(best.words, recognizer.wordsOf(level, 'block')).map((word) => {
    const rectangle = angle === 0 ? word.box : tiltBack(word.box, angle, level)
    return { ...word, box: rotateBack(rectangle, quarters) }
  })
  return { words, quarters, tilt: angle }
}

/** All four ways in which a page may lie, the likely ones first. */
function listLikelyPoses(picture: GreyPicture): readonly PagePose[] {
  const { upright, onItsSide, isOnItsSide } = detectOrientation(picture)
  const uprightPoses = ([0, 2] as const).map((quarters) => ({ quarters, angle: upright }))
  const lying = ([1, 3] as const).map((quarters) => ({ quarters, angle: onItsSide }))
  return isOnItsSide ? [...lying, ...uprightPoses] : [...uprightPoses, ...lying]
}

function levelPicture(picture: GreyPicture, { quarters, angle }: PagePose): GreyPicture {
  return eraseRuledLines(tiltPicture(rotatePicture(picture, quarters), angle))
}

/** Counts only words with letters or digits: dirt that was read as characters has no meaning. */
function qualityOf(words: readonly Word[]): { readonly confidence: number; readonly sum: number } {
  const real = words.filter(({ text }) => /[\p{L}\p{N}]{2}/u.test(text))
  const letters = real.reduce((all, { text }) => all + text.length, 0)
  const believed = real.reduce((all, { text, confidence }) => all + text.length * confidence, 0)
  const isSure = real.filter(({ confidence }) => confidence > 0.8).reduce((all, { text }) => all + text.length, 0)
  return { confidence: letters === 0 ? 0 : believed / letters, sum: isSure }
}
