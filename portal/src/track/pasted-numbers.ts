/** The numbers in a pasted text, each once, in their order. */

/**
 * Blanks divide numbers only where each part looks like a number by itself: `MSKU 123456 5` is one. The comma of a
 * decimal number divides nothing: `94405335,0` is asked back by the server.
 */
const dividers = /[\n\r\t;|]+|(?<!\d),|,(?!\d{1,2}(?!\w)|\d+E\+?\d{1,2}(?!\w))/i
const wholeNumber = /^(?=.*\d)[A-Za-z0-9./-]{8,}$/

export function readPasted(text: string): readonly string[] {
  const parts = text.split(dividers).flatMap((part) => {
    const words = part.trim().split(/\s+/)
    return words.length > 1 && words.every((word) => wholeNumber.test(word)) ? words : [words.join(' ')]
  })
  const seen = new Set<string>()
  return parts.filter((part) => {
    const key = part.toUpperCase().replaceAll(/[^A-Z0-9.,]/g, '')
    if (!/[A-Z0-9]/.test(key) || seen.has(key)) return false
    seen.add(key)
    return true
  })
}
