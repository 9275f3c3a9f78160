/**
 * How many requests a channel may send, and when: each of its limits is held in every window of its length, and time in which
 * nothing was sent is saved up, to a bound. What is urgent may spend all that is saved, what is calm a part of it.
 */

import { unreachable } from '../values/unreachable.ts'

/** So many requests in any second, minute, hour and day (24 hours). */
export interface RequestRate {
  readonly perSecond?: number | undefined
  readonly perMinute?: number | undefined
  readonly perHour?: number | undefined
  readonly perDay?: number | undefined
}

/** Where it ends, whatever is waiting: so many in a day and a month of UTC. */
export interface RequestCeiling {
  readonly perDay?: number | undefined
  readonly perMonth?: number | undefined
}

export interface RequestLimits {
  readonly rate: RequestRate
  /** Of a queue from which the answers come. */
  readonly queueRate?: RequestRate | undefined
  readonly ceiling: RequestCeiling
  /** Nobody has said where it ends: the ceiling is the one for calls that cost. */
  readonly isCeilingSupposed?: boolean
}

/** Where each call costs and nobody has said how many may go out: so many that a mistake stays small. */
const supposedCeiling: RequestCeiling = { perDay: 100 }

/** What a profile says of where it ends: calls that cost never go on without end. */
export function ceilingOf({
  ceiling = {},
  isBilled = false,
}: {
  readonly ceiling?: RequestCeiling | undefined
  readonly isBilled?: boolean | undefined
}): Pick<RequestLimits, 'ceiling' | 'isCeilingSupposed'> {
  const isSaid = ceiling.perDay !== undefined || ceiling.perMonth !== undefined
  return isSaid || !isBilled ? { ceiling } : { ceiling: supposedCeiling, isCeilingSupposed: true }
}

/** The most urgent first. Kept with what is asked about, by number. */
export const urgencies = ['new', 'urgent', 'near', 'calm'] as const
export type Urgency = (typeof urgencies)[number]

/** What a channel has sent, as far as its limits need it. Kept as it is. */
export interface Spending {
  /** By window, in ms since 1970: when all that was sent has been paid for at the limit's own pace. */
  readonly paidAtMs: Readonly<Partial<Record<Window, number>>>
  /** The same of the queue. */
  readonly queuePaidAtMs?: Readonly<Partial<Record<Window, number>>>
  /** The day of UTC that `today` is of, in days since 1970. */
  readonly day: number
  readonly today: number
  /** Of the month that `day` is in. */
  readonly month: number
  /** When the last of them was let go, in ms since 1970. */
  readonly lastMs?: number
}

export const nothingSpent: Spending = { paidAtMs: {}, day: 0, today: 0, month: 0 }

const windows = ['perSecond', 'perMinute', 'perHour', 'perDay'] as const
type Window = (typeof windows)[number]
const windowMs: Readonly<Record<Window, number>> = {
  perSecond: 1_000,
  perMinute: 60_000,
  perHour: 3_600_000,
  perDay: 86_400_000,
}
/** How much of a limit is saved up at most. What is saved is taken off the steady pace, so it is little; a day's is worth more. */
const savedShare: Readonly<Record<Window, number>> = {
  perSecond: 0.1,
  perMinute: 0.1,
  perHour: 0.1,
  perDay: 0.2,
}

export type Leave =
  /** So many of them; who wants to send more asks for the rest one by one. */
  | { readonly kind: 'granted'; readonly requests: number; readonly spending: Spending }
  | { readonly kind: 'wait'; readonly untilMs: number }

