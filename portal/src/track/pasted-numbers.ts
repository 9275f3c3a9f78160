/** What a pasted text is: a table, whose columns the server recognises, or a list of numbers. */

/**
 * Blanks divide numbers only where each part looks like a number by itself: `MSKU 123456 5` is one. The comma of a
 * decimal number divides nothing: `94405335,0` is asked back by the server.
 */
const dividers = /[\n\r\t;|]+|(?<!\d),|,(?!\d{1,2}(?!\w)|\d+E\+?\d{1,2}(?!\w))/i
const wholeNumber = /^(?=.*\d)[A-Za-z0-9./-]{8,}$/

/** Rows of several cells, or a first line without any number above other lines: a row of headings. */
export function isTable(text: string): boolean {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '')
  const [first = ''] = lines
  if (lines.length > 1 && !/\d/.test(first)) return true
  const rows = lines.map((line) => line.split('\t').filter((cell) => cell.trim() !== ''))
  // One line of numbers is a list, whatever divides them.
  return rows.some((cells) => cells.length > 1 && (lines.length > 1 || !cells.every((cell) => /\d{4}/.test(cell))))
}

export interface PastedNumber {
  readonly number: string
  /** How often it is in the text. */
  readonly times: number
}

/** Each number once, in their order. */
export function readPasted(text: string): readonly PastedNumber[] {
  const found = new Map<string, PastedNumber>()
  for (const part of text.split(dividers)) {
    const words = part.trim().split(/\s+/)
    const numbers = words.length > 1 && words.every((word) => wholeNumber.test(word)) ? words : [words.join(' ')]
    for (const number of numbers) {
      const key = number.toUpperCase().replaceAll(/[^A-Z0-9.,]/g, '')
      const before = found.get(key)
      if (/[A-Z0-9]/.test(key)) found.set(key, before ? { ...before, times: before.times + 1 } : { number, times: 1 })
    }
  }
  return [...found.values()]
}
