/** How much an account may send each day, so that no account fills the disk of all. */

import type { Pool } from '../../../store/database.ts'
import { giveBackBytes, takeBytes } from '../../../store/inbound/loose-files.ts'
import { ServiceError } from '../../errors.ts'
import { realNow, type Service } from '../../service.ts'

const mb = 1_048_576

/** Throws 429 when it is too much for this day. The result gives the bytes back, where nothing was kept after all. */
export async function takeQuota(
  service: Service,
  of: { readonly accountId: string; readonly bytes: number },
): Promise<() => Promise<void>> {
  const { mbPerDay } = service.config.documents
  const now = realNow(service)
  const taken = { ...of, day: now.slice(0, 10) }
  const pool: Pool = service.pool
  if (await takeBytes(pool, { ...taken, bytesMax: mbPerDay * mb })) return () => giveBackBytes(pool, taken)
  throw new ServiceError(
    'rate_limited',
    `The documents of this account that were handed in today (UTC) have ${mbPerDay} MB, which is the most for a day.`,
    { retryAfterSeconds: secondsToMidnight(now) },
  )
}

function secondsToMidnight(now: string): number {
  return Math.max(1, Math.ceil((86_400_000 - (Date.parse(now) % 86_400_000)) / 1_000))
}
