/** The result of inference for a bare number, as agents see it. */

import type { Inference } from '../../inference/infer.ts'
import { flagOrNull, list, number, object, orNull, text, textOrNull, texts } from '../tool/schema.ts'
import { markForeignText, markUnlessCode } from './fence.ts'

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
      parsed_number: markUnlessCode(validation.parsedNumber),
      reason: validation.reason === null ? null : markUnlessSafe(validation.reason),
    },
    shipping_line: {
      ...shippingLine,
      auto_select_from: rest.autoSelectFrom,
      held_back: rest.heldBack === null ? null : markUnlessSafe(rest.heldBack),
    },
    explanation: explanation.map(markUnlessSafe),
  }
}

/** Why the user must be asked: the confidence is too low, or inference alone must not decide. */
export function whyUnsure({ validation, shippingLine, autoSelectFrom, heldBack }: Inference): string {
  const [first] = shippingLine.candidates
  const { reason } = validation
  if (first === undefined)
    return reason === null
      ? 'No shipping line is known for this number.'
      : `${markUnlessSafe(reason).replace(/\.$/, '')}.`
  const likeliest = `The likeliest line is ${first.name} (${first.scac}), with a confidence of ${first.confidence}`
  return heldBack === null
    ? `${likeliest}; from ${autoSelectFrom} on it would be selected automatically.`
    : `${likeliest}, which is not acted on alone: ${markUnlessSafe(heldBack)}`
}

/**
 * Our own sentences. They quote only the number itself, which is letters and digits, so normally they need no marks.
 */
function markUnlessSafe(sentence: string): string {
  return /[\p{Cc}\p{Cf}⟦⟧]/u.test(sentence) ? markForeignText(sentence) : sentence
}
