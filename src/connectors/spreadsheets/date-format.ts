/**
 * Decides which number formats of a workbook turn a number into a day (ECMA-376 part 1, 18.8.30), and converts the
 * number.
 */

/**
 * `moment`: a day with its time. Null for a format that does not show a whole day: a month, only a time, an elapsed
 * time, a plain number.
 */
export type DateShape = 'day' | 'moment' | null

/**
 * Built-in formats by number, which a workbook does not write out. 27 to 36 and 50 to 58 depend on the language and are
 * not read as dates.
 */
const builtIn: Readonly<Record<number, DateShape>> = { 14: 'day', 15: 'day', 22: 'moment' }

export interface NumberFormat {
  readonly shape: DateShape
  /** For a format of zeros only: the minimum number of digits that are shown. */
  readonly digits: number
}

export const plainFormat: NumberFormat = { shape: null, digits: 0 }

/** `code`: the format as the workbook has it; null for a built-in format. */
export function readNumberFormat(id: number, code: string | null): NumberFormat {
  if (code === null) return { shape: builtIn[id] ?? null, digits: 0 }
  if (/^0{1,40}$/.test(code)) return { shape: null, digits: code.length }
  const strippedCode = (code.split(';', 1)[0] ?? '')
    .replace(/"[^"]*"|\\.|_./g, '')
    .replace(/am\/pm|a\/p/gi, '')
    .toLowerCase()
  if (/\[(h+|m+|s+)\]/.test(strippedCode)) return plainFormat
  const letters = strippedCode.replace(/\[[^\]]*\]/g, '')
  if (!/y/.test(letters) || !/m/.test(letters) || !/d/.test(letters) || /[g#0@]|general/.test(letters))
    return plainFormat
  return { shape: /h/.test(letters) ? 'moment' : 'day', digits: 0 }
}

const dayMs = 86_400_000
/** Days from 1899-12-30 to 1970-01-01, and from 1899-12-30 to the year 2200. */
const epochDays = 25_569
const daysMax = 109_574
/** Programs differ by one day before this number, because one of them has a 29 February 1900. */
const daysMin = 61

/** `2026-01-05`, or `2026-01-05T14:30:00`; null for a number that is no day. */
export function writeSerial(
  serial: number,
  { shape, is1904 }: { readonly shape: 'day' | 'moment'; readonly is1904: boolean },
): string | null {
  const days = is1904 ? serial + 1_462 : serial
  if (!(days >= daysMin && days < daysMax)) return null
  const seconds = Math.round((days - epochDays) * 86_400)
  const at = new Date(shape === 'day' ? Math.floor(days - epochDays) * dayMs : seconds * 1_000).toISOString()
  return at.slice(0, shape === 'day' ? 10 : 19)
}
