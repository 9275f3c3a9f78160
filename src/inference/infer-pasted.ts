/**
 * Answers that need no model, or that change the model's answer: for numbers that no line knows, for numbers with a
 * typing error, and for house bills.
 */

import { defaultThresholds } from './decision.ts'
import type { Inference } from './infer.ts'
import { houseBillWords, otherInWords, type Pasted, slipInWords } from './pasted.ts'
import type { Validation } from './validation.ts'

const nothing: Omit<Inference, 'numberType' | 'validation'> = {
  shippingLine: { decision: 'no_prediction', selected: null, candidates: [] },
  autoSelectFrom: defaultThresholds.autoSelect,
  heldBack: null,
  explanation: [],
  nodes: [],
  ranked: [],
}

/** The number is not a container number, so the answer calls it a bill, and an invalid one. */
export function inferOther({ other }: Extract<Pasted, { kind: 'other' }>): Inference {
  const unread = { checkDigitPassed: null, parsedNumber: null, reason: otherInWords(other) }
  return {
    ...nothing,
    numberType: 'bill_of_lading',
    validation: { isValid: false, type: 'shipment', ...unread },
  }
}

/** `ofMeant`: the answer for the number that was probably meant. That number is never selected without confirmation. */
export function inferSlip(slip: Extract<Pasted, { kind: 'slip' }>, ofMeant: Inference | null): Inference {
  const base = ofMeant ?? { ...nothing, numberType: 'container' as const }
  const { shippingLine } = base
  const isSelected = shippingLine.decision === 'auto_select'
  const validation: Validation = {
    isValid: false,
    type: 'container',
    checkDigitPassed: slip.meant === null ? false : null,
    parsedNumber: null,
    reason: slipInWords(slip),
  }
  return {
    ...base,
    validation,
    shippingLine: isSelected ? { ...shippingLine, decision: 'needs_confirmation' } : shippingLine,
    heldBack: isSelected ? 'The number has a slip in it.' : base.heldBack,
  }
}

export function inferHouseBill(inference: Inference): Inference {
  const { decision } = inference.shippingLine
  return {
    ...inference,
    validation: { ...inference.validation, isValid: null, reason: houseBillWords },
    shippingLine: {
      ...inference.shippingLine,
      decision: decision === 'auto_select' ? 'needs_confirmation' : decision,
    },
  }
}
