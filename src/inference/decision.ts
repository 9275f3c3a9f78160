/** What is done with a belief: taken as it is, put to the caller, or only listed. */

export const decisions = ['auto_select', 'needs_confirmation', 'no_prediction'] as const
export type Decision = (typeof decisions)[number]

export interface Thresholds {
  readonly autoSelect: number
  readonly needsConfirmation: number
}

export const defaultThresholds: Thresholds = { autoSelect: 0.95, needsConfirmation: 0.7 }

/** Confidences are of two decimals, and a gate that is closed asks for confirmation at most. */
export function decide(confidence: number, isGateOpen: boolean, thresholds: Thresholds): Decision {
  if (confidence >= thresholds.autoSelect && isGateOpen) return 'auto_select'
  return confidence >= thresholds.needsConfirmation ? 'needs_confirmation' : 'no_prediction'
}
