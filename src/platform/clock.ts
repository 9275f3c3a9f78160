// Clocks: the machine's clock, a clock that a test moves by hand, and the sandbox's clock, which runs faster than real
// time until it has caught up. Everything that needs the time is given a clock.

export type Clock = {
  /** Milliseconds since 1970 in UTC. */
  readonly now: () => number
}

export type ManualClock = Clock & {
  readonly set: (ms: number) => void
  readonly advance: (ms: number) => void
}

/** Stored in the database, so that the sandbox's time continues after a restart. */
export type SandboxAnchor = {
  /** When the sandbox began, in its own time. Its journeys are a function of seed, epoch and now. */
  readonly epochMs: number
  readonly realMs: number
  readonly simulatedMs: number
  /** Simulated seconds per real second. */
  readonly speed: number
}

export const sandboxHeadStartMs = 90 * 86_400_000

export const realClock: Clock = { now: () => Date.now() }

export function manualClock(startMs: number): ManualClock {
  let ms = startMs
  return {
    now: () => ms,
    set: (to) => {
      ms = to
    },
    advance: (by) => {
      ms += by
    },
  }
}

/** The anchor of a sandbox that starts for the first time: 90 days ago. */
export function firstSandboxAnchor(realNowMs: number, speed: number): SandboxAnchor {
  const epochMs = realNowMs - sandboxHeadStartMs
  return { epochMs, realMs: realNowMs, simulatedMs: epochMs, speed }
}

/**
 * The sandbox's time. It runs at its own speed until it has caught up with the real clock, and with the real clock from
 * then on. It is never ahead of the real clock.
 */
export function sandboxNow(anchor: SandboxAnchor, realNowMs: number): number {
  const elapsedMs = Math.max(0, realNowMs - anchor.realMs)
  return Math.min(realNowMs, Math.floor(anchor.simulatedMs + elapsedMs * anchor.speed))
}

/** The anchor that gives the sandbox another speed from now on. The simulated time does not jump. */
export function withSandboxSpeed(
  anchor: SandboxAnchor,
  to: { readonly speed: number; readonly realNowMs: number },
): SandboxAnchor {
  if (anchor.speed === to.speed) return anchor
  return { ...anchor, realMs: to.realNowMs, simulatedMs: sandboxNow(anchor, to.realNowMs), speed: to.speed }
}

export function sandboxClock(anchor: SandboxAnchor, real: Clock): Clock {
  return { now: () => sandboxNow(anchor, real.now()) }
}
