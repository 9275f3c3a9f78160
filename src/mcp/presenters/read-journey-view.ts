/**
 * A journey as the view of MCP clients draws it: the ways and ships on the map, each milestone with its planned,
 * estimated and actual time, and what is not known. It is for people and not for the model, so nothing is fenced; the
 * view writes every text as text.
 */

import { densifyLine, splitAtAntimeridian } from '../../domain/geography/drawn-line.ts'
import type { Movement } from '../../domain/shipment/itinerary.ts'
import type { EventTime } from '../../domain/values/time.ts'
import { instantOf } from '../../domain/values/time.ts'
import type { ContainerReading } from '../../modules/containers/list-containers-sql.ts'
import type { RouteStop } from '../../modules/routes/container-itinerary.ts'
import type { MapFeature } from '../../modules/routes/get-container-map.ts'
import { nameMoves } from '../../modules/routes/name-moves.ts'
import { readJourneys, type SharedContainer, type SharedShipment } from '../../modules/share-links/read-shared.ts'
import type { ShipmentReading } from '../../modules/shipments/list-shipments-sql.ts'
import type { TransportEventReading } from '../../modules/transport-events/list-transport-events-sql.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { nameShip } from '../../reference/vessels.ts'
import type { ToolContext } from '../tool/tool.ts'
import { markForeignText, withoutMarks } from './fence.ts'

/** A bill can have hundreds of containers; the text of the answer has them all. */
const containersMax = 20

interface MilestoneView {
  readonly event: string
  readonly place: string | null
  readonly locode: string | null
  readonly timezone: string | null
  readonly vessel: string | null
  readonly voyage: string | null
  /** Instants in UTC, or days where the source gave only a day. */
  planned_at: string | null
  estimated_at: string | null
  actual_at: string | null
}

/** Null for a client that shows no views. */
export async function readJourneyView(
  { service, context, showsViews }: ToolContext,
  of: {
    readonly shipment: ShipmentReading
    readonly containers: readonly ContainerReading[]
    readonly number: string | null
    readonly status: string
  },
): Promise<Readonly<Record<string, unknown>> | null> {
  if (!showsViews) return null
  const containers = of.containers.slice(0, containersMax)
  const journeys = await readJourneys(service, context, { shipment: of.shipment, containers })
  return {
    number: cleanText(of.number),
    status: of.status,
    line: findShippingLine(of.shipment.scac)?.name ?? of.shipment.scac,
    containers_total: of.containers.length,
    containers: journeys.containers.map((each) => ({
      number: each.container.projection.number,
      status: each.container.status,
      milestones: writeMilestoneViews(each),
    })),
    features: writeFeatures(journeys.features),
    unknown: describeUnknowns(journeys),
  }
}

/** What others wrote, without what a reader could not see, and not endless. */
function cleanText(text: string | null): string | null {
  return text === null ? null : withoutMarks(markForeignText(text)).trim()
}

/** Moves of the way and events of the same name at the same place are one milestone. In the order of time. */
export function writeMilestoneViews({
  events,
  stops,
}: Pick<SharedContainer, 'events' | 'stops'>): readonly MilestoneView[] {
  const names = nameMoves(stops)
  const moves = stops.flatMap((stop, index) => [
    ...milestoneOfMove(stop, stop.inbound, names[index]?.inbound ?? null),
    ...milestoneOfMove(stop, stop.outbound, names[index]?.outbound ?? null),
  ])
  const all = [...moves]
  for (const event of events) {
    const reported = milestoneOfEvent(event)
    if (reported === null) continue
    const member = reported.actual_at === null ? 'estimated_at' : 'actual_at'
    const same = all.find(
      (each) =>
        each.event === reported.event &&
        each.locode === reported.locode &&
        (each[member] === null || isOneTime(each[member], reported[member])),
    )
    if (same === undefined) all.push(reported)
    else same[member] ??= reported[member]
  }
  const key = (each: MilestoneView) => each.actual_at ?? each.estimated_at ?? each.planned_at ?? '9999'
  return all.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
}

/** A day and a time on that day at the place may be one and the same. */
function isOneTime(one: string, other: string | null): boolean {
  return other !== null && (one === other || one.length === 10 || other.length === 10)
}

function milestoneOfMove(
  { place, at }: RouteStop,
  move: Movement | null,
  name: string | null,
): readonly MilestoneView[] {
  if (move === null || name === null) return []
  const timezone = at?.timeZone ?? place.timeZone
  const expected = writeViewTime(move.estimatedAt, timezone)
  return [
    {
      event: name,
      place: at?.name ?? cleanText(place.name),
      locode: place.unlocode,
      timezone,
      vessel: move.vessel === null ? null : cleanText(nameShip(move.vessel.imo, move.vessel.name).name),
      voyage: cleanText(move.voyage),
      planned_at: move.estimateIs === 'planned' ? expected : null,
      estimated_at: move.estimateIs === 'planned' ? null : expected,
      actual_at: writeViewTime(move.actualAt, timezone),
    },
  ]
}

