/** After a crash: the work that the dead process had taken is due again at once. */

import { releaseAllLeases } from '../../../store/leases.ts'
import { realNow, type Service } from '../../service.ts'

/** For the only process on its database, before its workers start: whatever is leased was leased by one that is dead. */
export async function releaseLeasesOfTheDead(service: Service): Promise<void> {
  const released = await releaseAllLeases(service.pool, realNow(service))
  if (released > 0) service.log.info('leases.released', { released })
}
