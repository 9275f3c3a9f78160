/** The route of a container: every place on its way, with how it comes there and how it continues. */

import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound, ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { type RouteStop, readContainerItinerary } from './container-itinerary.ts'
import { readContainerJourney } from './container-journeys-sql.ts'
import { type MoveNames, nameMoves } from './name-moves.ts'
import { followShip, readSeaLegs, type SeaLeg } from './sea-legs.ts'

export interface RouteReading {
  readonly type: 'route'
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  /** In order; at least one. */
  readonly locations: readonly RouteLocationReading[]
}

export interface RouteLocationReading {
  readonly type: 'route_location'
  readonly id: string
  readonly routeId: string
  readonly stop: RouteStop
  readonly names: MoveNames
  /** The leg on which a ship continues from here; null if no ship does, or if no way by sea is known. */
  readonly seaLeg: SeaLeg | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Refuses (`not_found`) a container for which no source has named a place yet. */
export async function getContainerRoute(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<RouteReading> {
  requireScope(context, 'read')
  const row = await readContainerJourney(service.pool, { accountId: context.account.id, id: input.id })
  if (row === null) throw notFound('container')
  const stops = await readContainerItinerary(service, context, row)
  if (stops.length === 0) {
    throw new ServiceError('not_found', 'No route of this container is known yet: no source has named a place.')
  }
  const legs = await Promise.all(readSeaLegs(stops).map((leg) => followShip(service, context, leg)))
  const seaLegs = new Map(legs.map(({ leg }) => [leg.from.key, leg]))
  const routeId = uuidV5(LANDFALL_NAMESPACE, `route:${row.id}`)
  const { createdAt, updatedAt } = row
  const names = nameMoves(stops)
  const locations = stops.map(
    (stop, index): RouteLocationReading => ({
      type: 'route_location',
      id: uuidV5(LANDFALL_NAMESPACE, `route-location:${row.id}:${stop.key}`),
      routeId,
      stop,
      names: names[index] ?? { inbound: null, outbound: null },
      seaLeg: seaLegs.get(stop.key) ?? null,
      createdAt,
      updatedAt,
    }),
  )
  return { type: 'route', id: routeId, createdAt, updatedAt, locations }
}
