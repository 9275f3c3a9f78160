/** When each milestone of a container happened, for every door that shows one time for each of them. */

import type { MilestoneName } from '../core/projection.ts'
import { type EventTime, instantOf } from '../core/time.ts'
import type { ContainerReading } from '../store/read/containers.ts'

export interface Moment {
  /** ISO 8601 UTC. */
  readonly at: string
  readonly time: EventTime
  readonly timeZone: string | null
}

/** The first time that each milestone happened; the last for those that end the trip. */
export function momentsOf(happened: ContainerReading['happened']): ReadonlyMap<MilestoneName, Moment> {
  const moments = new Map<MilestoneName, Moment>()
  for (const { name, time, timeZone } of happened) {
    if (!moments.has(name) || endsTrip.has(name))
      moments.set(name, { at: instantOf(time, timeZone).at, time, timeZone })
  }
  return moments
}

const endsTrip: ReadonlySet<MilestoneName> = new Set(['rail_unloaded', 'full_out', 'empty_in'])
