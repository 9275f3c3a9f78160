/** Reference numbers and tags as they are kept: without blanks around them, none empty, each once, in the order given. */

export function tidyTexts(given: readonly string[]): readonly string[] {
  return [...new Set(given.map((text) => text.trim()).filter((text) => text !== ''))]
}

/** As many as one request may bring to replace them. */
export const textsMax = 100

/** Those that there are, then what is new among `more`, as far as there is room. */
export function joinTexts(known: readonly string[], more: readonly string[]): readonly string[] {
  const fresh = tidyTexts(more).filter((text) => !known.includes(text))
  return [...known, ...fresh.slice(0, Math.max(0, textsMax - known.length))]
}
