/** The number in a text that was sent for tracking, or a refusal that requests more information. */

import type { RequestType } from '../../domain/tracking-requests/tracking-request-state.ts'
import { unreachable } from '../../domain/values/unreachable.ts'
import { sameCarrier } from '../../inference/carriers.ts'
import { findFormats } from '../../inference/number-formats.ts'
import {
  describeMistypedNumber,
  describeOtherNumber,
  describeSeveralNumbers,
  readPasted,
} from '../../inference/pasted.ts'
import { compactNumber } from '../../reference/shipping-lines.ts'
import { ServiceError, suggestion } from '../errors.ts'

/**
 * The same for all spellings of one number. A text that needs a question to the user is no spelling of another number.
 */
export function numberKey(sent: string): string {
  return readPasted(sent).kind === 'changed' ? sent.trim() : compactNumber(null, sent)
}

/**
 * Returns the text as it was sent when there are no words around the number. `scac` null: the line would have to be
 * searched for, so a text that can be a number of no line is refused. If a line was named, that line decides which
 * numbers are its own.
 */
export function extractNumber(
  sent: string,
  {
    scac,
    requestType,
    pointer,
  }: {
    readonly scac: string | null
    readonly requestType: RequestType | null
    readonly pointer: string | null
  },
): string {
  if (compactNumber(null, sent).startsWith('TEST-')) return sent
  const pasted = readPasted(sent)
  const refusal = (detail: string, corrected: string | null = null): ServiceError =>
    new ServiceError('invalid', detail, {
      ...(pointer === null ? {} : { source: { pointer } }),
      ...suggestion(corrected),
    })
  switch (pasted.kind) {
    case 'number':
      return pasted.number
    case 'several':
      throw refusal(`This is no number: ${describeSeveralNumbers(pasted.numbers)}.`)
    case 'slip': {
      const isOfLine = scac !== null && findFormats(pasted.number).some((format) => sameCarrier(format.scac, scac))
      if (isOfLine && requestType !== 'container') return pasted.number
      throw refusal(describeMistypedNumber(pasted), pasted.corrected)
    }
    case 'changed':
      throw refusal(describeMistypedNumber(pasted), pasted.corrected)
    case 'other':
      if (scac === null) throw refusal(describeOtherNumber(pasted.other))
      return sent
    case 'none':
      return sent
    default:
      return unreachable(pasted)
  }
}
