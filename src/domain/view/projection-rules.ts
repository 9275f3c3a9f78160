/**
 * The version of the merge rules, and the durations after which a prediction becomes news. An operator can change the
 * durations.
 */

/**
 * The version of the rules that make a projection of the claims on record. Raise it with every change of `src/domain`
 * that makes another projection of the same claims. Each ledger entry names it, and shipments that were folded by older
 * rules are folded again in the background (docs/decisions/0017). Version 1 is everything from before there were
 * versions.
 */
export const rulesVersion = 13

export interface ProjectionRules {
  /** An estimate is published again when it moves by this much (a day-only one: to another day). */
  readonly estimateThresholdMs: number
  /** A predicted terminal is believed when it has been the prediction for this long. */
  readonly podTerminalDwellMs: number
}

const hourMs = 3_600_000

export const defaultProjectionRules: ProjectionRules = {
  estimateThresholdMs: hourMs,
  podTerminalDwellMs: 24 * hourMs,
}
