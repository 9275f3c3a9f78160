/** The map of a container as GeoJSON (RFC 7946): a FeatureCollection of the five kinds of feature that the contract has. */

import type { TSchema } from 'typebox'
import * as schema from '../../api/shape/schema.ts'
import { densifyLine, splitAtAntimeridian } from '../../domain/geography/drawn-line.ts'
import type { GeoPoint } from '../../domain/geography/great-circle.ts'
import type { RouteLine } from '../../domain/geography/route-line.ts'
import { type EventTime, instantOf } from '../../domain/values/time.ts'
import { Type } from '../../platform/json-schema.ts'
import { findCountryName } from '../../reference/countries.ts'
import type { Place } from '../../reference/places.ts'
import { findSubdivisionName } from '../../reference/subdivisions.ts'
import type { MapFeature } from './get-container-map.ts'
import { wayChosenBy } from './route-resource.ts'
import type { PlacedStop } from './sea-legs.ts'

type Properties = Readonly<Record<string, unknown>>
type Position = readonly [longitude: number, latitude: number]

interface Feature {
  readonly type: 'Feature'
  readonly geometry: Geometry
  readonly properties: Properties
}

type Geometry =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'LineString'; readonly coordinates: readonly Position[] }

export interface FeatureCollection {
  readonly type: 'FeatureCollection'
  readonly features: readonly Feature[]
}

export function writeContainerMap(features: readonly MapFeature[]): FeatureCollection {
  return { type: 'FeatureCollection', features: features.flatMap(writeFeature) }
}

function writeFeature(feature: MapFeature): readonly Feature[] {
  switch (feature.kind) {
    case 'port':
      return [featureOf(writePoint(feature.stop.point), portProperties(feature))]
    case 'current_vessel':
      return [featureOf(writePoint(feature.point), vesselProperties(feature))]
    case 'past_locations':
      return featuresOf(feature.line, {
        feature_type: 'past_vessel_locations',
        ports_sequence: feature.leg.from.sequence,
        vessel_id: feature.vessel.id,
        start_time: feature.startAt,
        end_time: feature.endAt,
        point_count: feature.pointCount,
        outbound_atd_at: feature.leg.atd,
        inbound_ata_at: feature.leg.ata,
        inbound_eta_at: feature.leg.eta,
      })
    case 'full_leg':
      return featuresOf(feature.line, {
        feature_type: 'estimated_full_legs',
        ports_sequence: feature.leg.from.sequence,
        previous_port_id: feature.leg.from.at.id,
        next_port_id: feature.leg.to.at.id,
        way_chosen_by: feature.leg.way.reason,
      })
    case 'partial_leg':
      return featuresOf(feature.line, {
        feature_type: 'estimated_partial_leg',
        ports_sequence: feature.leg.from.sequence,
        current_port_id: feature.leg.from.at.id,
        next_port_id: feature.leg.to.at.id,
        way_chosen_by: feature.leg.way.reason,
      })
  }
}

/**
 * A line that crosses the 180th meridian is cut there (RFC 7946, 3.1.9), into a feature for each part: clients of the
 * contract draw a LineString and nothing else.
 */
function featuresOf({ points }: RouteLine, properties: Properties): readonly Feature[] {
  return splitAtAntimeridian(densifyLine(points)).map((part) =>
    featureOf(
      { type: 'LineString', coordinates: part.map(writePosition) },
      {
        ...properties,
        // A track has its own count of all positions that were received. Other lines count the points that are drawn.
        point_count: properties['point_count'] ?? part.length,
      },
    ),
  )
}

function featureOf(geometry: Geometry, properties: Properties): Feature {
  return { type: 'Feature', geometry, properties }
}

function portProperties({ stop, total, updatedAt }: MapFeature & { kind: 'port' }): Properties {
  const { at, inbound, outbound } = stop
  return {
    feature_type: 'port',
    ports_sequence: stop.sequence,
    ports_total: total,
    location_id: at.id,
    location_type: 'Port',
    ...describePlace(at),
    inbound_eta_at: instantAt(inbound?.estimatedAt, stop),
    inbound_ata_at: instantAt(inbound?.actualAt, stop),
    outbound_etd_at: instantAt(outbound?.estimatedAt, stop),
    outbound_atd_at: instantAt(outbound?.actualAt, stop),
    updated_at: updatedAt,
  }
}

function instantAt(time: EventTime | null | undefined, { at }: PlacedStop): string | null {
  return time === null || time === undefined ? null : instantOf(time, at.timeZone).at
}

function vesselProperties(feature: MapFeature & { kind: 'current_vessel' }): Properties {
  const { leg, vessel } = feature
  const { time_zone: departureZone, ...departure } = describePlace(leg.from.at)
  const { time_zone: arrivalZone, ...arrival } = describePlace(leg.to.at)
  return {
    feature_type: 'current_vessel',
    ports_sequence: leg.from.sequence,
    vessel_id: vessel.id,
    vessel_name: vessel.name,
    vessel_imo: vessel.imo,
    voyage_number: leg.voyage,
    vessel_location_timestamp: feature.timestamp,
    vessel_location_heading: feature.heading === null ? null : Math.round(feature.heading) % 360,
    vessel_location_speed: feature.speedKnots,
    departure_port_id: leg.from.at.id,
    ...prefixKeys('departure_port_', departure),
    departure_port_atd: leg.atd,
    departure_port_time_zone: departureZone,
    arrival_port_id: leg.to.at.id,
    ...prefixKeys('arrival_port_', arrival),
    arrival_port_eta: leg.eta,
    arrival_port_time_zone: arrivalZone,
    estimated: feature.isEstimated,
  }
}

