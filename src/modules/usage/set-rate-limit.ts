/** The operator gives an account limits of its own, or removes them. No account can do this for itself. */

import { deleteRateLimit, listRateLimits, putRateLimit } from '../../db/rate-windows.ts'
import { notFound, ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { type Bucket, buckets } from './buckets.ts'

export const perMinuteMax = 1_000_000

/**
 * `perMinute`: 0 means no limit; null removes the account's own limit, so that the setting applies. In force within
 * five seconds.
 */
export async function setRateLimit(
  service: Service,
  input: { readonly accountId: string; readonly bucket: Bucket; readonly perMinute: number | null },
): Promise<void> {
  const { accountId, bucket, perMinute } = input
  if (perMinute === null) {
    await deleteRateLimit(service.pool, { accountId, bucket })
  } else {
    if (!Number.isInteger(perMinute) || perMinute < 0 || perMinute > perMinuteMax) {
      throw new ServiceError('invalid', `A limit is a whole number from 0 to ${perMinuteMax}.`)
    }
    const isThere = await putRateLimit(service.pool, {
      accountId,
      bucket,
      perMinute,
      updatedAt: realNow(service),
    })
    if (!isThere) throw notFound('account')
  }
  service.log.info('limits.changed', { accountId, bucket, perMinute })
}

export interface OwnRateLimit {
  readonly accountId: string
  readonly companyName: string
  readonly bucket: Bucket
  readonly perMinute: number
}

export async function listOwnRateLimits(service: Service): Promise<readonly OwnRateLimit[]> {
  const limits = await listRateLimits(service.pool)
  return limits.flatMap(({ bucket, ...limit }) => {
    const known = buckets.find((each) => each === bucket)
    return known === undefined ? [] : [{ ...limit, bucket: known }]
  })
}
