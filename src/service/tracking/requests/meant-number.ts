/** The number that a text sent for tracking means, or a refusal that asks for more. */

import { unreachable } from '../../../core/values/unreachable.ts'
import { otherInWords, readPasted, severalInWords, slipInWords } from '../../../inference/pasted.ts'
import { tidyNumber } from '../../../reference/shipping-lines.ts'
import { ServiceError } from '../../errors.ts'

/**
 * Returns the text as it was sent when there are no words around the number. `isSearch`: the line would have to be
 * searched for, so a text that can be a number of no line is refused. A line that was named decides itself which
 * numbers are its own.
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
