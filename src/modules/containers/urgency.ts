/** How urgent it is to fetch a container, for every API that shows it. */

import { earliestLfd } from '../../domain/view/free-time.ts'
import { type PollStatus, type Urgency, urgencyOf } from '../../domain/view/urgency.ts'
import type { ContainerReading } from './list-containers-sql.ts'
import { inlandMomentsOf } from './moments.ts'

type Reading = Pick<ContainerReading, 'projection' | 'happened'>

export function urgencyOfContainer(reading: Reading, polling: PollStatus, now: string): Urgency {
  const isPickedUp = reading.happened.some(({ name }) => name === 'full_out')
  const { pickupTimeZone } = reading.projection
  return urgencyOf({ isPickedUp, first: findEarliestLfd(reading), pickupTimeZone, pollStatus: polling, now })
}

/** The last free day that ends first counts, from any source: the container must be picked up by then. */
export function findEarliestLfd(reading: Reading): ReturnType<typeof earliestLfd> {
  const { freeTime, pickupTimeZone } = reading.projection
  const { loaded, departed } = inlandMomentsOf(reading)
  return earliestLfd(freeTime, { pickupTimeZone, isOnRail: (loaded ?? departed) !== undefined })
}
