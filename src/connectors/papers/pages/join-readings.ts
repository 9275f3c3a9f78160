/**
 * Combines two readings of one picture. When Tesseract reads a page in another mode, it loses words and reads 0 as O at
 * other places. So one reading adds what the other lacks, and where they differ the word is doubtful.
 */

import { parseContainerNumber } from '../../../domain/values/identifiers.ts'
import type { Rectangle, Word } from '../document.ts'

/** The minimum confidence of a word that the other reading lacks: dirt is seldom read twice. */
const aloneMin = 0.4
/** The factor for the confidence of a word that the two readings read differently. */
export const doubt = 0.5

/** `other` is in the order of lines, and so is the result. */
export function joinReadings(one: readonly Word[], other: readonly Word[]): readonly Word[] {
  return inOrder(matchWords(one, other), other).flatMap(({ first, second }): readonly Word[] => {
    if (first.length === 0 || second.length === 0)
      return [...first, ...second].filter(({ confidence }) => confidence >= aloneMin)
    // A container number proves itself by its check digit.
    const [isOne, isOther] = [first, second].map((words) => parseContainerNumber(joinLettersAndDigits(words)).ok)
    if (isOne !== isOther) return isOne === true ? first : second
    const better = betterOf(first, second)
    if (joinLettersAndDigits(first) === joinLettersAndDigits(second)) return better
    return better.map((word) => ({ ...word, confidence: word.confidence * doubt }))
  })
}

interface WordMatch {
  readonly first: Word[]
  readonly second: Word[]
}

/**
 * Words of both readings that cover one another, from left to right: one reading may have split a word of the other.
 */
function matchWords(one: readonly Word[], other: readonly Word[]): readonly WordMatch[] {
  const all = [
    ...one.map((word) => ({ word, isFirst: true })),
    ...other.map((word) => ({ word, isFirst: false })),
  ].sort((a, b) => a.word.box.left - b.word.box.left)
  const places: (WordMatch & { box: Rectangle })[] = []
  const open: typeof places = []
  for (const { word, isFirst } of all) {
    // Words come from left to right: a place that ends before this one is complete.
    for (let at = open.length - 1; at >= 0; at -= 1) if ((open[at]?.box.right ?? 0) <= word.box.left) open.splice(at, 1)
    const found = open.find((place) =>
      [...place.first, ...place.second].some((each) => isOverlapping(each.box, word.box)),
    )
    const place = found ?? { first: [], second: [], box: word.box }
    if (found === undefined) {
      places.push(place)
      open.push(place)
    }
    place.box = { ...place.box, right: Math.max(place.box.right, word.box.right) }
    ;(isFirst ? place.first : place.second).push(word)
  }
  return places
}

/** A word that `other` lacks comes before the words of its line. */
function inOrder(places: readonly WordMatch[], other: readonly Word[]): readonly WordMatch[] {
  const orders = new Map(other.map((word, order) => [word, order]))
  const orderOf = ({ first, second }: WordMatch): number => {
    const [secondWord, alone] = [second[0], first[0]]
    if (secondWord !== undefined || alone === undefined)
      return secondWord === undefined ? 0 : (orders.get(secondWord) ?? 0)
    return other.findLastIndex(({ box }) => (box.top + box.bottom) / 2 < alone.box.top) + 0.5
  }
  return places
    .map((place) => ({ place, order: orderOf(place) }))
    .sort((a, b) => a.order - b.order)
    .map(({ place }) => place)
}

/** Half of the smaller one overlaps the other, in width and height. */
function isOverlapping(one: Rectangle, other: Rectangle): boolean {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  return (
    across > 0.5 * Math.min(one.right - one.left, other.right - other.left) &&
    down > 0.5 * Math.min(one.bottom - one.top, other.bottom - other.top)
  )
}

/** The one with the higher confidence; but a rectangle that is much higher than the print reaches into other lines. */
function betterOf(one: readonly Word[], other: readonly Word[]): readonly Word[] {
  const [height, otherHeight] = [heightOf(one), heightOf(other)]
  if (height > 1.5 * otherHeight) return other
  if (otherHeight > 1.5 * height) return one
  return meanOf(one) >= meanOf(other) ? one : other
}

function heightOf(words: readonly Word[]): number {
  return Math.max(...words.map(({ box }) => box.bottom - box.top))
}

function meanOf(words: readonly Word[]): number {
  return words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length
}

/** Commas and quotation marks come and go with dirt. */
function joinLettersAndDigits(words: readonly Word[]): string {
  return words.map(({ text }) => text.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '')).join('')
}
