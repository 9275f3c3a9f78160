/** Fees, one statement for each: what is owed, or that nothing is. X12 says no currency: it is the profile's, or unknown. */

import type { FactObservation, FeeWord } from '../../core/observation.ts'
import type { ReadContext } from './context.ts'
import { factOf } from './fact.ts'
import type { ReferenceValues } from './reference-values.ts'

export function writeFees(
  { fees, isAnyFeeOwed }: ReferenceValues,
  { box, issues, profile }: ReadContext & { readonly box: string },
): readonly FactObservation[] {
  const itemised = fees.map(({ type, qualifier, description, amount }) =>
    write(
      {
        type,
        status: amount === 0 ? 'settled' : 'due',
        amount,
        currencyCode: profile.currency ?? null,
        description,
      },
      qualifier,
    ),
  )
  if (isAnyFeeOwed === null || fees.length > 0) return itemised
  if (isAnyFeeOwed)
    issues.add('missing_field', { path: '', lost: 'field' }, 'fees are owed, and not said which nor how much')
  const status = isAnyFeeOwed ? 'due' : 'settled'
  return [write({ type: 'total', status, amount: null, currencyCode: null, description: null }, null)]

  /** Fees of one type are told apart by their qualifier. */
  function write(fee: FeeWord, qualifier: string | null): FactObservation {
    const part = qualifier === null ? fee.type : `${fee.type}|${qualifier}`
    return factOf('fee', fee, { box, part })
  }
}
