/** A request uses a slot of its bucket before it does anything else; every API calls this, so all share one limit. */

import type { Context } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import type { Bucket } from './buckets.ts'
import { limiterOf } from './limiter.ts'

/**
 * Refuses with `rate_limited` and a waiting time. The time is enough unless other requests of the account use what
 * becomes free. `count`: for a request that is as much work as this many requests. A refusal uses no slot, and a count
 * above the limit uses all slots of the minute.
 */
export async function acquireQuotaSlot(
  service: Service,
  context: Context,
  { bucket, count = 1 }: { readonly bucket: Bucket; readonly count?: number },
): Promise<void> {
  const accountId = context.account.id
  const { acquired, laterMs } = await limiterOf(service).take({ accountId, bucket, count, isWhole: true })
  if (acquired > 0) return
  const waitS = wholeSeconds(laterMs.at(-1) ?? 0)
  service.metrics.limitsRefused({ bucket, accountId, requestId: context.requestId })
  throw rateLimited(waitS)
}

export interface ReservedSlots {
  /** How many of the wanted slots may be used now, counted from the first. */
  readonly acquired: number
  /** For each of the other slots: in how many seconds it is free at the earliest. These slots are not reserved yet. */
  readonly laterSeconds: readonly number[]
}

/**
 * Uses as many slots as are free, up to `upTo`. Never refuses: a batch does now what it may, and the rest when slots
 * are free again.
 */
export async function reserveQuotaSlots(
  service: Service,
  context: Context,
  { bucket, upTo }: { readonly bucket: Bucket; readonly upTo: number },
): Promise<ReservedSlots> {
  const { acquired, laterMs } = await limiterOf(service).take({
    accountId: context.account.id,
    bucket,
    count: upTo,
  })
  return { acquired, laterSeconds: laterMs.map(wholeSeconds) }
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000))
}

const tooOften =
  'Too many requests in the last 60 seconds. Ask less often (the `Retry-After` header says when to come again), ask support for a higher limit, or use webhooks instead of polling.'

export function rateLimited(retryAfterSeconds: number, detail = tooOften): ServiceError {
  return new ServiceError('rate_limited', detail, { retryAfterSeconds })
}
