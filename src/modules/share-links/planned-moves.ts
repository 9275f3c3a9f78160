/**
 * What still lies ahead of a container on its way, as its line plans it: departures and arrivals that no event reports
 * yet.
 */

import type { Movement } from '../../domain/shipment/itinerary.ts'
import { instantOf } from '../../domain/values/time.ts'
import type { MilestoneName } from '../../domain/view/projection.ts'
import type { Context } from '../access/context.ts'
import { type RouteStop, readContainerItinerary } from '../routes/container-itinerary.ts'
import { readContainerJourney } from '../routes/container-journeys-sql.ts'
import { nameMoves } from '../routes/name-moves.ts'
import type { Service } from '../service.ts'

export interface PlannedMove {
  readonly name: MilestoneName
  /** ISO 8601 UTC. */
  readonly at: string
  readonly timeZone: string | null
  readonly unlocode: string | null
  readonly vessel: Movement['vessel']
  readonly voyage: string | null
}

/** The stops of a container's way; none when no source has named a place. */
export async function listStops(
  service: Service,
  context: Context,
  input: { readonly containerId: string },
): Promise<readonly RouteStop[]> {
  const key = { accountId: context.account.id, id: input.containerId }
  const row = await readContainerJourney(service.pool, key)
  return row === null ? [] : await readContainerItinerary(service, context, row)
}

export function plannedMovesOf(stops: readonly RouteStop[]): readonly PlannedMove[] {
  const names = nameMoves(stops)
  return stops.flatMap((stop, index) => [
    ...readMove(stop, stop.inbound, names[index]?.inbound ?? null),
    ...readMove(stop, stop.outbound, names[index]?.outbound ?? null),
  ])
}

function readMove(stop: RouteStop, movement: Movement | null, name: MilestoneName | null): readonly PlannedMove[] {
  if (movement === null || name === null || movement.estimatedAt === null || movement.actualAt !== null) return []
  const timeZone = stop.at?.timeZone ?? stop.place.timeZone
  const { at } = instantOf(movement.estimatedAt, timeZone)
  const { vessel, voyage } = movement
  return [{ name, at, timeZone, unlocode: stop.place.unlocode, vessel, voyage }]
}
