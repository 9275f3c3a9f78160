/** Amounts as papers print them: weights, volumes, counts and money. A number that can be read in two ways is left unread. */

export interface Amount {
  readonly value: number
  /** As it is printed, with its unit. */
  readonly text: string
}

const figure = "(\\d{1,3}(?:[ ,.\u00a0']\\d{3})+(?:[.,]\\d{1,3})?|\\d+(?:[.,]\\d{1,3})?)"

/**
 * `1,234.5`, `1.234,5`, `1 234.50`, `1234`. Null for `1,234` and `1.234` where a comma or dot could be either, unless
 * `thousands` says that three digits after it are thousands.
 */
export function parseFigure(text: string, { thousands }: { readonly thousands: boolean }): number | null {
  const compactText = text.replace(/[ \u00a0']/g, '')
  const last = /[.,](\d+)$/.exec(compactText)
  if (last === null) return /^\d+$/.test(compactText) ? Number(compactText) : null
  const marks = compactText.replace(/\d/g, '')
  const isSplit = new Set(marks).size === 1 && last[1]?.length === 3
  if (isSplit && marks.length === 1 && !thousands) return null
  if (isSplit) return Number(compactText.replace(/[.,]/g, ''))
  const whole = compactText.slice(0, last.index).replace(/[.,]/g, '')
  return /^\d+$/.test(whole) ? Number(`${whole}.${last[1]}`) : null
}

const perKg: Readonly<Record<string, number>> = { kg: 1, lb: 0.45359237, t: 1_000 }

/** In kilograms. `unit`: the unit of the heading, where the figure has none. Without any unit nothing is read. */
export function findWeight(text: string, unit: string | null): Amount | null {
  const found = new RegExp(
    `${figure}\\s*(kgs?\\b|kgm\\b|kilo\\w*|lbs?\\b|lbr\\b|pounds?\\b|mt\\b|m\\.?tons?\\b|tonnes?\\b|mts\\b)?`,
    'i',
  ).exec(text)
  if (found === null) return null
  const named = unitOf(found[2] ?? '') ?? unit
  const figures = parseFigure(found[1] ?? '', { thousands: named === 'kg' || named === 'lb' })
  if (named === null || figures === null) return null
  const value = Math.round(figures * (perKg[named] ?? 1) * 1_000) / 1_000
  return value > 0 ? { value, text: found[0].trim() } : null
}

/** `kg`, `lb` or `t` when the words name one. */
export function unitOf(unitText: string): string | null {
  if (/\b(kgs?|kgm|kilo\w*)\b/i.test(unitText)) return 'kg'
  if (/\b(lbs?|lbr|pounds?)\b/i.test(unitText)) return 'lb'
  return /\b(mt|mts|m\.?tons?|tonnes?)\b/i.test(unitText) ? 't' : null
}

/** In cubic metres; only where they are named, beside the figure or in the heading. */
export function findVolume(text: string, isNamed: boolean): Amount | null {
  const found = new RegExp(`${figure}\\s*(cbm\\b|m3\\b|m³|mtq\\b|cu\\.?\\s?m\\b|cubic met\\w*)?`, 'i').exec(text)
  if (found === null || (found[2] === undefined && !isNamed)) return null
  const compactText = (found[1] ?? '').replace(/[ \u00a0']/g, '')
  // Three digits after one mark are the rule here: 67.250 m³ is no ship's hold.
  const value = /^\d+[.,]\d{1,3}$/.test(compactText)
    ? Number(compactText.replace(',', '.'))
    : parseFigure(found[1] ?? '', { thousands: true })
  return value === null || value <= 0 ? null : { value, text: found[0].trim() }
}

export function findCount(text: string): Amount | null {
  const found = /(?<![\d.,])(\d{1,3}(?:[ ,.]\d{3})*|\d{1,7})(?![\d.,]*\d)/.exec(text)
  const value = found === null ? null : parseFigure(found[1] ?? '', { thousands: true })
  return found === null || value === null || value > 1_000_000 ? null : { value, text: found[0].trim() }
}

export interface Money extends Amount {
  /** ISO 4217; null where only a sign such as `$` or nothing is printed. */
  readonly currency: string | null
}

const currencies =
  'USD|EUR|GBP|CNY|RMB|JPY|CAD|AUD|SGD|HKD|INR|KRW|BRL|MXN|CHF|SEK|NOK|DKK|ZAR|AED|THB|VND|IDR|MYR|PHP|TWD|NZD|TRY|PLN|CLP|COP|PEN|SAR'
const money = new RegExp(
  `(?:\\b(${currencies})\\s*)?([$€£]|US\\$)?\\s*(\\d{1,3}(?:[ ,.']\\d{3})+[.,]\\d{2}|\\d+[.,]\\d{2}|\\d{1,3}(?:[ ,']\\d{3})+|\\d+)(?![\\d.,]*\\d)\\s*(?:(${currencies})\\b)?`,
)

export function findMoney(text: string): Money | null {
  const found = money.exec(text)
  if (found === null) return null
  const named = found[1] ?? found[4]
  const [sign, figures = ''] = [found[2], found[3]]
  // A bare number without cents, currency or sign may be anything.
  if (named === undefined && sign === undefined && !/[.,]\d{2}$/.test(figures)) return null
  const value = parseFigure(figures, { thousands: true })
  const currency =
    named === 'RMB' ? 'CNY' : (named ?? (sign === '€' ? 'EUR' : sign === '£' ? 'GBP' : sign === 'US$' ? 'USD' : null))
  return value === null ? null : { value, currency, text: found[0].trim() }
}

export function findCurrency(text: string): string | null {
  const found = new RegExp(`\\b(${currencies})\\b`).exec(text)?.[1]
  return found === 'RMB' ? 'CNY' : (found ?? null)
}
