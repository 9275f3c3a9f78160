/** How urgent it is to fetch a container, for every door that shows it. */

import { earliestLfd } from '../../../core/shown/free-time.ts'
import { type Asking, type Urgency, urgencyOf } from '../../../core/shown/urgency.ts'
import type { ContainerReading } from '../../../store/read/containers.ts'
import { inlandMomentsOf } from './moments.ts'

type Reading = Pick<ContainerReading, 'projection' | 'happened'>

export function urgencyOfContainer(reading: Reading, asking: Asking, now: string): Urgency {
  const isPickedUp = reading.happened.some(({ name }) => name === 'full_out')
  const { pickupTimeZone } = reading.projection
  return urgencyOf({ isPickedUp, first: findEarliestLfd(reading), pickupTimeZone, asking, now })
}

/** The last free day that ends first counts, whichever source gave it: the box must be gone by then. */
export function findEarliestLfd(reading: Reading): ReturnType<typeof earliestLfd> {
  const { freeTime, pickupTimeZone } = reading.projection
  const { loaded, departed } = inlandMomentsOf(reading)
  return earliestLfd(freeTime, { pickupTimeZone, isOnRail: (loaded ?? departed) !== undefined })
}
