/** Reference numbers and tags as they are kept: without blanks around them, none empty, each once, in the order given. */

export function tidyTexts(given: readonly string[]): readonly string[] {
  return [...new Set(given.map((text) => text.trim()).filter((text) => text !== ''))]
}
