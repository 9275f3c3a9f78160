/** How long a tracking request is retried, waited for and tracked: every duration of its life, in one value. */

export interface LifecycleRules {
  readonly retriesMax: number
  /** The n-th retry waits `retryFirstDelayMs * retryFactor ** (n - 1)`. */
  readonly retryFirstDelayMs: number
  readonly retryFactor: number
  readonly manifestAskEveryDays: number
  readonly manifestWaitDays: number
  readonly arrivalWindowDays: number
  readonly fullOutWindowDays: number
  readonly noUpdatesWindowDays: number
}

/** 14 retries. The first comes after one minute; each wait is 1.625 times the one before: 23 h 50 min in all. */
export const defaultLifecycleRules: LifecycleRules = {
  retriesMax: 14,
  retryFirstDelayMs: 60_000,
  retryFactor: 1.625,
  manifestAskEveryDays: 1,
  manifestWaitDays: 7,
  arrivalWindowDays: 56,
  fullOutWindowDays: 56,
  noUpdatesWindowDays: 56,
}

/** How long the n-th retry waits (n from 1), in whole seconds. */
export function retryDelayMs(retry: number, rules: LifecycleRules = defaultLifecycleRules): number {
  return Math.round((rules.retryFirstDelayMs * rules.retryFactor ** (retry - 1)) / 1_000) * 1_000
}