/** Whether so many requests, or as many of them as may ever go out at once, may go out now. */
export function askLeave(
  spending: Spending,
  limits: RequestLimits,
  of: {
    readonly nowMs: number
    readonly requests: number
    readonly urgency: Urgency
    readonly place?: 'source' | 'queue'
  },
): Leave {
  const { nowMs, urgency } = of
  const { ceiling } = limits
  const isOfQueue = of.place === 'queue'
  const rate = isOfQueue ? (limits.queueRate ?? {}) : limits.rate
  const paidBefore = isOfQueue ? (spending.queuePaidAtMs ?? {}) : spending.paidAtMs
  let requests = Math.min(of.requests, ceiling.perDay ?? Infinity, ceiling.perMonth ?? Infinity)
  for (const window of windows) requests = Math.min(requests, burstOf(rate[window], window))
  const before = spentBy(spending, nowMs)
  let untilMs = ceilingUntil(before, ceiling, requests) ?? nowMs
  const paidAtMs: Partial<Record<Window, number>> = {}
  for (const window of windows) {
    const limit = rate[window]
    if (limit === undefined) continue
    const burst = burstOf(limit, window)
    // In any window at most `burst` and one each interval: never more than the limit.
    const intervalMs = windowMs[window] / Math.max(1, limit - burst)
    const owedUntil = Math.max(paidBefore[window] ?? 0, nowMs)
    const atOnce = Math.max(requests, Math.floor(burst * shareOf(urgency)))
    untilMs = Math.max(untilMs, Math.ceil(owedUntil - (atOnce - requests) * intervalMs))
    paidAtMs[window] = owedUntil + requests * intervalMs
  }
  if (untilMs > nowMs) return { kind: 'wait', untilMs }
  const { day, today, month } = before
  const paid = isOfQueue ? { queuePaidAtMs: paidAtMs } : { paidAtMs }
  const after = { ...spending, ...paid, day, today: today + requests, month: month + requests, lastMs: nowMs }
  return { kind: 'granted', requests, spending: after }
}

/** So many go out at once at most. */
function burstOf(limit: number | undefined, window: Window): number {
  return limit === undefined ? Infinity : Math.max(1, Math.floor(limit * savedShare[window]))
}

function shareOf(urgency: Urgency): number {
  switch (urgency) {
    case 'new':
      return 1
    case 'urgent':
      return 0.8
    case 'near':
      return 0.6
    case 'calm':
      return 0.4
    default:
      return unreachable(urgency)
  }
}

/** What is spent of the day and the month that now are. */
export function spentBy(spending: Spending, nowMs: number): Pick<Spending, 'day' | 'today' | 'month'> {
  const day = Math.floor(nowMs / windowMs.perDay)
  if (day === spending.day) return spending
  return { day, today: 0, month: monthOf(day) === monthOf(spending.day) ? spending.month : 0 }
}

function monthOf(day: number): string {
  return new Date(day * windowMs.perDay).toISOString().slice(0, 7)
}

/** When a ceiling lets requests out again; null where none is reached. */
function ceilingUntil(
  { day, today, month }: Pick<Spending, 'day' | 'today' | 'month'>,
  ceiling: RequestCeiling,
  requests: number,
): number | null {
  if (ceiling.perMonth !== undefined && month + requests > ceiling.perMonth) {
    const date = new Date(day * windowMs.perDay)
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
  }
  const isReached = ceiling.perDay !== undefined && today + requests > ceiling.perDay
  return isReached ? (day + 1) * windowMs.perDay : null
}

/** Until when nothing goes out because a ceiling is reached, ms since 1970; null where none is. */
export function ceilingEndMs(spending: Spending, ceiling: RequestCeiling, nowMs: number): number | null {
  return ceilingUntil(spentBy(spending, nowMs), ceiling, 1)
}

/** What was paid for and not sent does not count towards a ceiling; the time that it took is not given back. */
export function giveBack(spending: Spending, requests: number, nowMs: number): Spending {
  const { day, today, month } = spentBy(spending, nowMs)
  return { ...spending, day, today: Math.max(0, today - requests), month: Math.max(0, month - requests) }
}

/** Whether a ceiling was reached by what was spent between the two. */
export function reachesCeiling(
  { before, after }: { readonly before: Spending; readonly after: Spending },
  ceiling: RequestCeiling,
  nowMs: number,
): boolean {
  return ceilingEndMs(after, ceiling, nowMs) !== null && ceilingEndMs(before, ceiling, nowMs) === null
}

/** It has failed so often in a row that it is no chance. */
export function isFailing(failures: number): boolean {
  return failures >= failuresMax
}

/** How long a channel is left alone that fails whatever it is asked; null as long as it may be chance. */
export function breakMs(failures: number): number | null {
  return isFailing(failures) ? Math.min(60_000 * 2 ** Math.min(failures - failuresMax, 6), 3_600_000) : null
}
const failuresMax = 5
