/**
 * Reads texts of cells as values: days, amounts, weights, yes and no. A text with two possible meanings is refused,
 * never guessed.
 */

import type { FeeStatement, HoldStatement } from '../../domain/statements/observation.ts'
import { type EventTime, parseEventTime } from '../../domain/values/time.ts'
import type { ColumnMap } from './column-map.ts'

/** `fault`: a sentence for the sender of the table. */
export type CellReading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fault: string }

const makeReadableCell = <Value>(value: Value): CellReading<Value> => ({ ok: true, value })
const makeUnreadableCell = (fault: string): CellReading<never> => ({ ok: false, fault })

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const clock = String.raw`(?:[T ,]+(\d{1,2})(?::(\d{2})(?::(\d{2}))?)?\s*([ap]m)?)?$`
const inDigits = new RegExp(String.raw`^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})${clock}`, 'i')
const inLetters = new RegExp(
  String.raw`^(?:(\d{1,2})[ -]([a-z]{3,9})\.?|([a-z]{3,9})\.? (\d{1,2})),?[ -](\d{4})${clock}`,
  'i',
)

/** A day; a wall clock where a time is given; an instant only where its offset is given. */
export function readMoment(text: string, { dayFormat }: Pick<ColumnMap, 'dayFormat'>): CellReading<EventTime> {
  const iso = parseEventTime(text)
  if (iso !== null) return makeReadableCell(iso)
  const letters = inLetters.exec(text)
  if (letters !== null) {
    const [, day = '', name = '', otherName = '', otherDay = '', year = '', ...time] = letters
    const month = months.indexOf((name || otherName).slice(0, 3).toLowerCase()) + 1
    return momentOf({ year, month: String(month), day: day || otherDay, time })
  }
  const digits = inDigits.exec(text)
  if (digits === null) return makeUnreadableCell('This is not a day that can be read: write it as 2026-01-31.')
  const [, first = '', second = '', third = '', ...time] = digits
  if (first.length === 4) return momentOf({ year: first, month: second, day: third, time })
  if (third.length !== 4) return makeUnreadableCell('The year must have four digits.')
  const isDayFirst = dayComesFirst({ first: Number(first), second: Number(second), dayFormat })
  if (isDayFirst === null)
    return makeUnreadableCell(
      'It is unclear whether the day or the month comes first: set `day_format` in the column map.',
    )
  const [day, month] = isDayFirst ? [first, second] : [second, first]
  return momentOf({ year: third, month, day, time })
}

/** As the column map states; without a column map only if just one of the two readings is possible. */
function dayComesFirst(of: {
  readonly first: number
  readonly second: number
  readonly dayFormat: ColumnMap['dayFormat']
}): boolean | null {
  if (of.dayFormat === 'DD/MM/YYYY') return true
  if (of.dayFormat === 'MM/DD/YYYY') return false
  if (of.first > 12 || of.first === of.second) return true
  return of.second > 12 ? false : null
}

function momentOf(of: {
  readonly year: string
  readonly month: string
  readonly day: string
  readonly time: readonly (string | undefined)[]
}): CellReading<EventTime> {
  const two = (part: string): string => part.padStart(2, '0')
  const day = `${of.year}-${two(of.month)}-${two(of.day)}`
  const [hour, minute = '00', second = '00', half] = of.time
  const moment = hour === undefined ? day : `${day}T${two(hourOf(hour, half))}:${minute}:${second}`
  const time = parseEventTime(moment)
  return time === null ? makeUnreadableCell('There is no such day or time.') : makeReadableCell(time)
}

function hourOf(hour: string, half: string | undefined): string {
  if (half === undefined) return hour
  if (Number(hour) < 1 || Number(hour) > 12) return '99'
  return String((Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0))
}

/**
 * Digits with groups and a fraction. A single point or comma before three digits may be either kind of mark, so the
 * column map must state which.
 */
