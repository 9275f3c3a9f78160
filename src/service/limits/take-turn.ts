/** A request takes its turn in its bucket, before it does anything else; every door asks here, so all share one limit. */

import type { Context } from '../context.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import type { Bucket } from './buckets.ts'
import { limiterOf } from './limiter.ts'

/**
 * Refuses with `rate_limited` and a waiting time. The time is enough unless other requests of the account take what
 * becomes free. `count`: for a request that is as much work as this many requests. A refusal takes no turn, and a count
 * above the limit takes all turns of the minute.
 */
export async function takeTurn(
  service: Service,
  context: Context,
  { bucket, count = 1 }: { readonly bucket: Bucket; readonly count?: number },
): Promise<void> {
  const accountId = context.account.id
  const { taken, laterMs } = await limiterOf(service).take({ accountId, bucket, count, isWhole: true })
  if (taken > 0) return
  const waitS = wholeSeconds(laterMs.at(-1) ?? 0)
  service.metrics.limitsRefused({ bucket, accountId, requestId: context.requestId })
  throw rateLimited(waitS)
}

export interface ReservedTurns {
  /** How many of the wanted turns may go now, counted from the first. */
  readonly taken: number
  /** For each of the other turns: in how many seconds it comes at the earliest. These turns are not reserved yet. */
  readonly laterSeconds: readonly number[]
}

/**
 * Takes as many turns as are free, up to `upTo`. Never refuses: a batch does now what it may, and the rest when its
 * turns come.
 */
export async function reserveTurns(
  service: Service,
  context: Context,
  { bucket, upTo }: { readonly bucket: Bucket; readonly upTo: number },
): Promise<ReservedTurns> {
  const { taken, laterMs } = await limiterOf(service).take({
    accountId: context.account.id,
    bucket,
    count: upTo,
  })
  return { taken, laterSeconds: laterMs.map(wholeSeconds) }
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000))
}

const tooOften =
  'Too many requests in the last 60 seconds. Ask less often (the `Retry-After` header says when to come again), ask support for a higher limit, or use webhooks instead of polling.'

export function rateLimited(retryAfterSeconds: number, detail = tooOften): ServiceError {
  return new ServiceError('rate_limited', detail, { retryAfterSeconds })
}