function prefixKeys<Value>(
  prefix: string,
  properties: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [prefix + name, value]))
}

function describePlace(place: Place) {
  const country = findCountryName(place.countryCode) ?? place.countryCode
  return {
    name: place.name,
    state_abbr: place.subdivision,
    state: place.subdivision === null ? null : findSubdivisionName(place.countryCode, place.subdivision),
    country_code: place.countryCode,
    country,
    time_zone: place.timeZone,
    label: [place.name, place.subdivision, place.countryCode].filter((part) => part !== null).join(', '),
  }
}

function writePoint(point: GeoPoint): Geometry {
  return { type: 'Point', coordinates: writePosition(point) }
}

/** Rounds to about a metre. */
function writePosition({ latitude, longitude }: GeoPoint): Position {
  return [Math.round(longitude * 100_000) / 100_000, Math.round(latitude * 100_000) / 100_000]
}

const nonNegativeInteger = (description: string) => Type.Integer({ minimum: 0, description })
const sequence = nonNegativeInteger('Number of the port where the leg begins, from 1.')
const zone = schema.zoneOrNull()
const placeFields: Readonly<Record<string, TSchema>> = {
  name: schema.text(),
  state_abbr: schema.textOrNull(),
  state: schema.textOrNull(),
  country_code: schema.text(),
  country: schema.text(),
  label: schema.text(),
}

const portSchema = {
  feature_type: schema.constant('port'),
  ports_sequence: nonNegativeInteger('From 1.'),
  ports_total: nonNegativeInteger('Number of ports of the route, also those that cannot be drawn.'),
  location_id: schema.id(),
  location_type: schema.constant('Port'),
  ...placeFields,
  time_zone: zone,
  inbound_eta_at: schema.instantOrNull(),
  inbound_ata_at: schema.instantOrNull(),
  outbound_etd_at: schema.instantOrNull(),
  outbound_atd_at: schema.instantOrNull(),
  updated_at: schema.instantOrNull(),
}

const vesselSchema: Readonly<Record<string, TSchema>> = {
  feature_type: schema.constant('current_vessel'),
  ports_sequence: sequence,
  vessel_id: schema.id(),
  vessel_name: schema.text(),
  vessel_imo: schema.text(),
  voyage_number: schema.textOrNull(),
  vessel_location_timestamp: schema.instant({ description: 'Time at which the vessel is there.' }),
  vessel_location_heading: schema.numberOrNull(),
  vessel_location_speed: schema.numberOrNull({ description: 'Knots; null when estimated.' }),
  departure_port_id: schema.id(),
  ...prefixKeys('departure_port_', placeFields),
  departure_port_atd: schema.instantOrNull(),
  departure_port_time_zone: zone,
  arrival_port_id: schema.id(),
  ...prefixKeys('arrival_port_', placeFields),
  arrival_port_eta: schema.instantOrNull(),
  arrival_port_time_zone: zone,
  estimated: Type.Boolean({
    description: 'Beyond the contract. True: calculated along the route, not received.',
  }),
}

const pastSchema = {
  feature_type: schema.constant('past_vessel_locations'),
  ports_sequence: sequence,
  vessel_id: schema.id(),
  start_time: schema.instant(),
  end_time: schema.instant(),
  point_count: nonNegativeInteger(
    'Number of points in all parts of the line: received positions, and ports where the vessel certainly was.',
  ),
  outbound_atd_at: schema.instantOrNull(),
  inbound_ata_at: schema.instantOrNull(),
  inbound_eta_at: schema.instantOrNull(),
}

const fullLegSchema = {
  feature_type: schema.constant('estimated_full_legs'),
  ports_sequence: sequence,
  previous_port_id: schema.id(),
  next_port_id: schema.id(),
  way_chosen_by: wayChosenBy(),
  point_count: nonNegativeInteger('Number of points in this part of the line.'),
}

const partialLegSchema = {
  feature_type: schema.constant('estimated_partial_leg'),
  ports_sequence: sequence,
  current_port_id: schema.id({ description: 'The port that the vessel has left.' }),
  next_port_id: schema.id(),
  way_chosen_by: wayChosenBy(),
  point_count: nonNegativeInteger('Number of points in this part of the line.'),
}

const position = schema.list(Type.Number(), { minItems: 2, maxItems: 2 })
const pointGeometry = schema.object({ type: schema.constant('Point'), coordinates: position })
const lineGeometry = schema.object({
  type: schema.constant('LineString'),
  coordinates: schema.list(position, { minItems: 2 }),
})

export const containerMapSchema = schema.object(
  {
    type: schema.constant('FeatureCollection'),
    features: schema.list(
      schema.anyOf(
        (
          [
            [pointGeometry, portSchema],
            [pointGeometry, vesselSchema],
            [lineGeometry, pastSchema],
            [lineGeometry, fullLegSchema],
            [lineGeometry, partialLegSchema],
          ] as const
        ).map(([geometry, properties]) =>
          schema.object({
            type: schema.constant('Feature'),
            geometry,
            properties: schema.object(properties),
          }),
        ),
      ),
    ),
  },
  { description: 'GeoJSON. A line over the 180th meridian is cut there into several features.' },
)
