/** `route` and `route_location`: the places that a container passes, in the contract's terms. */

import { type ResourceKind, toMany, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import type { Movement } from '../../domain/shipment/itinerary.ts'
import { type EventTime, instantOf } from '../../domain/values/time.ts'
import { type MilestoneName, milestoneNames } from '../../domain/view/projection.ts'
import { Type } from '../../platform/json-schema.ts'
import type { SeaPassage } from '../../reference/sea-routes/passages.ts'
import { wayReasons } from '../../reference/sea-routes/ship-way.ts'
import { linkPlace } from '../ports/place-resource.ts'
import { linkVessel, readVessel, type VesselReading } from '../vessels/vessel-resource.ts'
import type { RouteLocationReading, RouteReading } from './get-container-route.ts'

/** Null when no ship carries the container, or when the ship's IMO number is not known. */
export function readMovingVessel(movement: Movement | null): VesselReading | null {
  return readVessel(movement?.vessel?.imo ?? null, movement?.vessel?.name ?? null)
}

export const route: ResourceKind<RouteReading> = {
  type: 'route',
  attributes: { created_at: schema.instant(), updated_at: schema.instant() },
  relations: { route_locations: toMany('route_location') },
  write: ({ createdAt, updatedAt }) => ({ created_at: createdAt, updated_at: updatedAt }),
  link: ({ locations }) => ({ route_locations: locations.map(({ type, id }) => ({ type, id })) }),
}

const mode = () => schema.oneOfOrNull(['vessel', 'barge', 'rail', 'truck'])

export const wayChosenBy = () =>
  schema.oneOf(wayReasons, {
    description:
      'How the way was chosen among those that a ship can take: by received positions; by the dates; because ships of ocean legs are too large for the Kiel Canal; or, without any hint, the shortest way was assumed.',
  })

/** Only the passages between which ships can choose. A strait that is a part of every way is no information. */
const namedPassages: Readonly<Partial<Record<SeaPassage, string>>> = {
  suez: 'suez_canal',
  panama: 'panama_canal',
  kiel: 'kiel_canal',
  south_africa: 'cape_of_good_hope',
  chili: 'magellan_or_cape_horn',
}

const seaWay = schema.object({
  chosen_by: wayChosenBy(),
  passages: schema.list(schema.oneOf(Object.values(namedPassages)), {
    description: 'The canals and capes on the way, in order.',
  }),
  nautical_miles: Type.Integer({ minimum: 0, description: 'Length of the whole leg.' }),
})

const aheadSchema = () =>
  schema.anyOf([
    schema.object({
      event: schema.oneOf(milestoneNames),
      classifier: schema.oneOf(['planned', 'estimated'], { description: 'As its source says.' }),
      is_day: Type.Boolean({ description: 'True: the source gave only the day. The time is midnight at the place.' }),
    }),
    schema.nothing({ description: 'The movement has happened, or no source has given a time.' }),
  ])

/** A movement that has a time and has not happened. */
function writeExpectedMovement(movement: Movement | null, event: MilestoneName | null): object | null {
  if (movement === null || event === null || movement.actualAt !== null || movement.estimateIs === null) return null
  return { event, classifier: movement.estimateIs, is_day: movement.estimatedAt?.kind === 'day' }
}

export const routeLocation: ResourceKind<RouteLocationReading> = {
  type: 'route_location',
  attributes: {
    inbound_scac: schema.textOrNull(),
    inbound_mode: mode(),
    inbound_eta_at: schema.instantOrNull(),
    inbound_ata_at: schema.instantOrNull(),
    inbound_voyage_number: schema.textOrNull(),
    outbound_scac: schema.textOrNull(),
    outbound_mode: mode(),
    outbound_etd_at: schema.instantOrNull(),
    outbound_atd_at: schema.instantOrNull(),
    outbound_voyage_number: schema.textOrNull(),
    created_at: schema.instant(),
    updated_at: schema.instant(),
  },
  relations: {
    route: toOne('route'),
    location: toOne('port', 'metro_area'),
    port: toOne('port', 'metro_area'),
    inbound_vessel: toOne('vessel'),
    outbound_vessel: toOne('vessel'),
  },
  write: ({ stop, createdAt, updatedAt }) => {
    const { inbound, outbound } = stop
    const at = (time: EventTime | null | undefined) =>
      time === null || time === undefined ? null : instantOf(time, stop.at?.timeZone ?? stop.place.timeZone).at
    return {
      inbound_scac: stop.inboundScac,
      inbound_mode: inbound?.mode.toLowerCase() ?? null,
      inbound_eta_at: at(inbound?.estimatedAt),
      inbound_ata_at: at(inbound?.actualAt),
      inbound_voyage_number: inbound?.voyage ?? null,
      outbound_scac: stop.outboundScac,
      outbound_mode: outbound?.mode.toLowerCase() ?? null,
      outbound_etd_at: at(outbound?.estimatedAt),
      outbound_atd_at: at(outbound?.actualAt),
      outbound_voyage_number: outbound?.voyage ?? null,
      created_at: createdAt,
      updated_at: updatedAt,
    }
  },
  link: ({ routeId, stop }) => {
    const place = linkPlace(stop.at?.unlocode)
    return {
      route: { type: 'route', id: routeId },
      location: place,
      port: place,
      inbound_vessel: linkVessel(stop.inbound?.vessel?.imo ?? null),
      outbound_vessel: linkVessel(stop.outbound?.vessel?.imo ?? null),
    }
  },
  meta: {
    properties: {
      timezone: schema.zoneOrNull(),
      inbound_ahead: aheadSchema(),
      outbound_ahead: aheadSchema(),
      outbound_way: schema.anyOf([
        seaWay,
        schema.nothing({ description: 'Null: no ship continues from here, or no way by sea is known.' }),
      ]),
    },
    write: ({ seaLeg, stop, names }) => ({
      timezone: stop.at?.timeZone ?? stop.place.timeZone,
      inbound_ahead: writeExpectedMovement(stop.inbound, names.inbound),
      outbound_ahead: writeExpectedMovement(stop.outbound, names.outbound),
      outbound_way:
        seaLeg === null
          ? null
          : {
              chosen_by: seaLeg.way.reason,
              passages: seaLeg.way.route.passages.flatMap((each) => namedPassages[each] ?? []),
              nautical_miles: Math.round(seaLeg.line.lengthNm),
            },
    }),
  },
}
