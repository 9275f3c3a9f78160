/** Finds which kind of number a text is, whether the number is valid, and which line it probably belongs to. */

import { asciiRequirement, isInAscii } from '../../domain/values/identifiers.ts'
import { unreachable } from '../../domain/values/unreachable.ts'
import type { Inference } from '../../inference/infer.ts'
import { inferHouseBill, inferMistypedNumber, inferOtherNumber } from '../../inference/infer-pasted.ts'
import { describeMistypedNumber, describeSeveralNumbers, readPasted } from '../../inference/pasted.ts'
import { type Context, requireScope } from '../access/context.ts'
import { ServiceError, suggestion } from '../errors.ts'
import type { Service } from '../service.ts'
import { predictLine } from './predict-line.ts'

/** Refuses a text that contains no reference number, and a text with several numbers. */
export async function inferNumber(
  service: Service,
  context: Context,
  input: { readonly number: string },
): Promise<Inference> {
  requireScope(context, 'read')
  const pasted = readPasted(input.number)
  const predicted = (number: string) => predictLine(service, context.account, number)
  switch (pasted.kind) {
    case 'other':
      return inferOtherNumber(pasted)
    case 'several':
      throw invalidReferenceError(`: ${describeSeveralNumbers(pasted.numbers)}.`)
    case 'changed':
      throw invalidReferenceError(`. ${describeMistypedNumber(pasted)}`, pasted.corrected)
    case 'slip':
      return inferMistypedNumber(pasted, pasted.corrected === null ? null : await predicted(pasted.corrected))
    case 'number': {
      const inference = await predicted(pasted.number)
      if (inference === null) throw invalidReferenceError('.')
      return pasted.isHouseBill ? inferHouseBill(inference) : inference
    }
    case 'none':
      throw invalidReferenceError(isInAscii(input.number) ? '.' : `: ${asciiRequirement}.`)
    default:
      return unreachable(pasted)
  }
}

/** `end`: how the sentence ends. `suggestedNumber`: the number that was probably intended. */
function invalidReferenceError(end: string, suggestedNumber: string | null = null): ServiceError {
  return new ServiceError('invalid', `This reference number is not valid${end}`, {
    source: { pointer: '/number' },
    ...suggestion(suggestedNumber),
  })
}
