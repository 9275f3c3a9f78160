/** What kind of number it is, whether it is one, and which line it probably is of. */

import { asciiWords, isInAscii } from '../../core/identifiers.ts'
import type { Inference } from '../../inference/infer.ts'
import { type Context, requireScope } from '../context.ts'
import { refusedAt } from '../errors.ts'
import type { Service } from '../service.ts'
import { predict } from './predict.ts'

/** Refuses what is no reference number at all. */
export async function inferNumber(
  service: Service,
  context: Context,
  input: { readonly number: string },
): Promise<Inference> {
  requireScope(context, 'read')
  if (!isInAscii(input.number)) {
    throw refusedAt('/number', `This reference number is not valid: ${asciiWords}.`)
  }
  const inference = await predict(service, context.account, input.number)
  if (inference === null) {
    throw refusedAt('/number', 'This reference number is not valid.')
  }
  return inference
}
