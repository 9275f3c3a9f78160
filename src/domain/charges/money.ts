/** Money as whole minor units (cents) of a currency. It is never a fraction, so sums are exact. */

export interface Money {
  /** Whole minor units: 12050 of USD is 120.50. */
  readonly minor: number
  /** ISO 4217. */
  readonly currency: string
}

/** Currencies whose minor unit is not a hundredth (ISO 4217, list one). */
const digitsOf: ReadonlyMap<string, number> = new Map([
  ...withDigits(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...withDigits(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...withDigits(4, 'CLF UYW'),
])

function withDigits(digits: number, codes: string): [string, number][] {
  return codes.split(' ').map((code) => [code, digits])
}

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

export function isCurrency(code: string): boolean {
  return currencies.has(code)
}

/** How many digits the currency has behind the point. */
export function minorDigits(currency: string): number {
  return digitsOf.get(currency) ?? 2
}

/** Far more than any rate for a day, and small enough that a sum over thousands of days is still exact. */
const minorMax = 1_000_000_000

/**
 * Reads `120`, `120.5` or `120.50`. Null for anything else: a sign, a comma, more digits than the currency has, or more
 * than any day costs.
 */
export function parseMoney(text: string, currency: string): Money | null {
  const digits = minorDigits(currency)
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,4}))?$/.exec(text) ?? []
  if (whole === undefined || fraction.length > digits) return null
  const minor = Number(whole + fraction.padEnd(digits, '0'))
  return minor > minorMax ? null : { minor, currency }
}

/** `120.50 USD`, `18000 JPY`. */
export function writeMoney({ minor, currency }: Money): string {
  return `${writeAmount({ minor, currency })} ${currency}`
}

export function writeAmount({ minor, currency }: Money): string {
  const digits = minorDigits(currency)
  if (digits === 0) return String(minor)
  const text = String(minor).padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
