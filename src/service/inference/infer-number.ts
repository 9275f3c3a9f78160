/** Says which kind of number a text is, whether the number is valid, and which line it probably belongs to. */

import { asciiWords, isInAscii } from '../../core/values/identifiers.ts'
import { unreachable } from '../../core/values/unreachable.ts'
import type { Inference } from '../../inference/infer.ts'
import { inferHouseBill, inferOther, inferSlip } from '../../inference/infer-pasted.ts'
import { readPasted, severalInWords } from '../../inference/pasted.ts'
import { type Context, requireScope } from '../context.ts'
import { refusedAt, type ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { predict } from './predict.ts'

/** Refuses a text that contains no reference number, and a text with several numbers. */
export async function inferNumber(
  service: Service,
  context: Context,
  input: { readonly number: string },
): Promise<Inference> {
  requireScope(context, 'read')
  const pasted = readPasted(input.number)
  const predicted = (number: string) => predict(service, context.account, number)
  switch (pasted.kind) {
    case 'other':
      return inferOther(pasted)
    case 'several':
      throw notValid(severalInWords(pasted.numbers))
    case 'slip':
      if (pasted.reason === asciiWords) throw notValid(`${asciiWords}. It may be ${pasted.meant}`)
      return inferSlip(pasted, pasted.meant === null ? null : await predicted(pasted.meant))
    case 'number': {
      const inference = await predicted(pasted.number)
      if (inference === null) throw notValid(null)
      return pasted.isHouseBill ? inferHouseBill(inference) : inference
    }
    case 'none':
      throw notValid(isInAscii(input.number) ? null : asciiWords)
    default:
      return unreachable(pasted)
  }
}

function notValid(why: string | null): ServiceError {
  return refusedAt('/number', `This reference number is not valid${why === null ? '' : `: ${why}`}.`)
}
