/** Which number formats of a workbook make a day of a number (ECMA-376 part 1, 18.8.30), and the day that a number then is. */

/** `moment`: a day with its time. Null for what shows no whole day: a month, a time alone, an elapsed time, a plain number. */
export type DateShape = 'day' | 'moment' | null

/** Formats by number, which a workbook does not write out. 27 to 36 and 50 to 58 differ by language: no date is made of them. */
const builtIn: Readonly<Record<number, DateShape>> = { 14: 'day', 15: 'day', 22: 'moment' }

export interface NumberFormat {
  readonly shape: DateShape
  /** Of a format of zeros alone: at least so many digits are shown. */
  readonly digits: number
}

export const plainFormat: NumberFormat = { shape: null, digits: 0 }

/** `code`: as the workbook has it; null for a format that goes by its number. */
export function readNumberFormat(id: number, code: string | null): NumberFormat {
  if (code === null) return { shape: builtIn[id] ?? null, digits: 0 }
  if (/^0{1,40}$/.test(code)) return { shape: null, digits: code.length }
  const shown = (code.split(';', 1)[0] ?? '')
    .replace(/"[^"]*"|\\.|_./g, '')
    .replace(/am\/pm|a\/p/gi, '')
    .toLowerCase()
  if (/\[(h+|m+|s+)\]/.test(shown)) return plainFormat
  const letters = shown.replace(/\[[^\]]*\]/g, '')
  if (!/y/.test(letters) || !/m/.test(letters) || !/d/.test(letters) || /[g#0@]|general/.test(letters))
    return plainFormat
  return { shape: /h/.test(letters) ? 'moment' : 'day', digits: 0 }
}

const dayMs = 86_400_000
/** Days from 1899-12-30 to 1970-01-01, and from there to the year 2200. */
const epochDays = 25_569
const daysMax = 109_574
/** Before it, programs differ by a day: one of them believes in 29 February 1900. */
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
