/** Lists of reference data are read from the database, which a first start or a new version fills behind the requests. */

import { ServiceError } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { isReferenceLoaded } from './load-shipped.ts'

/** Databases that were seen to be filled: they stay so. */
const filled = new WeakSet<object>()

/** Half a list would be taken for a whole one, so there is none until it is whole. */
export async function requireReference(service: Service): Promise<void> {
  if (filled.has(service.pool)) return
  if (!(await isReferenceLoaded(service.pool)))
    throw new ServiceError(
      'unavailable',
      'The lists of places, terminals and ships are being loaded. Try again in a few seconds.',
    )
  filled.add(service.pool)
}
