/**
 * Days and times as documents print them. A day that may be 3 April or 4 March is not read, unless other days of the
 * same document show its order of day and month. No zone is ever added.
 */

import { parseEventTime } from '../../../domain/values/time.ts'

/** How a paper writes days of digits alone. `unknown`: no day of the paper shows it. */
export type DayOrder = 'day first' | 'month first' | 'unknown'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const month = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
const gap = '[\\s.,/-]*'
const year = '(20\\d\\d|\\d\\d)'
/** Between day and time there is a blank, a comma, a slash, a T or `at`. */
const time =
  '(?:[\\s,/T-]*(?:at\\s*)?([01]?\\d|2[0-3])[:.h]([0-5]\\d)(?::[0-5]\\d)?(?:\\s*(am|pm))?|[\\s,/]+([01]\\d|2[0-3])([0-5]\\d)\\s*(?:hrs?|hours|h|lt)\\b)?'

const iso = new RegExp(`\\b(20\\d\\d)[-/.]([01]\\d)[-/.]([0-3]\\d)(?!\\d)${time}`, 'i')
const dayMonth = new RegExp(`\\b([0-3]?\\d)(?:st|nd|rd|th)?${gap}${month}${gap}${year}(?!\\d)${time}`, 'i')
const monthDay = new RegExp(`\\b${month}${gap}([0-3]?\\d)(?:st|nd|rd|th)?[\\s,.-]+${year}(?!\\d)${time}`, 'i')
const digits = new RegExp(`\\b([0-3]?\\d)[/.-]([0-3]?\\d)[/.-]${year}(?!\\d)${time}`, 'i')

/**
 * Reads the order from the days of a document in which one part is above 12. A document that mixes both orders has
 * none.
 */
export function dayOrderOf(texts: readonly string[]): DayOrder {
  let [dayFirst, monthFirst] = [0, 0]
  for (const text of texts) {
    for (const found of text.matchAll(new RegExp(digits, 'gi'))) {
      const [first, second] = [Number(found[1]), Number(found[2])]
      if (first > 12 && second <= 12) dayFirst += 1
      if (second > 12 && first <= 12) monthFirst += 1
    }
  }
  if (dayFirst > 0 && monthFirst === 0) return 'day first'
  return monthFirst > 0 && dayFirst === 0 ? 'month first' : 'unknown'
}

export interface PrintedMoment {
  /** `2026-01-29`, or `2026-01-29T14:30` on the clock of the place. */
  readonly value: string
  /** As it is printed. */
  readonly text: string
}

/** The first day in the text, with its time if there is one. Null when none is sure. */
export function findMoment(text: string, order: DayOrder): PrintedMoment | null {
  const found = [isoIn, dayMonthIn, monthDayIn, (given: string) => digitsIn(given, order)]
    .flatMap((find) => find(text) ?? [])
    .sort((one, other) => one.at - other.at)[0]
  return found === undefined ? null : { value: found.value, text: found.text }
}

interface MomentMatch extends PrintedMoment {
  readonly at: number
}

function isoIn(text: string): MomentMatch | null {
  const found = iso.exec(text)
  return found === null ? null : momentOf(found, [found[1], found[2], found[3]], 4)
}

function dayMonthIn(text: string): MomentMatch | null {
  const found = dayMonth.exec(text)
  return found === null ? null : momentOf(found, [found[3], monthOf(found[2]), found[1]], 4)
}

function monthDayIn(text: string): MomentMatch | null {
  const found = monthDay.exec(text)
  return found === null ? null : momentOf(found, [found[3], monthOf(found[1]), found[2]], 4)
}

function digitsIn(text: string, order: DayOrder): MomentMatch | null {
  const found = digits.exec(text)
  if (found === null) return null
  const [first, second] = [Number(found[1]), Number(found[2])]
  // A dot is written between parts of a day only where the day comes first.
  const isDayFirst = first > 12 || order === 'day first' || found[0].includes(`${found[1]}.${found[2]}.`)
  const isMonthFirst = !isDayFirst && (second > 12 || order === 'month first')
  if (first === second || isDayFirst) return momentOf(found, [found[3], found[2], found[1]], 4)
  return isMonthFirst ? momentOf(found, [found[3], found[1], found[2]], 4) : null
}

function monthOf(name = ''): string {
  return String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1)
}

/** `from`: the first group of the time. */
function momentOf(
  found: RegExpExecArray,
  [year4 = '', month2 = '', day = '']: readonly (string | undefined)[],
  from: number,
): MomentMatch | null {
  const on = [year4.length === 2 ? `20${year4}` : year4, month2.padStart(2, '0'), day.padStart(2, '0')].join('-')
  const [hour = found[from + 3], minute = found[from + 4], half] = [found[from], found[from + 1], found[from + 2]]
  const clock = hour === undefined || minute === undefined ? null : clockOf(Number(hour), minute, half)
  const value = clock === null ? on : `${on}T${clock}`
  return parseEventTime(value) === null ? null : { value, text: found[0].trim(), at: found.index }
}

function clockOf(hour: number, minute: string, half: string | undefined): string {
  const isAfternoon = half?.toLowerCase() === 'pm'
  const of24 = half === undefined ? hour : (hour % 12) + (isAfternoon ? 12 : 0)
  return `${String(of24).padStart(2, '0')}:${minute}`
}
