/** The decision that follows from a belief: act on it, let the caller confirm it, or only list it. */

export const decisions = ['auto_select', 'needs_confirmation', 'no_prediction'] as const
export type Decision = (typeof decisions)[number]

export interface Thresholds {
  readonly autoSelect: number
  readonly needsConfirmation: number
}

export const defaultThresholds: Thresholds = { autoSelect: 0.95, needsConfirmation: 0.7 }

/** Confidences have two decimals. When a gate is closed, the most that is possible is `needs_confirmation`. */
export function decideSelection(confidence: number, isGateOpen: boolean, thresholds: Thresholds): Decision {
  if (confidence >= thresholds.autoSelect && isGateOpen) return 'auto_select'
  return confidence >= thresholds.needsConfirmation ? 'needs_confirmation' : 'no_prediction'
}
