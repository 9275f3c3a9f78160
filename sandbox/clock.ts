/** The sandbox's clock: it starts in the past, runs faster than the real one until it has caught up, and never passes it. */

export interface ClockSetting {
  /** What the sandbox's clock showed at `anchorReal`. */
  readonly anchorSim: number
  readonly anchorReal: number
  /** Sandbox seconds in a real one; 86,400 is a day a second. */
  readonly speed: number
}

export function sandboxTime({ anchorSim, anchorReal, speed }: ClockSetting, realNow: number): number {
  return Math.floor(Math.min(realNow, anchorSim + (realNow - anchorReal) * speed))
}
