/** What is inferred from a bare number, as agents are told it. */

import type { Inference } from '../../../inference/infer.ts'
import { flagOrNull, list, number, object, orNull, text, textOrNull, texts } from '../tool/schema.ts'
import { fence, fenceUnlessCode } from './fence.ts'

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
  shipping_line: object({
    decision: text,
    selected: orNull(candidate),
    candidates: list(candidate),
    auto_select_from: number,
    held_back: textOrNull,
  }),
  explanation: texts,
} as const

export function writeInference({ numberType, validation, shippingLine, explanation, ...rest }: Inference) {
  return {
    number_type: numberType,
    validation: {
      is_valid: validation.isValid,
      type: validation.type,
      check_digit_passed: validation.checkDigitPassed,
      parsed_number: fenceUnlessCode(validation.parsedNumber),
      reason: validation.reason === null ? null : fenceSafe(validation.reason),
    },
    shipping_line: {
      ...shippingLine,
      auto_select_from: rest.autoSelectFrom,
      held_back: rest.heldBack === null ? null : fenceSafe(rest.heldBack),
    },
    explanation: explanation.map(fenceSafe),
  }
}

/** Why the user is asked: the confidence is too low, or it is not to be acted on alone. */
export function whyUnsure({ shippingLine, autoSelectFrom, heldBack }: Inference): string {
  const [first] = shippingLine.candidates
  if (first === undefined) return 'No shipping line is known for this number.'
  const likeliest = `The likeliest line is ${first.name} (${first.scac}), with a confidence of ${first.confidence}`
  return heldBack === null
    ? `${likeliest}; from ${autoSelectFrom} on it would be taken.`
    : `${likeliest}, which is not acted on alone: ${fenceSafe(heldBack)}`
}

/** Our own sentences; what they quote is the number itself, letters and digits. */
function fenceSafe(sentence: string): string {
  return /[\p{Cc}\p{Cf}⟦⟧]/u.test(sentence) ? fence(sentence) : sentence
}
