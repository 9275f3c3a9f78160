/** Finds the words of a scan that are too uncertain for a value: a value that may be wrong is worse than none. */

import type { Word } from '../document.ts'
import { hasDoubledSign } from './numbers.ts'

/** A word has a lower confidence than this when two readings of a scan differ, and when the print is hardly legible. */
const confidenceMin = 0.5

/** The words of which a value consists: the voyage is printed beside the ship. */
export function wordsOfValue(words: readonly Word[], printed: string): readonly Word[] {
  return words.filter(({ text }) => printed.toUpperCase().includes(text.toUpperCase()))
}

/** Words of a text layer are certain. Signs without letters and digits have no influence. */
export function isDoubtful(words: readonly Word[]): boolean {
  return words.some(({ text, confidence }) => confidence < confidenceMin && /[\p{L}\p{N}]/u.test(text))
}

/**
 * Whether a number of a scan may have another sign in a place: an O or I beside a digit looks like 0 or 1, a letter
 * beside its digit may be a second reading of it, and without a check digit nothing decides between them. `PO` in front
 * is the abbreviation for an order.
 */
export function isAmbiguousNumber(number: string, words: readonly Word[]): boolean {
  if (words.every(({ confidence }) => confidence === 1)) return false
  const bareNumber = number.replace(/^PO/i, '')
  return /[OIQ]\d|\d[OIQ]/i.test(bareNumber) || hasDoubledSign(bareNumber)
}

/** Three digits and a direction are the usual voyage: a last 5 or 8 of a scan may be the S of south. */
export function isAmbiguousVoyage(voyage: string, words: readonly Word[]): boolean {
  return words.some(({ confidence }) => confidence < 1) && /^\d{3}[58]$/.test(voyage)
}
