/** Feeds that are no longer in the settings are no fault: what was known of them is deleted. */

import { realNow, type Service } from '../../modules/service.ts'
import { writeFeedStates } from './feed-states-sql.ts'

export async function forgetFeeds(
  service: Service,
  environments: readonly { readonly isSandbox: boolean }[],
): Promise<void> {
  for (const isSandbox of [true, false]) {
    if (environments.some((environment) => environment.isSandbox === isSandbox)) continue
    await writeFeedStates(service.pool, { isSandbox, states: [], now: realNow(service) }).catch((error: unknown) => {
      service.metrics.jobFailed({ job: 'positions', error })
    })
  }
}
