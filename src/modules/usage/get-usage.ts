/**
 * How much the account uses: requests of the last minute beside their limits, and what was made in this month and the
 * twelve before. What is older than a day is counted once and stored, so that a request counts the rows of a day and no
 * more.
 */

import { type Context, requireScope } from '../access/context.ts'
import { journeyNow, type Service } from '../service.ts'
import type { Bucket } from './buckets.ts'
import { limiterOf } from './limiter.ts'
import { addUsage, countUsage, readUsageMonths, type UsageCounts, type UsageMonth } from './usage-sql.ts'

export interface UsageReading {
  readonly type: 'usage'
  /** That of the account. */
  readonly id: string
  /** ISO instant, on the clock of the account's journeys. */
  readonly at: string
  readonly limits: readonly {
    readonly bucket: Bucket
    /** Null: there is no limit, and nothing is counted. */
    readonly perMinute: number | null
    readonly used: number | null
  }[]
  /** This month first. */
  readonly months: readonly (UsageCounts & {
    readonly month: string
    /** False: one request could not count everything. The next request continues. */
    readonly isComplete: boolean
  })[]
}

const monthsBefore = 12
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Newer rows may not be committed yet, or may change, and are counted again each time. */
const finalAfterMs = dayMs
/** Counting ends after this long. */
const countingMs = 1_000
const none: UsageCounts = {
  trackingRequests: 0,
  shipments: 0,
  containers: 0,
  events: 0,
  deliveries: 0,
  documents: 0,
  documentBytes: 0,
}

export async function getUsage(service: Service, context: Context): Promise<UsageReading> {
  requireScope(context, 'read')
  const { id: accountId, isSandbox } = context.account
  const at = journeyNow(service, isSandbox)
  const held = await limiterOf(service).held(accountId)
  const starts = Array.from({ length: monthsBefore + 1 }, (_, back) => monthStart(at, -back))
  const since = (starts.at(-1) ?? at).slice(0, 10)
  const stored = new Map((await readUsageMonths(service.pool, { accountId, since })).map((each) => [each.month, each]))
  const startedMs = performance.now()
  const months: UsageReading['months'][number][] = []
  for (const start of starts) {
    const month = start.slice(0, 10)
    const before = stored.get(month) ?? { ...none, month, countedTo: start }
    const isInTime = performance.now() - startedMs < countingMs
    months.push(
      isInTime
        ? { ...(await continueCount(service, accountId, before, at)), isComplete: true }
        : { ...before, isComplete: isFinal(before, at) },
    )
  }
  return { type: 'usage', id: accountId, at, limits: held, months }
}

/** Continues the stored count, stores the final part of it, and returns the total. */
async function continueCount(service: Service, accountId: string, before: UsageMonth, at: string): Promise<UsageMonth> {
  const end = monthStart(`${before.month}T00:00:00.000Z`, 1)
  const finalTo = lastFinalHour(end, at)
  let known = before
  if (finalTo > before.countedTo) {
    const range = { accountId, from: before.countedTo, to: finalTo }
    const counts = await countUsage(service.pool, range)
    await addUsage(service.pool, { ...range, month: before.month, counts })
    known = { ...before, ...sumOf(before, counts), countedTo: finalTo }
  }
  if (known.countedTo >= end) return known
  const live = await countUsage(service.pool, { accountId, from: known.countedTo, to: end })
  return { ...known, ...sumOf(known, live) }
}

function isFinal({ month, countedTo }: UsageMonth, at: string): boolean {
  const end = monthStart(`${month}T00:00:00.000Z`, 1)
  return countedTo >= end && lastFinalHour(end, at) >= end
}

/** A whole hour, so that the row is written once an hour at most. */
function lastFinalHour(end: string, at: string): string {
  const ms = Math.floor((Date.parse(at) - finalAfterMs) / hourMs) * hourMs
  return new Date(Math.min(ms, Date.parse(end))).toISOString()
}

/** The first moment of the month in UTC that is this many months after that of `at`. */
function monthStart(at: string, months: number): string {
  const day = new Date(at)
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1)).toISOString()
}

function sumOf(a: UsageCounts, b: UsageCounts): UsageCounts {
  return {
    trackingRequests: a.trackingRequests + b.trackingRequests,
    shipments: a.shipments + b.shipments,
    containers: a.containers + b.containers,
    events: a.events + b.events,
    deliveries: a.deliveries + b.deliveries,
    documents: a.documents + b.documents,
    documentBytes: a.documentBytes + b.documentBytes,
  }
}
