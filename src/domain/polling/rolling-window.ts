/**
 * A rolling minute: the times of the accepted slots, the oldest first, at most as many as the limit. A slot counts for
 * 60 seconds from the moment it was acquired, so no 60 seconds ever contain more than the limit. A refused slot does
 * not count.
 */

export const windowMs = 60_000

/** Changed by `acquireQuotaSlots`. */
export interface RollingWindow {
  readonly accepted: number[]
}

export interface QuotaRequest {
  /** Milliseconds. The clock may jump, see `acquireQuotaSlots`. */
  readonly nowMs: number
  /** Slots in 60 seconds. */
  readonly limit: number
  /** Requested slots; as many as are free are acquired. */
  readonly count: number
  /** Acquires all of them or none. `count` must not be more than the limit. */
  readonly isWhole?: boolean
}

export interface AcquiredSlots {
  readonly acquired: number
  /** For each requested slot that is not free: in how many milliseconds it is free, if nobody else acquires it. */
  readonly laterMs: readonly number[]
}

/**
 * When a clock was set back, earlier slots are in the future, and would block until the clock has caught up. They count
 * as acquired now. So the limit holds, and nobody waits longer than a minute. A clock that was set forward forgets up
 * to a minute.
 */
export function acquireQuotaSlots(
  { accepted }: RollingWindow,
  { nowMs, limit, count, isWhole }: QuotaRequest,
): AcquiredSlots {
  const firstRecent = accepted.findIndex((at) => at > nowMs - windowMs)
  accepted.splice(0, firstRecent === -1 ? accepted.length : firstRecent)
  for (let at = accepted.length - 1; at >= 0 && (accepted[at] ?? 0) > nowMs; at -= 1) accepted[at] = nowMs
  const free = Math.max(0, Math.min(count, limit - accepted.length))
  const acquired = isWhole === true && free < count ? 0 : free
  for (let slotIndex = 0; slotIndex < acquired; slotIndex += 1) accepted.push(nowMs)
  const wanted = count - free
  const surplus = Math.max(0, accepted.length - limit)
  const agesMs = accepted.slice(0, surplus + Math.min(wanted, limit)).map((at) => nowMs - at)
  return { acquired, laterMs: laterQuotaSlots(agesMs.slice(surplus), { limit, count: wanted }) }
}

/** How many slots were acquired in the last 60 seconds. `times` and now in one unit, of which a minute has `minute`. */
export function countRecent(times: readonly number[], now: number, minute: number): number {
  // A time in the future counts as now, as in `acquireQuotaSlots`.
  return times.filter((at) => at > now - minute).length
}

/**
 * When slots become free in a window that is full: each a minute after one that was acquired, the oldest first, and
 * then round again. `agesMs`: how long ago those were acquired, without the surplus in front of them that a lowered
 * limit leaves.
 */
export function laterQuotaSlots(
  agesMs: readonly number[],
  { limit, count }: { readonly limit: number; readonly count: number },
): readonly number[] {
  return Array.from({ length: count }, (_, slotIndex) => {
    const ageMs = agesMs[slotIndex % limit] ?? 0
    return windowMs * (1 + Math.floor(slotIndex / limit)) - ageMs
  })
}
