/**
 * Results that need no model, or that change the model's result: for numbers that no line knows, for numbers with a
 * typing error, and for house bills.
 */

import { defaultThresholds } from './decision.ts'
import { doubtCandidates, type Inference, withBillLines } from './infer.ts'
import { describeMistypedNumber, describeOtherNumber, houseBillReason, type PastedText } from './pasted.ts'
import type { Validation } from './validation.ts'

const nothing: Omit<Inference, 'numberType' | 'validation'> = {
  shippingLine: { decision: 'no_prediction', selected: null, candidates: [] },
  autoSelectFrom: defaultThresholds.autoSelect,
  heldBack: null,
  explanation: [],
  nodes: [],
  ranked: [],
}

/** The number is not a container number, so the result calls it a bill, and an invalid one. */
export function inferOtherNumber({ other }: Extract<PastedText, { kind: 'other' }>): Inference {
  const unread = {
    checkDigitPassed: null,
    parsedNumber: null,
    reason: describeOtherNumber(other),
    suggestedNumber: null,
  }
  return {
    ...nothing,
    numberType: 'bill_of_lading',
    validation: { isValid: false, type: 'shipment', ...unread },
  }
}

/**
 * `ofCorrected`: the result for the number that was probably intended. That number is never selected without
 * confirmation.
 */
export function inferMistypedNumber(
  slip: Extract<PastedText, { kind: 'slip' }>,
  ofCorrected: Inference | null,
): Inference {
  const base = ofCorrected ?? { ...nothing, numberType: 'container' as const }
  const candidates = withBillLines(doubtCandidates(base.shippingLine.candidates), slip.number)
  const selected = base.shippingLine.selected === null ? null : (candidates[0] ?? null)
  const shippingLine = { ...base.shippingLine, selected, candidates }
  const isSelected = shippingLine.decision === 'auto_select'
  const validation: Validation = {
    isValid: false,
    type: 'container',
    checkDigitPassed: slip.corrected === null ? false : null,
    parsedNumber: null,
    reason: describeMistypedNumber(slip),
    suggestedNumber: slip.corrected,
  }
  return {
    ...base,
    validation,
    shippingLine: isSelected ? { ...shippingLine, decision: 'needs_confirmation' } : shippingLine,
    heldBack: isSelected ? 'The number has a typing mistake.' : base.heldBack,
  }
}

export function inferHouseBill(inference: Inference): Inference {
  return {
    ...inference,
    ...nothing,
    validation: { ...inference.validation, isValid: null, reason: houseBillReason },
  }
}
