/** `shipment`: what one bill of lading or booking covers, with its route and the state of its tracking. */

import { stopReasons } from '../../../../core/requests/stop-tracking.ts'
import type { Leg } from '../../../../core/shown/projection.ts'
import { type EventTime, instantOf } from '../../../../core/values/time.ts'
import { findShippingLine } from '../../../../reference/shipping-lines.ts'
import {
  shipmentStatus,
  shipmentStatuses,
  shipmentStatusMeanings,
} from '../../../../service/tracking/shipments/shipment-status.ts'
import type { ShipmentFacilities, ShipmentReading } from '../../../../store/read/shipments.ts'
import { type Identifier, identifierOrNull, many, one, type ResourceKind } from '../../shape/resource.ts'
import * as schema from '../../shape/schema.ts'
import { lastChangedBy } from '../parts/last-changed-by.ts'
import { provenance } from '../parts/provenance.ts'
import { linkPlace, readPlace } from '../reference/place.ts'
import { readFacility, readTerminal, type TerminalReading } from '../reference/terminal.ts'
import { ownEta } from './own-eta.ts'

const { instantOrNull, textOrNull, zoneOrNull } = schema

const meanings = Object.entries(shipmentStatusMeanings).map(
  ([status, meaning]) => `\`${status}\`: ${meaning}`,
)

export const shipment: ResourceKind<ShipmentReading> = {
  type: 'shipment',
  attributes: {
    bill_of_lading_number: schema.text(),
    normalized_number: schema.text(),
    ref_numbers: { type: ['array', 'null'], items: { type: 'string' } },
    created_at: schema.instant(),
    tags: schema.texts(),
    port_of_lading_locode: textOrNull(),
    port_of_lading_name: textOrNull(),
    port_of_discharge_locode: textOrNull(),
    port_of_discharge_name: textOrNull(),
    destination_locode: textOrNull(),
    destination_name: textOrNull(),
    shipping_line_scac: schema.text(),
    shipping_line_name: schema.text(),
    shipping_line_short_name: schema.text(),
    customer_name: textOrNull(),
    pod_vessel_name: textOrNull(),
    pod_vessel_imo: textOrNull(),
    pod_voyage_number: textOrNull(),
    pol_etd_at: instantOrNull(),
    pol_atd_at: instantOrNull(),
    pod_eta_at: instantOrNull(),
    pod_original_eta_at: instantOrNull(),
    pod_ata_at: instantOrNull(),
    destination_eta_at: instantOrNull(),
    destination_ata_at: instantOrNull(),
    pol_timezone: zoneOrNull(),
    pod_timezone: zoneOrNull(),
    destination_timezone: zoneOrNull(),
    line_tracking_last_attempted_at: instantOrNull(),
    line_tracking_last_succeeded_at: instantOrNull(),
    line_tracking_stopped_at: instantOrNull(),
    line_tracking_stopped_reason: schema.oneOfOrNull(stopReasons),
    pol_original_etd_at: instantOrNull(),
    destination_original_eta_at: instantOrNull(),
    status: schema.oneOf(shipmentStatuses, {
      description: `Derived from the containers. ${meanings.join('; ')}.`,
    }),
    pod_eta: instantOrNull({ description: 'The same as pod_eta_at.' }),
  },
  relations: {
    destination: one('port', 'metro_area'),
    port_of_lading: one('port', 'metro_area'),
    containers: many('container'),
    port_of_discharge: one('port', 'metro_area'),
    pod_terminal: one('terminal'),
    destination_terminal: one('terminal', 'rail_terminal'),
    line_tracking_stopped_by_user: one('user'),
    customer: one('party'),
    custom_fields: many('custom_field'),
  },
  write,
  link: ({ projection, containerIds, stoppedByUserId }) => ({
    destination: linkPlace(projection.destination?.place?.unlocode),
    port_of_lading: linkPlace(projection.portOfLoading.place?.unlocode),
    port_of_discharge: linkPlace(projection.portOfDischarge.place?.unlocode),
    containers: containerIds.map((id): Identifier => ({ type: 'container', id })),
    line_tracking_stopped_by_user: identifierOrNull('user', stoppedByUserId),
  }),
  self: ({ id }) => `/shipments/${id}`,
  related: ({ id }) => ({ custom_fields: `/shipments/${id}/custom_fields` }),
  meta: {
    properties: { ...lastChangedBy.properties, ...ownEta.properties, ...provenance.properties },
    write: (reading, explained) => ({
      ...lastChangedBy.write(reading),
      ...ownEta.write(reading),
      ...provenance.write(explained),
    }),
  },
}

