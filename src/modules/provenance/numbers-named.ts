/**
 * The numbers that may be named in a stored answer. Every word that could be a number counts, whether a reader
 * understands it or not: what is withheld from an account must not depend on the quality of our readers.
 */

export interface MentionedNumbers {
  /** Each in the spellings in which a shipment may be known by it. */
  readonly spellings: readonly (readonly string[])[]
  /** Those that look like numbers of containers. */
  readonly containerNumbers: readonly string[]
}

/** An answer with more words than this is not searched. */
const wordsMax = 5_000

/** Null when there are too many words to compare. `scac`: of the line, which some write before the numbers of bills. */
export function extractMentionedNumbers(body: Buffer, scac: string): MentionedNumbers | null {
  const text = body.toString('latin1').toUpperCase()
  const words = new Set<string>()
  for (const [word] of text.matchAll(/[A-Z0-9]{5,40}/g)) {
    if (/\d/.test(word)) words.add(word)
    if (words.size > wordsMax) return null
  }
  // Some write the number of a container in two parts: `MSCU 4000005`, `N7*MSCU*4000005`.
  for (const [, owner, serial] of text.matchAll(/\b([A-Z]{4})[^A-Z0-9]{1,3}(\d{7})\b/g)) words.add(`${owner}${serial}`)
  const spellings = [...words].map((word) => [
    word,
    `${scac}${word}`,
    ...(word.startsWith(scac) && word.length > scac.length ? [word.slice(scac.length)] : []),
  ])
  return { spellings, containerNumbers: [...words].filter((word) => /^[A-Z]{4}\d{7}$/.test(word)) }
}
