/** What is inferred from a bare number, as agents are told it. */

import type { Inference } from '../../inference/infer.ts'
import { fence, fenceUnlessCode } from './fence.ts'
import { flagOrNull, list, number, object, orNull, text, textOrNull, texts } from './schema.ts'

const candidate = object({ scac: text, name: text, confidence: number })

export const inferenceResult = {
  number_type: text,
  validation: object({
    is_valid: flagOrNull,
    type: text,
    check_digit_passed: flagOrNull,
    parsed_number: textOrNull,
    reason: textOrNull,
  }),
  shipping_line: object({ decision: text, selected: orNull(candidate), candidates: list(candidate) }),
  explanation: texts,
} as const

export function writeInference({ numberType, validation, shippingLine, explanation }: Inference) {
  return {
    number_type: numberType,
    validation: {
      is_valid: validation.isValid,
      type: validation.type,
      check_digit_passed: validation.checkDigitPassed,
      parsed_number: fenceUnlessCode(validation.parsedNumber),
      reason: validation.reason === null ? null : fenceSafe(validation.reason),
    },
    shipping_line: shippingLine,
    explanation: explanation.map(fenceSafe),
  }
}

/** Our own sentences; what they quote is the number itself, letters and digits. */
function fenceSafe(sentence: string): string {
  return /[\p{Cc}\p{Cf}⟦⟧]/u.test(sentence) ? fence(sentence) : sentence
}
