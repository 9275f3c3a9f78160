/** A custom field's value as people read it: labels in place of values, numbers and times in the account's format. */

import type { FieldDataType, FieldValue } from './custom-field.ts'

export interface FieldDisplay {
  readonly dataType: FieldDataType
  /** Such as `#,##0.00` for numbers, `DD.MM.YYYY` or `%d.%m.%Y` for days and times; anything else changes nothing. */
  readonly format: string | null
  readonly value: FieldValue
  /** Labels of options by their value. */
  readonly labels: Readonly<Record<string, string>>
  /** The name of what a `reference` points to. Null when it has no name or no longer exists. */
  readonly referenceName: string | null
}

/** Null when there is nothing to show. */
export function displayFieldValue({ dataType, format, value, labels, referenceName }: FieldDisplay): string | null {
  if (value === null) return null
  const labelOf = (each: string): string => (Object.hasOwn(labels, each) ? (labels[each] ?? each) : each)
  if (Array.isArray(value)) return value.map(labelOf).join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return format === null ? String(value) : formatNumber(value, format)
  const text = String(value)
  if (dataType === 'enum') return labelOf(text)
  if (dataType === 'reference') return referenceName
  const isTime = dataType === 'date' || dataType === 'datetime'
  return isTime && format !== null ? formatTime(text, format) : text
}

/** Writes a number in place of the digits of a format (`#,##0.00`). The text around the digits stays. */
function formatNumber(value: number, format: string): string {
  const digits = /#?,?[#0]*[0#](?:\.(0+))?/.exec(format)
  if (digits === null) return String(value)
  const decimals = Math.min(digits[1]?.length ?? 0, 20)
  const [whole = '', fraction] = Math.abs(value).toFixed(decimals).split('.')
  // At least as many digits as the format has zeros before its point.
  const zeros = /0*$/.exec(digits[0].split('.')[0] ?? '')?.[0].length ?? 0
  const padded = whole.padStart(Math.min(zeros, 40), '0')
  const grouped = digits[0].includes(',') ? padded.replace(/\B(?=(\d{3})+$)/g, ',') : padded
  const written = fraction === undefined ? grouped : `${grouped}.${fraction}`
  const isNegative = value < 0 && /[1-9]/.test(written)
  return (isNegative ? '-' : '') + format.replace(digits[0], () => written)
}

/** Shows UTC, because stored times are in UTC. */
function formatTime(text: string, format: string): string {
  const part = (from: number, to: number, fallback: string): string => text.slice(from, to) || fallback
  const parts: Readonly<Record<string, string>> = {
    YYYY: part(0, 4, ''),
    MM: part(5, 7, ''),
    DD: part(8, 10, ''),
    HH: part(11, 13, '00'),
    mm: part(14, 16, '00'),
    ss: part(17, 19, '00'),
  }
  const byPercent: Readonly<Record<string, string>> = {
    '%Y': 'YYYY',
    '%m': 'MM',
    '%d': 'DD',
    '%H': 'HH',
    '%M': 'mm',
    '%S': 'ss',
  }
  const tokens = /%[YmdHMS]|YYYY|MM|DD|HH|mm|ss/g
  // A format that names no part of a time would show the same text for every time.
  if (format.search(tokens) === -1) return text
  return format.replace(tokens, (token) => parts[byPercent[token] ?? token] ?? token)
}