function writeViewTime(time: EventTime | null, timeZone: string | null): string | null {
  if (time === null) return null
  return time.kind === 'day' ? time.on : instantOf(time, timeZone).at
}

/** Null for an event about a deadline. */
function milestoneOfEvent(event: TransportEventReading): MilestoneView | null {
  const [, estimated, name] = /^container\.transport\.(estimated\.)?(\w+)$/.exec(event.event) ?? []
  if (name === undefined) return null
  const { vesselImo, vesselName, occursAt } = event
  const isKnown = vesselImo !== null || vesselName !== null
  return {
    event: name,
    place: event.unlocode === null ? null : (findPlaceByCode(event.unlocode)?.name ?? null),
    locode: event.unlocode,
    timezone: event.timeZone,
    vessel: isKnown ? cleanText(nameShip(vesselImo, vesselName).name) : null,
    voyage: cleanText(event.voyageNumber),
    planned_at: null,
    estimated_at: estimated === undefined ? null : occursAt,
    actual_at: estimated === undefined ? occursAt : null,
  }
}

const roundToHundredths = (degrees: number): number => Math.round(degrees * 100) / 100

/** GeoJSON as the maps of the portal draw it, with positions to a hundredth of a degree. */
function writeFeatures(features: readonly MapFeature[]): readonly object[] {
  const written = features.flatMap(writeFeature)
  // Containers on different ships share a part of their way.
  return [...new Map(written.map((feature) => [JSON.stringify(feature), feature])).values()]
}

function writeFeature(feature: MapFeature): readonly object[] {
  switch (feature.kind) {
    case 'port': {
      const { at, point, sequence } = feature.stop
      return [pointOf(point, { feature_type: 'port', name: at.name, ports_sequence: sequence })]
    }
    case 'current_vessel':
      return [
        pointOf(feature.point, {
          feature_type: 'current_vessel',
          vessel_name: cleanText(feature.vessel.name),
          vessel_location_timestamp: feature.timestamp,
          vessel_location_heading: feature.heading,
          estimated: feature.isEstimated,
        }),
      ]
    case 'past_locations':
      return lineOf(feature, 'past_vessel_locations')
    case 'full_leg':
      return lineOf(feature, 'estimated_full_legs')
    case 'partial_leg':
      return lineOf(feature, 'estimated_partial_leg')
  }
}

function pointOf(
  { longitude, latitude }: { readonly longitude: number; readonly latitude: number },
  properties: object,
): object {
  const coordinates = [roundToHundredths(longitude), roundToHundredths(latitude)]
  return { type: 'Feature', geometry: { type: 'Point', coordinates }, properties }
}

function lineOf({ line }: Extract<MapFeature, { line: unknown }>, kind: string): readonly object[] {
  return splitAtAntimeridian(densifyLine(line.points)).map((part) => ({
    type: 'Feature',
    geometry: {
      type: 'LineString',
      coordinates: part.map(({ longitude, latitude }) => [roundToHundredths(longitude), roundToHundredths(latitude)]),
    },
    properties: { feature_type: kind },
  }))
}

function describeUnknowns({ shipment, containers, features }: SharedShipment): readonly string[] {
  const { portOfDischarge } = shipment.projection
  const placed = new Set(features.flatMap((each) => (each.kind === 'port' ? [each.stop.at.id] : [])))
  const ships = new Set(features.flatMap((each) => (each.kind === 'current_vessel' ? [each.leg.from.at.id] : [])))
  const byContainer = containers.flatMap(({ stops, container }) => {
    if (stops.length === 0) return [`No route is known for ${container.projection.number}.`]
    return stops.flatMap((stop, index) => {
      const name = stop.at?.name ?? cleanText(stop.place.name) ?? 'A place without a name'
      const next = stops[index + 1]
      const isAtSea =
        stop.hasDeparted && next?.isReached === false && ['VESSEL', 'BARGE'].includes(stop.outbound?.mode ?? '')
      return [
        ...(stop.at !== null && placed.has(stop.at.id)
          ? []
          : [`${name} is not on the map: its position is not known.`]),
        ...(isAtSea && !(stop.at !== null && ships.has(stop.at.id))
          ? [`Where the ship that left ${name} is now is not known.`]
          : []),
      ]
    })
  })
  return [
    ...new Set([
      ...(portOfDischarge.place === null ? ['No source has named the port of discharge.'] : []),
      ...(portOfDischarge.eta === null && portOfDischarge.ata === null ? ['No source has given an arrival.'] : []),
      ...(containers.length === 0 ? ['No source has named a container yet.'] : []),
      ...byContainer,
    ]),
  ]
}
