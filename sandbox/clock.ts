/**
 * The sandbox's clock. It starts in the past, runs faster than the real clock until it has caught up, and is never
 * ahead of it.
 */

export interface ClockSetting {
  /** The time of the sandbox's clock at `anchorReal`. */
  readonly anchorSim: number
  readonly anchorReal: number
  /** Sandbox seconds per real second; 86,400 is a day per second. */
  readonly speed: number
}

export function sandboxTime({ anchorSim, anchorReal, speed }: ClockSetting, realNow: number): number {
  return Math.floor(Math.min(realNow, anchorSim + (realNow - anchorReal) * speed))
}
