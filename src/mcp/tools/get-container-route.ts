/** `get_container_route`: the places through which a container is carried, and by which means it comes and leaves. */

import type { Movement } from '../../domain/shipment/itinerary.ts'
import { getContainerWithShipment } from '../../modules/containers/get-container.ts'
import { ServiceError } from '../../modules/errors.ts'
import { getContainerRoute as getRoute } from '../../modules/routes/get-container-route.ts'
import { Type } from '../../platform/json-schema.ts'
import { markUnlessCode } from '../presenters/fence.ts'
import { writeTime } from '../presenters/local-time.ts'
import { placeName, vesselSchema, writeVessel } from '../presenters/places.ts'
import { readJourneyView } from '../presenters/read-journey-view.ts'
import { closed, id } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { list, number, object, optional, orNull, text, textOrNull } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

function movementSchema(times: readonly string[]) {
  const all = Object.fromEntries(times.map((name) => [name, textOrNull]))
  return orNull(object({ mode: text, carrier_scac: textOrNull, ...all, vessel: vesselSchema, voyage: textOrNull }))
}

export const getContainerRoute = defineTool({
  name: 'get_container_route',
  title: 'Get the route of a container',
  about: 'Every place on the way in order, with estimated and actual times, ships and carriers.',
  effect: 'read',
  input: Type.Object({ id }, closed),
  ids: { id: 'container' },
  hasMap: true,
  output: object({
    route_id: optional(text),
    total_legs: optional(number),
    route_locations: optional(
      list(
        object({
          port: object({ name: textOrNull, code: textOrNull, timezone: textOrNull }),
          inbound: movementSchema(['eta', 'ata']),
          outbound: movementSchema(['etd', 'atd']),
        }),
      ),
    ),
    error: optional(text),
    message: optional(text),
    alternative: optional(text),
    _response_contract: responseContract,
  }),
  run: async (toolContext, input) => {
    const { service, context } = toolContext
    const { container, shipment } = await getContainerWithShipment(service, context, input)
    const route = await getRoute(service, context, input).catch(nullIfRouteUnknown)
    if (route === null) {
      return makeResult(
        {
          error: 'NotFound',
          message: 'No route is known for this container yet: no source has named a place.',
          alternative: 'get_container_transport_events',
          _response_contract: writeContract(),
        },
        { presentation: 'Say that the route is not known yet.', tools: ['get_container_transport_events'] },
      )
    }
    const stops = route.locations.map(({ stop }) => stop)
    return makeResult(
      {
        route_id: route.id,
        total_legs: Math.max(0, stops.length - 1),
        route_locations: stops.map((stop) => {
          const timezone = stop.at?.timeZone ?? stop.place.timeZone
          const times = (way: Movement | null, names: readonly [string, string]) =>
            writeMovement(way, { names, timezone })
          return {
            port: {
              name: stop.at?.name ?? placeName(stop.place),
              code: stop.at?.unlocode ?? stop.place.unlocode,
              timezone,
            },
            inbound: addCarrier(times(stop.inbound, ['eta', 'ata']), stop.inboundScac),
            outbound: addCarrier(times(stop.outbound, ['etd', 'atd']), stop.outboundScac),
          }
        }),
        _response_contract: writeContract(),
      },
      {
        presentation: 'Tell the stops in order; say which times are estimates. Null means unknown.',
        tools: ['get_container_transport_events'],
      },
      [],
      shipment === null
        ? null
        : await readJourneyView(toolContext, {
            shipment,
            containers: [container],
            number: container.projection.number,
            status: container.status,
          }),
    )
  },
})

/** Null when no source has named a place. This is a valid answer, because the container exists. */
function nullIfRouteUnknown(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'not_found') return null
  throw error
}

function writeMovement(
  way: Movement | null,
  {
    names: [estimated, actual],
    timezone,
  }: { readonly names: readonly [string, string]; readonly timezone: string | null },
) {
  if (way === null) return null
  return {
    mode: way.mode.toLowerCase(),
    [estimated]: writeTime(way.estimatedAt, timezone),
    [actual]: writeTime(way.actualAt, timezone),
    vessel: writeVessel(way.vessel),
    voyage: markUnlessCode(way.voyage),
  }
}

function addCarrier(way: ReturnType<typeof writeMovement>, scac: string | null) {
  return way === null ? null : { ...way, carrier_scac: markUnlessCode(scac) }
}
