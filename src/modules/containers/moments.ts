/** When each milestone of a container happened, for every API that shows one time for each of them. */

import { isNear } from '../../domain/journey/rail-area.ts'
import { placeKeyOf } from '../../domain/statements/statement.ts'
import { type EventTime, instantOf } from '../../domain/values/time.ts'
import { type InlandMoves, inlandMovesOf } from '../../domain/view/inland-moves.ts'
import type { MilestoneName } from '../../domain/view/projection.ts'
import { rampAreaOf } from '../../reference/ramps.ts'
import type { ContainerReading } from './list-containers-sql.ts'

export interface Moment {
  /** ISO 8601 UTC. */
  readonly at: string
  readonly time: EventTime
  readonly timeZone: string | null
}

/** The first time that each milestone happened; the last for those that end the trip. */
export function momentsOf(happened: ContainerReading['happened']): ReadonlyMap<MilestoneName, Moment> {
  const moments = new Map<MilestoneName, Moment>()
  for (const move of happened) {
    if (!moments.has(move.name) || endsTrip.has(move.name)) moments.set(move.name, momentOf(move))
  }
  return moments
}

const endsTrip: ReadonlySet<MilestoneName> = new Set(['full_out', 'empty_in'])

function momentOf({ time, timeZone }: ContainerReading['happened'][number]): Moment {
  return { at: instantOf(time, timeZone).at, time, timeZone }
}

/** The times of the moves inland from the port of discharge. */
export function inlandMomentsOf(reading: Pick<ContainerReading, 'projection' | 'happened'>): InlandMoves<Moment> {
  const { portOfDischarge, destination } = reading.projection
  const [port, end] = [portOfDischarge.place, destination?.place ?? null].map((place) =>
    place === null ? null : placeKeyOf(place),
  )
  const moves = inlandMovesOf(reading.happened, {
    isPort: (key) => key === port,
    isEnd: end ? (key) => isNear(key, end, rampAreaOf) : null,
  })
  const read = (move: (typeof moves)['loaded']): Moment | undefined => move && momentOf(move)
  return {
    loaded: read(moves.loaded),
    departed: read(moves.departed),
    unloaded: read(moves.unloaded),
    outOfPort: read(moves.outOfPort),
    outOfEnd: read(moves.outOfEnd),
  }
}
