/** What `GET /v2/containers/{id}/charges` answers, as far as the page shows it. Amounts are whole minor units. */

export interface ChargesDocument {
  readonly data: {
    readonly attributes: {
      readonly until: string
      readonly charges: readonly Charge[]
      readonly reported: readonly {
        readonly of: string
        readonly day: string
        readonly source: { readonly kind: string; readonly code: string }
        readonly is_believed: boolean
      }[]
      readonly differences: readonly {
        readonly terms: TermsName
        readonly calculated: string
        readonly reported: string
      }[]
    }
  }
}
export interface TermsName {
  readonly code: string
  readonly version: number
}
export interface Money {
  readonly minor: number
  readonly currency: string
}
export interface Charge {
  readonly terms: TermsName
  readonly origin: string
  readonly kind: string
  readonly charged_by: string
  readonly charger_code: string | null
  readonly missing: string | null
  readonly last_free_day: string | null
  readonly days: readonly ChargeDay[]
  readonly owed: Bill
  readonly forecast: Bill
  readonly avoidable: readonly Money[]
}
export interface ChargeDay {
  readonly on: string
  readonly outcome: 'free' | 'charged' | 'not_counted' | 'unknown'
  readonly sentence: string
  readonly amount: Money | null
  readonly is_ahead: boolean
}
export interface Bill {
  readonly totals: readonly Money[]
  readonly unpriced_days: number
  readonly unknown_days: number
}

/** Sums over several containers, as in `meta.all` of `GET /v2/charges`. */
export interface ChargeSums {
  readonly owed: Bill
  readonly forecast: Bill
  readonly avoidable: readonly Money[]
  readonly containers: number
  readonly counted: number
  readonly unknown: Readonly<Record<string, number>>
}

/** True while a worker still counts some containers. */
export function isBeingCounted({ unknown }: ChargeSums): boolean {
  return (unknown['being_counted'] ?? 0) > 0
}

/** "1,250.00 USD + 90.00 EUR": currencies are never added up. */
export function moneyTexts(amounts: readonly Money[]): string {
  return amounts.map(moneyText).join(' + ')
}

/** "1,250.00 USD", with as many decimals as the currency has. */
export function moneyText({ minor, currency }: Money): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
  return format.format(minor / 10 ** digitsOf(format))
}

/** "1250.00", as a table has it. */
export function moneyPlain({ minor, currency }: Money): string {
  const digits = digitsOf(new Intl.NumberFormat('en', { style: 'currency', currency }))
  return (minor / 10 ** digits).toFixed(digits)
}

function digitsOf(format: Intl.NumberFormat): number {
  return format.resolvedOptions().maximumFractionDigits ?? 2
}
