/**
 * What a share link shows to anybody. It is an allow-list: every member is written here by name, from the journey
 * alone. Names of places come from the reference data, so no text of a source is shown.
 */

import type { TSchema } from 'typebox'
import * as schema from '../../api/shape/schema.ts'
import { type EventTime, instantOf } from '../../domain/values/time.ts'
import { lfdInstant, pickupLfd } from '../../domain/view/free-time.ts'
import { containerStatuses, type Leg } from '../../domain/view/projection.ts'
import { shipmentStatus, shipmentStatuses } from '../../domain/view/shipment-status.ts'
import { Type } from '../../platform/json-schema.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { freeUntilOf } from '../containers/urgency.ts'
import { containerMapSchema, type FeatureCollection, writeContainerMap } from '../routes/container-map-resource.ts'
import type { SharedContainer, SharedContent, SharedShipment } from './read-shared.ts'
import type { OpenedLink } from './share-links-sql.ts'
import { milestoneSchema, vesselOrNull, writeMilestones, writeVessel } from './shared-milestones-resource.ts'

const { instantOrNull, textOrNull, zoneOrNull } = schema

const port = schema.anyOf([
  schema.object({
    locode: textOrNull(),
    name: textOrNull({ description: 'Name in the reference data; null if the place is not in it.' }),
    latitude: schema.numberOrNull(),
    longitude: schema.numberOrNull(),
    timezone: zoneOrNull(),
    eta_at: instantOrNull(),
    ata_at: instantOrNull(),
    etd_at: instantOrNull(),
    atd_at: instantOrNull(),
  }),
  schema.nothing(),
])

const container = schema.object({
  number: schema.text(),
  equipment_type: textOrNull(),
  equipment_length: schema.integerOrNull({ description: 'Feet.' }),
  equipment_height: textOrNull(),
  status: schema.oneOf(containerStatuses),
  pickup_lfd: instantOrNull({
    description: 'Last free day of the contract, as 00:00 local time of that day.',
  }),
  free_until: schema.dayOrNull({ description: 'The last free day that counts, at the place of pick-up.' }),
  pickup_timezone: zoneOrNull(),
  available_for_pickup: schema.booleanOrNull({ description: 'Null: no source has stated it.' }),
  milestones: schema.list(milestoneSchema, { description: 'By time.' }),
})

const shipment = schema.object({
  bill_of_lading_number: textOrNull(),
  booking_number: textOrNull({ description: 'Only present if there is no bill of lading.' }),
  shipping_line_name: schema.text(),
  status: schema.oneOf(shipmentStatuses),
  port_of_lading: port,
  port_of_discharge: port,
  destination: port,
  vessel: vesselOrNull({ description: 'The ship that sails to the port of discharge.' }),
  voyage_number: textOrNull(),
  containers: schema.list(container),
  map: containerMapSchema,
})

export const sharedSchema: TSchema = schema.object(
  {
    company_name: textOrNull(),
    color: textOrNull({ description: '`#1f6feb`.' }),
    expires_at: schema.instant(),
    has_more: Type.Boolean({ description: 'True: the saved view lists more than is shown here.' }),
    shipments: schema.list(shipment),
  },
  { description: 'What is shared.' },
)

export function writeSharedContent(link: OpenedLink, shipments: readonly object[], hasMore: boolean): object {
  return {
    company_name: link.companyName,
    color: link.color,
    expires_at: link.expiresAt,
    has_more: hasMore,
    shipments,
  }
}

export function writeSharedShipments({ shipments }: SharedContent): readonly object[] {
  return shipments.map(writeShipment)
}

function writeShipment({ shipment: reading, containers, features }: SharedShipment): object {
  const { projection } = reading
  const booking = projection.billOfLadingNumber === null ? projection.bookingNumber : null
  return {
    bill_of_lading_number: projection.billOfLadingNumber ?? (booking === null ? reading.billOfLadingNumber : null),
    booking_number: booking,
    shipping_line_name: findShippingLine(reading.scac)?.name ?? reading.scac,
    status: shipmentStatus(reading),
    port_of_lading: writePort(projection.portOfLoading),
    port_of_discharge: writePort(projection.portOfDischarge),
    destination: writePort(projection.destination),
    vessel: writeVessel(projection.podVessel),
    voyage_number: projection.podVoyage,
    containers: containers.map(writeContainer),
    map: withoutRepeats(writeContainerMap(features)),
  }
}

function writePort(leg: Leg | null): object | null {
  if (leg === null || leg.place === null) return null
  const place = leg.place.unlocode === null ? null : findPlaceByCode(leg.place.unlocode)
  const { timeZone } = leg.place
  const at = (time: EventTime | null) => (time === null ? null : instantOf(time, timeZone).at)
  return {
    locode: leg.place.unlocode,
    name: place?.name ?? null,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    timezone: timeZone,
    eta_at: at(leg.eta),
    ata_at: at(leg.ata),
    etd_at: at(leg.etd),
    atd_at: at(leg.atd),
  }
}

function writeContainer(shared: SharedContainer): object {
  const { status, projection } = shared.container
  const { number, equipment, freeTime, pickupTimeZone, available } = projection
  const lfd = pickupLfd(freeTime)
  return {
    number,
    equipment_type: equipment?.type ?? null,
    equipment_length: equipment?.lengthFeet ?? null,
    equipment_height: equipment?.height ?? null,
    status,
    pickup_lfd: lfd === null ? null : lfdInstant(lfd, pickupTimeZone),
    free_until: freeUntilOf(shared.container)?.on ?? null,
    pickup_timezone: pickupTimeZone,
    available_for_pickup: available,
    milestones: writeMilestones(shared),
  }
}

/** Containers on different ships share a part of their way. */
function withoutRepeats({ type, features }: FeatureCollection): FeatureCollection {
  const byText = new Map(features.map((feature) => [JSON.stringify(feature), feature]))
  return { type, features: [...byText.values()] }
}
