/** After a crash: the work that the dead process had taken is due again at once. */

import { releaseAllLeases } from '../../../store/ground/leases.ts'
import { realNow, type Service } from '../../service.ts'

/**
 * Only for a process that is alone on its database, before its workers start: then every lease belongs to a dead
 * process.
 */
export async function releaseLeasesOfTheDead(service: Service): Promise<void> {
  const released = await releaseAllLeases(service.pool, realNow(service))
  if (released > 0) service.log.info('leases.released', { released })
}
