/**
 * One statement for each fee: what is owed, or that nothing is owed. X12 has no currency here, so only the profile can
 * supply it.
 */

import type { FactObservation, FeeStatement } from '../../domain/statements/observation.ts'
import type { ReadContext } from './context.ts'
import { buildFact } from './fact.ts'
import type { ReferenceValues } from './reference-values.ts'

export function writeFees(
  { fees, isAnyFeeOwed }: ReferenceValues,
  { container, issues, profile }: ReadContext & { readonly container: string },
): readonly FactObservation[] {
  const { currency: currencyCode = null } = profile
  const itemised = fees.map(({ type, qualifier, description, amount }) =>
    write({ type, status: amount === 0 ? 'settled' : 'due', amount, currencyCode, description }, qualifier),
  )
  if (isAnyFeeOwed === null || fees.length > 0) return itemised
  if (isAnyFeeOwed)
    issues.add('missing_field', { path: '', lost: 'field' }, 'fees are owed, but their type and amount are missing')
  const status = isAnyFeeOwed ? 'due' : 'settled'
  return [write({ type: 'total', status, amount: null, currencyCode, description: null }, null)]

  /** The qualifier distinguishes fees of the same type. */
  function write(fee: FeeStatement, qualifier: string | null): FactObservation {
    const keyPart = qualifier === null ? fee.type : `${fee.type}|${qualifier}`
    return buildFact('fee', fee, { container, keyPart })
  }
}
