/**
 * A rolling minute: the times of the accepted turns, the oldest first, at most as many as the limit. A turn counts for
 * 60 seconds from the moment it was taken, so no 60 seconds ever contain more than the limit. A refused turn does not
 * count.
 */

export const windowMs = 60_000

/** Changed by `takeTurns`. */
export interface RollingWindow {
  readonly accepted: number[]
}

export interface Taking {
  /** Milliseconds. The clock may jump, see `takeTurns`. */
  readonly nowMs: number
  /** Turns in 60 seconds. */
  readonly limit: number
  /** Turns that are wanted; as many as are free are taken. */
  readonly count: number
  /** Takes all of them or none. `count` must not be more than the limit. */
  readonly isWhole?: boolean
}

export interface Taken {
  readonly taken: number
  /** For each turn that was wanted and is not free: in how many milliseconds it is free, if nobody else takes it. */
  readonly laterMs: readonly number[]
}

/**
 * When a clock was put back, earlier turns lie in the future, and would block until the clock has caught up. They count
 * as taken now, which keeps the limit and lets nobody wait longer than a minute. A clock put forward forgets up to a
 * minute.
 */
export function takeTurns({ accepted }: RollingWindow, { nowMs, limit, count, isWhole }: Taking): Taken {
  const gone = accepted.findIndex((at) => at > nowMs - windowMs)
  accepted.splice(0, gone === -1 ? accepted.length : gone)
  for (let at = accepted.length - 1; at >= 0 && (accepted[at] ?? 0) > nowMs; at -= 1) accepted[at] = nowMs
  const free = Math.max(0, Math.min(count, limit - accepted.length))
  const taken = isWhole === true && free < count ? 0 : free
  for (let turn = 0; turn < taken; turn += 1) accepted.push(nowMs)
  const wanted = count - free
  const surplus = Math.max(0, accepted.length - limit)
  const agesMs = accepted.slice(0, surplus + Math.min(wanted, limit)).map((at) => nowMs - at)
  return { taken, laterMs: laterTurns(agesMs.slice(surplus), { limit, count: wanted }) }
}

/** How many turns were taken in the last 60 seconds. `times` and now in one unit, of which a minute has `minute`. */
export function countRecent(times: readonly number[], now: number, minute: number): number {
  // A time in the future counts as now, as in `takeTurns`.
  return times.filter((at) => at > now - minute).length
}

/**
 * When turns become free in a window that is full: each a minute after one that was taken, the oldest first, and then
 * round again. `agesMs`: how long ago those were taken, without the surplus in front of them that a lowered limit
 * leaves.
 */
export function laterTurns(
  agesMs: readonly number[],
  { limit, count }: { readonly limit: number; readonly count: number },
): readonly number[] {
  return Array.from({ length: count }, (_, turn) => {
    const ageMs = agesMs[turn % limit] ?? 0
    return windowMs * (1 + Math.floor(turn / limit)) - ageMs
  })
}
