/**
 * Numbers that no shipping line knows: air waybills, dates, orders, telephone numbers. The result names their kind, so
 * that nobody polls lines for them. They are cut out of a text before it is searched for a shipment's number.
 */

export interface OtherNumber {
  /** A phrase that completes "this looks like …". */
  readonly what: string
  /** The number as it was written. */
  readonly text: string
}

/** Labels that people write before a number. The number follows them. */
const labelled: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  {
    what: 'a purchase order',
    pattern:
      /\b(?:P\.?O\.?|PURCHASE ORDER|SALES ORDER|ORDER)(?: ?(?:NO|NR|NUMBER)\b\.?)?[ :#.]+([A-Z0-9/-]*[0-9]{3}[A-Z0-9/-]*)/,
  },
  {
    what: 'an invoice',
    pattern: /\b(?:INVOICE|INV)(?: ?(?:NO|NR|NUMBER)\b\.?)?[ :#.]+([A-Z0-9/-]*[0-9]{3}[A-Z0-9/-]*)/,
  },
  {
    what: 'a phone number',
    pattern: /\b(?:TEL|PHONE|TELEPHONE|MOBILE|MOB|FAX)[ :.]+([+0-9(][0-9 ()/.-]{5,}[0-9])/,
  },
  { what: 'a phone number', pattern: /(?:^|\s)(\+[0-9][0-9 ()/.-]{6,}[0-9])/ },
  { what: 'a UN number of dangerous goods', pattern: /\bUN[ -]?([0-9]{4})\b/ },
  { what: 'the IMO number of a ship', pattern: /\bIMO[ :#.-]*([0-9]{7})\b/ },
  {
    what: 'the number of a seal',
    pattern: /\bSEAL(?: ?(?:NO|NR|NUMBER)\b\.?)?[ :#.]+([A-Z0-9-]*[0-9]{4}[A-Z0-9-]*)/,
  },
]

const months = 'JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC'
const dates: readonly RegExp[] = [
  /(?<![A-Z0-9])20[0-9]{2}([./-])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12][0-9]|3[01])(?![A-Z0-9])/,
  /(?<![A-Z0-9])(?:0?[1-9]|[12][0-9]|3[01])([./-])(?:0?[1-9]|[12][0-9]|3[01])\1(?:20)?[0-9]{2}(?![A-Z0-9])/,
  new RegExp(`(?<![A-Z0-9])(?:0?[1-9]|[12][0-9]|3[01])[ -]?(?:${months})[A-Z]*[ -]?(?:20)?[0-9]{2}(?![A-Z0-9])`),
]

const airWaybills: readonly RegExp[] = [
  /\b(?:M?AWB|AIR ?WAYBILL)(?: ?(?:NO|NR|NUMBER)\b\.?)?[ :#.]+([0-9]{3})[ -]?([0-9]{4})[ -]?([0-9]{4})\b/,
  /(?<![A-Z0-9])([0-9]{3})[ -]?([0-9]{4}) ?([0-9]{4})(?![A-Z0-9])/,
]

/** Cuts such numbers out of a text in upper case. In `rest` a space replaces each of them. */
export function cutOtherNumbers(text: string): {
  readonly rest: string
  readonly found: readonly OtherNumber[]
} {
  const found: OtherNumber[] = []
  let rest = text
  const cut = (pattern: RegExp, read: (match: RegExpExecArray) => OtherNumber | null): void => {
    const match = pattern.exec(rest)
    const other = match === null ? null : read(match)
    if (match === null || other === null) return
    found.push(other)
    rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`
  }
  for (const { what, pattern } of labelled)
    cut(pattern, ([, number = '']) => ({ what, text: number.replace(/[-/]+$/, '') }))
  for (const pattern of airWaybills) cut(pattern, readAirWaybill)
  for (const pattern of dates) cut(pattern, ([date]) => ({ what: 'a date', text: date }))
  return { rest, found }
}

/** The last digit is the first seven digits modulo 7 (IATA resolution 600a). */
function readAirWaybill([whole, airline = '', first = '', second = '']: RegExpExecArray): OtherNumber | null {
  const serial = `${first}${second}`
  const isLabelled = /WB|WAYBILL/.test(whole)
  if (!isLabelled && Number(serial.slice(0, 7)) % 7 !== Number(serial.slice(7))) return null
  return { what: 'an air waybill', text: `${airline}-${serial}` }
}