export function readNumber(text: string, { decimalMark }: Pick<ColumnMap, 'decimalMark'>): CellReading<number> {
  const plain = text.replace(/[\s']/gu, '')
  const none = makeUnreadableCell('This is not a number.')
  if (!/^\d{1,12}(?:[.,]\d{1,12})*$/.test(plain)) return none
  const marks = plain.replace(/\d/g, '')
  const last = marks.at(-1)
  const isUnsure = marks.length === 1 && /[.,]\d{3}$/.test(plain)
  if (decimalMark === null && isUnsure)
    return makeUnreadableCell(
      'It is unclear whether the mark separates decimals or thousands: set `decimal_mark` in the column map.',
    )
  const sameMarks = marks.length > 1 && new Set(marks).size === 1
  const decimal = decimalMark ?? (sameMarks ? null : last)
  const [whole = '', fraction = '', ...more] = decimal ? plain.split(decimal) : [plain]
  if (more.length > 0 || /[.,]/.test(fraction) || !/^\d+(?:[.,]\d{3})*$/.test(whole)) return none
  return makeReadableCell(Number(`${whole.replace(/[.,]/g, '')}.${fraction || '0'}`))
}

const kgOfPound = 0.45359237

/** Weight in kilograms. The unit comes from the cell, the heading or the map; there is no default unit. */
export function readWeight(
  text: string,
  map: Pick<ColumnMap, 'decimalMark' | 'weightUnit'>,
  ofColumn: 'kg' | 'lb' | null,
): CellReading<number> {
  const parts = /^([\d.,\s']+?)\s*(kgs?|lbs?|pounds|kilograms?)?\.?$/i.exec(text)
  if (parts === null) return makeUnreadableCell('This is not a weight.')
  const [, digits = '', unitText] = parts
  const ofCell = unitText === undefined ? null : /^k/i.test(unitText) ? 'kg' : 'lb'
  if (ofCell !== null && ofColumn !== null && ofCell !== ofColumn)
    return makeUnreadableCell('The heading and the cell name different units.')
  const unit = ofCell ?? ofColumn ?? map.weightUnit
  if (unit === null) return makeUnreadableCell('The unit is missing: set `weight_unit` in the column map.')
  const number = readNumber(digits, map)
  if (!number.ok) return number
  if (number.value === 0) return makeUnreadableCell('The weight must be more than zero.')
  return makeReadableCell(unit === 'kg' ? number.value : Math.round(number.value * kgOfPound * 1_000) / 1_000)
}

/** A `$` alone does not name a currency. */
export function readFee(
  text: string,
  map: Pick<ColumnMap, 'decimalMark' | 'currency'>,
  ofColumn: string | null,
): CellReading<Pick<FeeStatement, 'status' | 'amount' | 'currencyCode'>> {
  if (/^(none|no|n|paid|settled|waived|-)$/i.test(text))
    return makeReadableCell({ status: 'settled', amount: null, currencyCode: null })
  const parts = /^([A-Z]{3})?\s*\$?\s*([\d.,\s']+?)\s*([A-Z]{3})?$/.exec(text)
  if (parts === null) return makeUnreadableCell('This is not an amount.')
  const [, before, digits = '', after] = parts
  const currencyCode = before ?? after ?? ofColumn ?? map.currency
  if (currencyCode === null)
    return makeUnreadableCell('The currency is missing: add a column for it, or set `currency` in the column map.')
  if (!/^[A-Z]{3}$/.test(currencyCode)) return makeUnreadableCell('The currency must be an ISO 4217 code, such as USD.')
  const amount = readNumber(digits, map)
  return amount.ok ? makeReadableCell({ status: 'due', amount: amount.value, currencyCode }) : amount
}

export function readYesNo(text: string): CellReading<boolean> {
  if (/^(y|yes|true|1|x|available|ready|ok|available for pick ?up)$/i.test(text)) return makeReadableCell(true)
  if (/^(n|no|false|0|not available|unavailable|not ready)$/i.test(text)) return makeReadableCell(false)
  return makeUnreadableCell('This must be yes or no.')
}

/**
 * `isOfHold`: the heading is a question whether there is a hold. Under another heading, "yes" may mean that the
 * container was released.
 */
export function readHoldStatus(text: string, isOfHold: boolean): CellReading<HoldStatement['status']> {
  if (/^(hold|on hold|held|active|placed)$/i.test(text)) return makeReadableCell('hold')
  if (/^pending$/i.test(text)) return makeReadableCell('pending')
  if (/^(released?|clear|cleared|lifted|none|no hold|ok)$/i.test(text)) return makeReadableCell('released')
  if (!isOfHold) return makeUnreadableCell('This must be hold, pending or released.')
  if (/^(y|yes|true|1|x)$/i.test(text)) return makeReadableCell('hold')
  return /^(n|no|false|0|-)$/i.test(text)
    ? makeReadableCell('released')
    : makeUnreadableCell('This must be hold, pending or released.')
}

/** The name of a hold in a list; null for a text that only states that there is a hold. */
export function parseHoldName(text: string): Pick<HoldStatement, 'name' | 'description'> | null {
  if (/^(y|yes|true|1|x|hold|on hold)$/i.test(text)) return null
  const holdText = text.replace(/\s*holds?$/i, '').trim()
  const name = /^(freight|line|carrier)$/i.test(holdText)
    ? 'freight'
    : /^(customs|cbp)$/i.test(holdText)
      ? 'customs'
      : ((['USDA', 'VACIS', 'TMF'] as const).find((each) => each === holdText.toUpperCase()) ?? 'other')
  return { name, description: name === 'other' ? text.slice(0, 200) : null }
}
