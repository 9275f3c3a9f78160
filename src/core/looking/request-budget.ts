/**
 * How many requests a channel may send, and when. Each of its limits holds in every window of its length. Time in which
 * nothing was sent is saved up, to a bound: urgent requests may spend all that is saved, calm ones a part of it.
 */

import { unreachable } from '../values/unreachable.ts'

/** The maximum number of requests in any second, minute, hour and day (24 hours). */
export interface RequestRate {
  readonly perSecond?: number | undefined
  readonly perMinute?: number | undefined
  readonly perHour?: number | undefined
  readonly perDay?: number | undefined
}

/** The maximum number of requests in a day and a month of UTC, whatever is waiting. */
export interface RequestCeiling {
  readonly perDay?: number | undefined
  readonly perMonth?: number | undefined
}

export interface RequestLimits {
  readonly rate: RequestRate
  /** The rate of a queue from which the answers come. */
  readonly queueRate?: RequestRate | undefined
  readonly ceiling: RequestCeiling
  /** Nobody has set a ceiling: it is the one for calls that cost money. */
  readonly isCeilingSupposed?: boolean
}

/** Where each call costs money and nobody has said how many may go out: few enough that a mistake stays small. */
const supposedCeiling: RequestCeiling = { perDay: 100 }

/** The ceiling that a profile gives. Calls that cost money always have one. */
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

/** The most urgent first. Stored as an index, beside what is asked about. */
export const urgencies = ['new', 'urgent', 'near', 'calm'] as const
export type Urgency = (typeof urgencies)[number]

/** What a channel has sent, as far as its limits need it. Stored in this form. */
export interface Spending {
  /** By window, in ms since 1970: when all that was sent will have been paid for, at the limit's own pace. */
  readonly paidAtMs: Readonly<Partial<Record<Window, number>>>
  /** The same for the queue. */
  readonly queuePaidAtMs?: Readonly<Partial<Record<Window, number>>>
  /** The day of UTC that `today` counts, in days since 1970. */
  readonly day: number
  readonly today: number
  /** Requests of the month that `day` is in. */
  readonly month: number
  /** When the last request was allowed, in ms since 1970. */
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
/**
 * The share of a limit that can be saved up at most. What is saved lowers the steady pace, so the share is small. A
 * day's is worth more.
 */
const savedShare: Readonly<Record<Window, number>> = {
  perSecond: 0.1,
  perMinute: 0.1,
  perHour: 0.1,
  perDay: 0.2,
}

export type Leave =
  /** `requests` may be fewer than were asked for. A caller that wants to send more asks for the rest one by one. */
  | { readonly kind: 'granted'; readonly requests: number; readonly spending: Spending }
  | { readonly kind: 'wait'; readonly untilMs: number }

/**
 * Whether these requests may go out now. If there are more of them than may ever go out at once, only that many are
 * granted.
 */
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
    // In any window, at most `burst` requests and one more each interval go out: never more than the limit.
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

/** The maximum number of requests that go out at once. */
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

/** What is spent of the current day and the current month. */
export function spentBy(spending: Spending, nowMs: number): Pick<Spending, 'day' | 'today' | 'month'> {
  const day = Math.floor(nowMs / windowMs.perDay)
  if (day === spending.day) return spending
  return { day, today: 0, month: monthOf(day) === monthOf(spending.day) ? spending.month : 0 }
}

function monthOf(day: number): string {
  return new Date(day * windowMs.perDay).toISOString().slice(0, 7)
}

/** When a ceiling that is reached allows requests again; null when none is reached. */
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

/** Until when nothing goes out because a ceiling is reached, ms since 1970; null when none is reached. */
export function ceilingEndMs(spending: Spending, ceiling: RequestCeiling, nowMs: number): number | null {
  return ceilingUntil(spentBy(spending, nowMs), ceiling, 1)
}

/**
 * Requests that were granted and not sent do not count towards a ceiling. The time that they took of the rate is not
 * given back.
 */
export function giveBack(spending: Spending, requests: number, nowMs: number): Spending {
  const { day, today, month } = spentBy(spending, nowMs)
  return { ...spending, day, today: Math.max(0, today - requests), month: Math.max(0, month - requests) }
}

/** Whether what was spent between `before` and `after` reached a ceiling. */
export function reachesCeiling(
  { before, after }: { readonly before: Spending; readonly after: Spending },
  ceiling: RequestCeiling,
  nowMs: number,
): boolean {
  return ceilingEndMs(after, ceiling, nowMs) !== null && ceilingEndMs(before, ceiling, nowMs) === null
}

/** The channel has failed so often in a row that it cannot be chance. */
export function isFailing(failures: number): boolean {
  return failures >= failuresMax
}

/** How long a channel is not asked that fails on whatever it is asked; null as long as the failures may be chance. */
export function breakMs(failures: number): number | null {
  return isFailing(failures) ? Math.min(60_000 * 2 ** Math.min(failures - failuresMax, 6), 3_600_000) : null
}
const failuresMax = 5
