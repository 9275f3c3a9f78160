/** When a delivery that failed is tried again: 12 attempts over three days, and what a receiver may request instead. */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The gap before the second, third … attempt. */
const gapsMs = [
  5 * second,
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  20 * hour,
] as const

const jitter = 0.2

/**
 * Milliseconds until the next attempt; null when `attempts` have been made and that was the last one. `random` is from
 * 0 to 1. A receiver's Retry-After is followed, but the gap is never shorter than planned and never longer than twice
 * that.
 */
export function findRetryGapMs(failed: {
  readonly attempts: number
  readonly random: number
  readonly retryAfterMs: number | null
}): number | null {
  const plannedMs = gapsMs[failed.attempts - 1]
  if (plannedMs === undefined) return null
  if (failed.retryAfterMs !== null) return Math.min(Math.max(failed.retryAfterMs, plannedMs), 2 * plannedMs)
  return Math.round(plannedMs * (1 - jitter + 2 * jitter * failed.random))
}

/** RFC 9110, 10.2.3: seconds, or an HTTP date. Null when it is neither. */
export function parseRetryAfterMs(text: string | null, nowMs: number): number | null {
  if (text === null) return null
  if (/^\d{1,9}$/.test(text.trim())) return Number(text.trim()) * second
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text.trim())
    ? Date.parse(text)
    : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}
