/**
 * Lists of reference data are read from the database. At a first start, or with a new version, it is filled in the
 * background while requests come.
 */

import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { isReferenceLoaded } from './load-shipped.ts'

/** Databases that were seen to be filled: they stay so. */
const filled = new WeakSet<object>()

/** A reader would mistake half a list for a complete one, so the list is refused until it is complete. */
export async function requireReference(service: Service): Promise<void> {
  if (filled.has(service.pool)) return
  if (!(await isReferenceLoaded(service.pool)))
    throw new ServiceError(
      'unavailable',
      'The lists of places, terminals and ships are being loaded. Try again in a few seconds.',
    )
  filled.add(service.pool)
}
