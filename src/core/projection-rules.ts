/** The durations by which a prediction becomes news; an operator can change each. */

export interface ProjectionRules {
  /** An estimate is announced anew when it moves by this much (a day-only one: to another day). */
  readonly estimateThresholdMs: number
  /** A predicted terminal is believed when it has been the prediction for this long. */
  readonly podTerminalDwellMs: number
}

const hourMs = 3_600_000

export const defaultProjectionRules: ProjectionRules = {
  estimateThresholdMs: hourMs,
  podTerminalDwellMs: 24 * hourMs,
}
