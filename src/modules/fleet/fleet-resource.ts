/**
 * All ships and containers under way as GeoJSON (RFC 7946): a point for each ship, and one for each terminal or place.
 */

import type { TSchema } from 'typebox'
import * as schema from '../../api/shape/schema.ts'
import { containerStatuses } from '../../domain/view/projection.ts'
import { Type } from '../../platform/json-schema.ts'
import { type Fleet, type FleetPlace, type FleetShip, pointsMax, shipmentIdsMax } from './get-fleet.ts'

export function writeFleet(fleet: Fleet) {
  return {
    type: 'FeatureCollection',
    meta: {
      at: fleet.at,
      ships: fleet.ships.length,
      places: fleet.places.length,
      unplaced_containers: fleet.unplacedContainers,
      has_more: fleet.hasMore,
    },
    features: [...fleet.ships.map(writeShip), ...fleet.places.map(writePlace)],
  }
}

function featureOf(point: { readonly latitude: number; readonly longitude: number }, properties: object) {
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [roundDegrees(point.longitude), roundDegrees(point.latitude)] },
    properties,
  }
}

/** To a metre. */
function roundDegrees(degrees: number): number {
  return Math.round(degrees * 100_000) / 100_000
}

function writeShip({ row, position, nextPort, ...ship }: FleetShip) {
  return featureOf(position.point, {
    feature_type: 'vessel',
    vessel_id: ship.vesselId,
    vessel_name: ship.name,
    vessel_imo: row.imo,
    voyage_number: ship.voyage,
    position: position.kind,
    position_at: position.at,
    heading: position.heading === null ? null : Math.round(position.heading) % 360,
    speed: position.speedKnots,
    next_port_id: nextPort?.id ?? null,
    next_port_name: nextPort?.name ?? null,
    next_port_locode: nextPort?.unlocode ?? null,
    next_port_eta: ship.eta,
    ...writeCounts(row),
  })
}

function writePlace({ row, point, terminal, place }: FleetPlace) {
  return featureOf(point, {
    feature_type: terminal === null ? 'place' : 'terminal',
    location_id: place?.id ?? null,
    location_name: place?.name ?? null,
    location_locode: place?.unlocode ?? null,
    terminal_id: terminal?.id ?? null,
    terminal_name: terminal?.name ?? null,
    statuses: row.statuses,
    ...writeCounts(row),
  })
}

function writeCounts(row: FleetShip['row'] | FleetPlace['row']) {
  const { freeUntil: free } = row
  return {
    free_until: free && {
      on: free.on,
      timezone: free.timeZone,
      container_number: free.number,
      shipment_id: free.shipmentId,
    },
    container_count: row.containers,
    shipment_count: row.shipments,
    shipment_ids: row.shipmentIds,
    shipment_numbers: row.shipmentNumbers,
  }
}

const { textOrNull } = schema
const count = Type.Integer({ minimum: 0 })
const counts = {
  free_until: schema.anyOf([
    schema.object(
      {
        on: schema.text({ format: 'date' }),
        timezone: schema.zoneOrNull(),
        container_number: schema.text(),
        shipment_id: schema.id(),
      },
      { description: 'The earliest last free day of these containers, as `free_until` of the container names it.' },
    ),
    schema.nothing(),
  ]),
  container_count: count,
  shipment_count: count,
  shipment_ids: schema.list(schema.id(), {
    description: `The first ${shipmentIdsMax}, in order of id; \`shipment_count\` is of all.`,
  }),
  shipment_numbers: schema.texts({ description: 'The number of each of `shipment_ids`, in the same order.' }),
}

const shipSchema = {
  feature_type: schema.constant('vessel'),
  vessel_id: textOrNull(),
  vessel_name: schema.text(),
  vessel_imo: schema.text(),
  voyage_number: textOrNull(),
  position: schema.oneOf(['heard', 'reckoned', 'port'], {
    description:
      '`heard`: received by radio (AIS) at `position_at`. `reckoned`: calculated for the present time, along the sea route. `port`: only the port that it left is known.',
  }),
  position_at: schema.instant(),
  heading: schema.integerOrNull({ description: 'Degrees from north.' }),
  speed: schema.numberOrNull({ description: 'Knots, as heard.' }),
  next_port_id: textOrNull({
    description: 'Where it brings your boxes next. Null on the way to a port of transshipment.',
  }),
  next_port_name: textOrNull(),
  next_port_locode: textOrNull(),
  next_port_eta: schema.instantOrNull(),
  ...counts,
}

const placeSchema = {
  feature_type: schema.oneOf(['terminal', 'place']),
  location_id: textOrNull(),
  location_name: textOrNull(),
  location_locode: textOrNull(),
  terminal_id: textOrNull(),
  terminal_name: textOrNull(),
  statuses: Type.Unsafe({
    type: 'object',
    propertyNames: { enum: containerStatuses },
    additionalProperties: count,
    description: 'Number of boxes by `current_status`.',
  }),
  ...counts,
}

const featureSchema = (properties: Parameters<typeof schema.object>[0]): TSchema =>
  schema.object({
    type: schema.constant('Feature'),
    geometry: schema.object({
      type: schema.constant('Point'),
      coordinates: schema.list(Type.Number(), {
        minItems: 2,
        maxItems: 2,
        description: 'Longitude, latitude.',
      }),
    }),
    properties: schema.object(properties),
  })

export const fleetSchema = schema.object(
  {
    type: schema.constant('FeatureCollection'),
    meta: schema.object({
      at: schema.instant({ description: 'The time for which the positions are shown.' }),
      ships: count,
      places: count,
      unplaced_containers: Type.Integer({
        minimum: 0,
        description:
          'Containers under way that have no point: no source has named their ship or place, or its position is not known.',
      }),
      has_more: Type.Boolean({
        description: `There are more than ${pointsMax} ships, or more than ${pointsMax} places. Narrow the filters.`,
      }),
    }),
    features: schema.list(schema.anyOf([featureSchema(shipSchema), featureSchema(placeSchema)])),
  },
  { description: 'GeoJSON. The points with the most containers come first.' },
)
