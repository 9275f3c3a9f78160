/** The numbers in a pasted text, each once, in their order. */

/** Blanks divide numbers only where each part looks like a number by itself: `MSKU 123456 5` is one. */
const dividers = /[\n\r,;|]+|\t/
const wholeNumber = /^(?=.*\d)[A-Za-z0-9./-]{8,}$/

export function readPasted(text: string): readonly string[] {
  const parts = text.split(dividers).flatMap((part) => {
    const words = part.trim().split(/\s+/)
    return words.length > 1 && words.every((word) => wholeNumber.test(word)) ? words : [words.join(' ')]
  })
  const seen = new Set<string>()
  return parts.filter((part) => {
    const key = part.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
    if (key === '' || seen.has(key)) return false
    seen.add(key)
    return true
  })
}
