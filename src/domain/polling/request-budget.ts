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
export interface RequestQuota {
  readonly perDay?: number | undefined
  readonly perMonth?: number | undefined
}

export interface RequestLimits {
  readonly rate: RequestRate
  /** The rate of a queue from which the answers come. */
  readonly queueRate?: RequestRate | undefined
  readonly quota: RequestQuota
  /** The profile sets no quota: this is the default for calls that cost money. */
  readonly isQuotaDefault?: boolean
}

/** The default where each call costs money and the profile sets no quota: so small that a mistake costs little. */
const defaultQuota: RequestQuota = { perDay: 100 }

/** The quota that a profile sets. Calls that cost money always have one. */
export function quotaOf({
  ceiling = {},
  isBilled = false,
}: {
  readonly ceiling?: RequestQuota | undefined
  readonly isBilled?: boolean | undefined
}): Pick<RequestLimits, 'quota' | 'isQuotaDefault'> {
  const isStated = ceiling.perDay !== undefined || ceiling.perMonth !== undefined
  return isStated || !isBilled ? { quota: ceiling } : { quota: defaultQuota, isQuotaDefault: true }
}

/** The most urgent first. Stored as an index, beside the poll target. */
export const urgencies = ['new', 'urgent', 'near', 'calm'] as const
export type Urgency = (typeof urgencies)[number]

/** What a channel has sent, as far as its limits need it. Stored in this form. */
export interface RequestUsage {
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

export const noUsage: RequestUsage = { paidAtMs: {}, day: 0, today: 0, month: 0 }

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

export type RequestPermit =
  /** `requests` may be fewer than requested. A caller that wants to send more requests the rest one by one. */
  | { readonly kind: 'granted'; readonly requests: number; readonly usage: RequestUsage }
  | { readonly kind: 'wait'; readonly untilMs: number }

/**
 * Whether these requests may go out now. If there are more of them than may ever go out at once, only that many are
 * granted.
 */
export function requestPermit(
  usage: RequestUsage,
  limits: RequestLimits,
  of: {
    readonly nowMs: number
    readonly requests: number
    readonly urgency: Urgency
    readonly place?: 'source' | 'queue'
  },
): RequestPermit {
  const { nowMs, urgency } = of
  const { quota } = limits
  const isOfQueue = of.place === 'queue'
  const rate = isOfQueue ? (limits.queueRate ?? {}) : limits.rate
  const paidBefore = isOfQueue ? (usage.queuePaidAtMs ?? {}) : usage.paidAtMs
  let requests = Math.min(of.requests, quota.perDay ?? Infinity, quota.perMonth ?? Infinity)
  for (const window of windows) requests = Math.min(requests, burstOf(rate[window], window))
  const before = currentUsage(usage, nowMs)
  let untilMs = quotaBlockedUntil(before, quota, requests) ?? nowMs
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
  const after = { ...usage, ...paid, day, today: today + requests, month: month + requests, lastMs: nowMs }
  return { kind: 'granted', requests, usage: after }
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
export function currentUsage(usage: RequestUsage, nowMs: number): Pick<RequestUsage, 'day' | 'today' | 'month'> {
  const day = Math.floor(nowMs / windowMs.perDay)
  if (day === usage.day) return usage
  return { day, today: 0, month: monthOf(day) === monthOf(usage.day) ? usage.month : 0 }
}

function monthOf(day: number): string {
  return new Date(day * windowMs.perDay).toISOString().slice(0, 7)
}

/** When a quota that is used up allows requests again; null when none is used up. */
function quotaBlockedUntil(
  { day, today, month }: Pick<RequestUsage, 'day' | 'today' | 'month'>,
  quota: RequestQuota,
  requests: number,
): number | null {
  if (quota.perMonth !== undefined && month + requests > quota.perMonth) {
    const date = new Date(day * windowMs.perDay)
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
  }
  const isReached = quota.perDay !== undefined && today + requests > quota.perDay
  return isReached ? (day + 1) * windowMs.perDay : null
}

/** Until when nothing is sent because a quota is used up, ms since 1970; null when none is used up. */
export function quotaResetMs(usage: RequestUsage, quota: RequestQuota, nowMs: number): number | null {
  return quotaBlockedUntil(currentUsage(usage, nowMs), quota, 1)
}

/** Requests that were granted and not sent do not count towards a quota. Their share of the rate is not given back. */
export function returnUnsentRequests(usage: RequestUsage, requests: number, nowMs: number): RequestUsage {
  const { day, today, month } = currentUsage(usage, nowMs)
  return { ...usage, day, today: Math.max(0, today - requests), month: Math.max(0, month - requests) }
}

/** Whether the requests between `before` and `after` used up a quota. */
export function exhaustsQuota(
  { before, after }: { readonly before: RequestUsage; readonly after: RequestUsage },
  quota: RequestQuota,
  nowMs: number,
): boolean {
  return quotaResetMs(after, quota, nowMs) !== null && quotaResetMs(before, quota, nowMs) === null
}

/** The channel has failed so often in a row that it cannot be chance. */
export function isFailing(failures: number): boolean {
  return failures >= failuresMax
}

/** How long a channel is not polled that fails on every poll; null as long as the failures may be chance. */
export function failurePauseMs(failures: number): number | null {
  return isFailing(failures) ? Math.min(60_000 * 2 ** Math.min(failures - failuresMax, 6), 3_600_000) : null
}
const failuresMax = 5
