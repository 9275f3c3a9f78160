/** Feeds that are no longer in the settings are no fault: what was known of them is deleted. */

import type { Service } from '../../modules/service.ts'
import { deleteFeedStates } from './feed-states-sql.ts'

export async function forgetFeeds(
  service: Service,
  environments: readonly { readonly isSandbox: boolean }[],
): Promise<void> {
  const absent = [true, false].filter((isSandbox) => !environments.some((each) => each.isSandbox === isSandbox))
  if (absent.length === 0) return
  await deleteFeedStates(service.pool, absent).catch((error: unknown) => {
    service.metrics.jobFailed({ job: 'positions', error })
  })
}
