/** What terminals and railways say that a container costs. */

import type { Fee } from '../statements/observation.ts'
import { sumByCurrency } from './bill.ts'
import { type Money, minorDigits } from './money.ts'

/** By currency. A total has the other fees in it. */
export function sumFees(fees: readonly Fee[]): readonly Money[] {
  const totals = fees.filter(({ type }) => type === 'total')
  return sumByCurrency(
    (totals.length === 0 ? fees : totals).map(({ amount, currencyCode: currency }) => ({
      minor: Math.round(amount * 10 ** minorDigits(currency)),
      currency,
    })),
  )
}
