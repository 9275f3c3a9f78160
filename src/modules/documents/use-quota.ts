/** How much an account may send each day, so that no account fills the disk of all. */

import type { Pool } from '../../db/database.ts'
import { ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { consumeByteQuota, releaseBytes } from './loose-files-sql.ts'

const mb = 1_048_576

/** Throws 429 when it is too much for this day. The result gives the bytes back, where nothing was stored. */
export async function useQuota(
  service: Service,
  of: { readonly accountId: string; readonly bytes: number },
): Promise<() => Promise<void>> {
  const { mbPerDay } = service.config.documents
  const now = realNow(service)
  const used = { ...of, day: now.slice(0, 10) }
  const pool: Pool = service.pool
  if (await consumeByteQuota(pool, { ...used, bytesMax: mbPerDay * mb })) return () => releaseBytes(pool, used)
  throw new ServiceError(
    'rate_limited',
    `This account has sent ${mbPerDay} MB of documents today (UTC), the maximum for one day.`,
    { retryAfterSeconds: secondsToMidnight(now) },
  )
}

function secondsToMidnight(now: string): number {
  return Math.max(1, Math.ceil((86_400_000 - (Date.parse(now) % 86_400_000)) / 1_000))
}