function write(reading: ShipmentReading): Readonly<Record<string, unknown>> {
  const { projection } = reading
  const line = findShippingLine(reading.scac)
  const pol = readLeg(projection.portOfLoading)
  const pod = readLeg(projection.portOfDischarge)
  const destination = readLeg(projection.destination)
  const eta = pod.at(projection.portOfDischarge.eta)
  return {
    bill_of_lading_number: reading.billOfLadingNumber,
    normalized_number: reading.normalizedNumber,
    ref_numbers: reading.refNumbers,
    created_at: reading.createdAt,
    tags: reading.tags,
    port_of_lading_locode: pol.locode,
    port_of_lading_name: pol.name,
    port_of_discharge_locode: pod.locode,
    port_of_discharge_name: pod.name,
    destination_locode: destination.locode,
    destination_name: destination.name,
    shipping_line_scac: reading.scac,
    shipping_line_name: line?.name ?? reading.scac,
    shipping_line_short_name: line?.shortName ?? reading.scac,
    customer_name: reading.customerName,
    pod_vessel_name: projection.podVessel?.name ?? null,
    pod_vessel_imo: projection.podVessel?.imo ?? null,
    pod_voyage_number: projection.podVoyage,
    pol_etd_at: pol.at(projection.portOfLoading.etd),
    pol_atd_at: pol.at(projection.portOfLoading.atd),
    pod_eta_at: eta,
    pod_original_eta_at: pod.at(projection.originalEta),
    pod_ata_at: pod.at(projection.portOfDischarge.ata),
    destination_eta_at: destination.at(projection.destination?.eta ?? null),
    destination_ata_at: destination.at(projection.destination?.ata ?? null),
    pol_timezone: pol.timeZone,
    pod_timezone: pod.timeZone,
    destination_timezone: destination.timeZone,
    line_tracking_last_attempted_at: reading.lastAttemptedAt,
    line_tracking_last_succeeded_at: reading.lastSucceededAt,
    line_tracking_stopped_at: reading.trackingStoppedAt,
    line_tracking_stopped_reason: reading.trackingStoppedReason,
    pol_original_etd_at: pol.at(projection.originalEtd),
    destination_original_eta_at: destination.at(projection.originalDestinationEta),
    status: shipmentStatus(reading),
    pod_eta: eta,
  }
}

/**
 * A place of the route, and how its times are converted. Its name is the source's own when the place is unknown to us.
 */
function readLeg(leg: Leg | null) {
  const unlocode = leg?.place?.unlocode ?? null
  const timeZone = leg?.place?.timeZone ?? null
  return {
    locode: unlocode,
    name: readPlace(unlocode)?.place.name ?? leg?.place?.name ?? null,
    timeZone,
    at: (time: EventTime | null) => (time === null ? null : instantOf(time, timeZone).at),
  }
}

/**
 * Where the receiver gets the containers. The place of pick-up is the destination's terminal only if there is a
 * destination.
 */
export function facilitiesOf(
  { projection }: ShipmentReading,
  agreed: Omit<ShipmentFacilities, 'id'>,
): { readonly podTerminal: TerminalReading | null; readonly destinationTerminal: TerminalReading | null } {
  return {
    podTerminal: readTerminal(agreed.podTerminalId),
    destinationTerminal: projection.destination === null ? null : readFacility(agreed.pickupFacilityId),
  }
}
