/** The number that is meant by what was sent for tracking, or a refusal that asks back. */

import { unreachable } from '../../../core/unreachable.ts'
import { otherInWords, readPasted, severalInWords, slipInWords } from '../../../inference/pasted.ts'
import { tidyNumber } from '../../../reference/shipping-lines.ts'
import { ServiceError } from '../../errors.ts'

/**
 * As it was sent where no words stand around it. `isSearch`: lines would have to be searched for it, so what no line knows
 * is refused; a line that was named is the judge of its own numbers.
 */
export function meantNumber(
  sent: string,
  { isSearch, pointer }: { readonly isSearch: boolean; readonly pointer: string | null },
): string {
  if (tidyNumber(null, sent).startsWith('TEST-')) return sent
  const pasted = readPasted(sent)
  const refusal = (detail: string): ServiceError =>
    new ServiceError('invalid', detail, pointer === null ? {} : { source: { pointer } })
  switch (pasted.kind) {
    case 'number':
      return pasted.number
    case 'several':
      throw refusal(`This is no number: ${severalInWords(pasted.numbers)}.`)
    case 'slip':
      throw refusal(slipInWords(pasted))
    case 'other':
      if (isSearch) throw refusal(otherInWords(pasted.other))
      return sent
    case 'none':
      return sent
    default:
      return unreachable(pasted)
  }
}
