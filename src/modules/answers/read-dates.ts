/** Finds dates and times of day in a draft, in the forms in which people write them. */

import { addDays, parseEventTime } from '../../domain/values/time.ts'
import { countDays } from '../../domain/view/day-count.ts'
import type { Span } from './draft-text.ts'
import { months, weekdays } from './draft-words.ts'

export interface DraftDate {
  /** None for a time of day alone, two where day and month may be either. Null: not understood. */
  readonly days: readonly string[] | null
  /** `14:30` */
  readonly clock: string | null
  /** The moment, where the zone is stated. */
  readonly instant: string | null
  /** Of `yesterday`, `today`, `tomorrow`: -1, 0, 1, since the day is that of the place. */
  readonly away: number | null
  /** The day of the week that is named, from 0 for Sunday. */
  readonly weekday: number | null
}
export type FoundDate = Span & { readonly date: DraftDate }

const monthNames = months.map((name) => `${name.slice(0, 3)}(?:t|${name.slice(3)})?`).join('|')
const weekdayNames = weekdays.map((name) => `${name.slice(0, 3)}[a-z]{0,6}`).join('|')
const startOf = (names: readonly string[], text: string) => names.findIndex((name) => name.startsWith(text.slice(0, 3)))
const time = '(\\d{1,2}):(\\d{2})(?::\\d{2})?(?: ?([apAP])\\.?[mM]\\b\\.?)?(?: ?(UTC|GMT|Z)\\b)?'
const clock = `(?:(?:,? at|,)? ?\\(?${time})?`
const isoDates =
  /\b(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?(?:\[[\w/+-]{1,40}\])?)?/g
const wordDates = new RegExp(
  `\\b(?:(${weekdayNames})\\.?,? )?(?:(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${monthNames})|(${monthNames})\\.? (\\d{1,2})(?:st|nd|rd|th)?)(?![\\w])(?:\\.?,? (\\d{4})\\b)?${clock}`,
  'g',
)
const digitDates = new RegExp(`\\b(\\d{1,2})([./])(\\d{1,2})\\2(\\d{4})\\b${clock}`, 'g')
const nearDates = new RegExp(`\\b([Tt]oday|[Tt]omorrow|[Yy]esterday)\\b${clock}`, 'g')
const clocks = new RegExp(`\\b${time}`, 'g')
const vagueDates = new RegExp(
  `\\b(?:on|by|next|this|last|until|since) (?:${weekdays.join('|')}|week|weekend|month)\\b`,
  'g',
)

/** `today`: of which a day without a year is the nearest. */
export function findDates(text: string, today: string): readonly FoundDate[] {
  const found: FoundDate[] = []
  const add = ({ index: from, 0: written }: RegExpExecArray, date: Partial<DraftDate>): void => {
    const to = from + written.length
    if (found.some((other) => from < other.to && other.from < to)) return
    found.push({ from, to, date: { days: null, clock: null, instant: null, away: null, weekday: null, ...date } })
  }
  for (const match of text.matchAll(isoDates)) {
    const [, day = '', clock = null, zone] = match
    const moment = zone === undefined ? null : parseEventTime(`${day}T${clock}${zone}`)
    add(match, { days: realDays([day]), clock, instant: moment?.kind === 'instant' ? moment.at : null })
  }
  for (const match of text.matchAll(wordDates)) {
    const [, weekday, day = match[5] ?? '', month = match[4] ?? '', , , year, ...clock] = match
    const days = nearestDays([[day, startOf(months, month) + 1]], year, today)
    add(match, { ...readClock(days, clock), weekday: weekday === undefined ? null : startOf(weekdays, weekday) })
  }
  for (const match of text.matchAll(digitDates)) {
    const [, first = '', mark, second = '', year, ...clock] = match
    const european = [first, second] as const
    add(match, readClock(nearestDays(mark === '.' ? [european] : [european, [second, first]], year, today), clock))
  }
  for (const match of text.matchAll(nearDates)) {
    const [, word = '', ...clock] = match
    const away = ['yesterday', 'today', 'tomorrow'].indexOf(word.toLowerCase()) - 1
    add(match, { ...readClock([addDays(today, away)], clock), away })
  }
  for (const match of text.matchAll(clocks)) {
    const [, ...clock] = match
    // A moment of another zone cannot be compared without its day.
    add(match, readClock(clock[3] === undefined ? [] : null, clock))
  }
  for (const match of text.matchAll(vagueDates)) add(match, {})
  return found
}

function readClock(days: readonly string[] | null, [hour, minute, half, zone]: readonly (string | undefined)[]) {
  if (hour === undefined) return { days }
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  const clock = `${String(hours).padStart(2, '0')}:${minute}`
  const moment = zone === undefined || days?.length !== 1 ? null : parseEventTime(`${days[0]}T${clock}Z`)
  return { days, clock, instant: moment?.kind === 'instant' ? moment.at : null }
}

function nearestDays(
  orders: readonly (readonly [day: string, month: string | number])[],
  year: string | undefined,
  today: string,
): readonly string[] | null {
  const now = Number(today.slice(0, 4))
  const two = (value: string | number): string => String(value).padStart(2, '0')
  const distance = (day: string): number => Math.abs(countDays(today, day))
  const days = orders.flatMap(([day, month]) => {
    const years = year === undefined ? [now - 1, now, now + 1] : [year]
    const real = realDays(years.map((each) => `${each}-${two(month)}-${two(day)}`)) ?? []
    return real.toSorted((a, b) => distance(a) - distance(b)).slice(0, 1)
  })
  return days.length === 0 ? null : [...new Set(days)]
}

function realDays(days: readonly string[]): readonly string[] | null {
  const real = days.filter((day) => parseEventTime(day)?.kind === 'day')
  return real.length === 0 ? null : real
}
