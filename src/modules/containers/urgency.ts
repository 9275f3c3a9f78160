/** Until when a container is free of charge, and how urgent it is to fetch it, for every API that shows it. */

import { type FreeDay, type FreeTimeContext, freeDaysOf, hasLeftByRail } from '../../domain/view/free-time.ts'
import { type PollStatus, type Urgency, urgencyOf } from '../../domain/view/urgency.ts'
import type { ContainerReading } from './list-containers-sql.ts'

type Reading = Pick<ContainerReading, 'projection' | 'happened' | 'status' | 'calculatedFreeDays'>

export function urgencyOfContainer(reading: Reading, polling: PollStatus, now: string): Urgency {
  const isPickedUp = reading.happened.some(({ name }) => name === 'full_out')
  const { pickupTimeZone } = reading.projection
  return urgencyOf({ isPickedUp, first: freeUntilOf(reading), pickupTimeZone, pollStatus: polling, now })
}

/** The last free day that counts: the container must be picked up by then. */
export function freeUntilOf(reading: Reading): FreeDay | null {
  return freeDaysOf(reading.projection, freeTimeContextOf(reading))[0] ?? null
}

export function freeTimeContextOf({ status, happened, calculatedFreeDays }: Reading): FreeTimeContext {
  const names = happened.map(({ name }) => name)
  return { hasLeftByRail: hasLeftByRail(status, names), calculatedFreeDays }
}
