/**
 * What still lies ahead of a container on its way, as its line plans it: departures and arrivals that no event reports
 * yet.
 */

import type { Movement } from '../../core/shipment/itinerary.ts'
import type { MilestoneName } from '../../core/shown/projection.ts'
import { instantOf } from '../../core/values/time.ts'
import { readContainerJourney } from '../../store/read/container-journeys.ts'
import type { Context } from '../context.ts'
import type { Service } from '../service.ts'
import { type RouteStop, readContainerItinerary } from '../tracking/routes/container-itinerary.ts'

export interface PlannedMove {
  readonly name: MilestoneName
  /** ISO 8601 UTC. */
  readonly at: string
  readonly timeZone: string | null
  readonly unlocode: string | null
  readonly vessel: Movement['vessel']
  readonly voyage: string | null
}

export async function listPlannedMoves(
  service: Service,
  context: Context,
  input: { readonly containerId: string },
): Promise<readonly PlannedMove[]> {
  const key = { accountId: context.account.id, id: input.containerId }
  const row = await readContainerJourney(service.pool, key)
  return row === null ? [] : plannedMovesOf(await readContainerItinerary(service, context, row))
}

export function plannedMovesOf(stops: readonly RouteStop[]): readonly PlannedMove[] {
  const first = stops.findIndex(({ outbound }) => isShip(outbound))
  const last = stops.findLastIndex(({ inbound }) => isShip(inbound))
  return stops.flatMap((stop, index) => [
    ...readMove(
      stop,
      stop.inbound,
      arrivalOf(stop.inbound, { isLastPort: index === last, isEnd: index === stops.length - 1 }),
    ),
    ...readMove(stop, stop.outbound, departureOf(stop.outbound, index === first)),
  ])
}

function readMove(
  stop: RouteStop,
  movement: Movement | null,
  name: MilestoneName | null,
): readonly PlannedMove[] {
  if (movement === null || name === null || movement.estimatedAt === null || movement.actualAt !== null)
    return []
  const timeZone = stop.at?.timeZone ?? stop.place.timeZone
  const { at } = instantOf(movement.estimatedAt, timeZone)
  const { vessel, voyage } = movement
  return [{ name, at, timeZone, unlocode: stop.place.unlocode, vessel, voyage }]
}

function arrivalOf(
  movement: Movement | null,
  of: { readonly isLastPort: boolean; readonly isEnd: boolean },
): MilestoneName | null {
  switch (movement?.mode) {
    case 'VESSEL':
      return of.isLastPort ? 'vessel_arrived' : 'transshipment_arrived'
    case 'BARGE':
      return of.isLastPort ? 'vessel_arrived' : 'feeder_arrived'
    case 'RAIL':
      return of.isEnd ? 'arrived_at_inland_destination' : 'rail_arrived'
    default:
      return null
  }
}

function departureOf(movement: Movement | null, isFirstPort: boolean): MilestoneName | null {
  switch (movement?.mode) {
    case 'VESSEL':
      return isFirstPort ? 'vessel_departed' : 'transshipment_departed'
    case 'BARGE':
      return isFirstPort ? 'vessel_departed' : 'feeder_departed'
    case 'RAIL':
      return 'rail_departed'
    default:
      return null
  }
}

function isShip(movement: Movement | null): boolean {
  return movement?.mode === 'VESSEL' || movement?.mode === 'BARGE'
}
