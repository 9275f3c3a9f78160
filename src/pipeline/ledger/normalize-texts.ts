/**
 * Reference numbers and tags as they are stored: without blanks around them, none empty, each once, in the order given.
 */

export function normalizeTexts(given: readonly string[]): readonly string[] {
  return [...new Set(given.map((text) => text.trim()).filter((text) => text !== ''))]
}

/** Maximum texts of a shipment. One update may contain as many, to replace them. */
export const textsMax = 100

/** The known texts, then the new ones among `more`, up to the maximum. */
export function joinTexts(known: readonly string[], more: readonly string[]): readonly string[] {
  const fresh = normalizeTexts(more).filter((text) => !known.includes(text))
  return [...known, ...fresh.slice(0, Math.max(0, textsMax - known.length))]
}
