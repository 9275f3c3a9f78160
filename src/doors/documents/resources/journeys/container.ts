/** `container`: the trip of one box under one shipment, as its projection shows it. */

import { lfdInstant, pickupLfd } from '../../../../core/shown/free-time.ts'
import { containerStatuses } from '../../../../core/shown/projection.ts'
import { sourceKinds } from '../../../../core/statements/observation.ts'
import { type EventTime, instantOf } from '../../../../core/values/time.ts'
import { poundsOf } from '../../../../core/values/weight.ts'
import { railroadScac } from '../../../../reference/railroads.ts'
import { heardOf, heardOfPodTerminal } from '../../../../service/ledger/last-heard.ts'
import { inlandMomentsOf, momentsOf } from '../../../../service/tracking/containers/moments.ts'
import type { ContainerReading } from '../../../../store/read/containers.ts'
import { identifierOrNull, many, manyCut, one, type ResourceKind } from '../../shape/resource.ts'
import * as schema from '../../shape/schema.ts'
import { lastChangedBy } from '../parts/last-changed-by.ts'
import { provenance } from '../parts/provenance.ts'
import { feeSchema, holdSchema, writeFee, writeHold } from './terminal-charges.ts'

const { instantOrNull, textOrNull, zoneOrNull } = schema

const sayer = schema.oneOfOrNull(sourceKinds)
const saidBy = schema.object(
  { holds_at_pod_terminal: sayer, fees_at_pod_terminal: sayer },
  {
    description:
      'The source of the list. Null: no source has stated any, so an empty list means unknown, not none.',
  },
)

export const container: ResourceKind<ContainerReading> = {
  type: 'container',
  attributes: {
    number: schema.text(),
    ref_numbers: schema.texts(),
    equipment_type: schema.oneOfOrNull(['dry', 'reefer', 'open top', 'flat rack', 'bulk', 'tank']),
    equipment_length: schema.oneOfOrNull([10, 20, 40, 45]),
    equipment_height: schema.oneOfOrNull(['standard', 'high_cube']),
    weight_in_lbs: schema.numberOrNull(),
    created_at: schema.instant(),
    seal_number: textOrNull(),
    pickup_lfd: instantOrNull({
      description: 'Last free day, as 00:00 local time of that day. The whole day is free.',
    }),
    pickup_appointment_at: instantOrNull(),
    availability_known: { type: 'boolean' },
    available_for_pickup: schema.booleanOrNull(),
    pod_arrived_at: instantOrNull(),
    pod_discharged_at: instantOrNull(),
    pod_full_out_at: instantOrNull(),
    terminal_checked_at: instantOrNull(),
    pod_full_out_chassis_number: textOrNull(),
    location_at_pod_terminal: textOrNull(),
    final_destination_full_out_at: instantOrNull(),
    empty_terminated_at: instantOrNull(),
    holds_at_pod_terminal: schema.list(holdSchema),
    fees_at_pod_terminal: schema.list(feeSchema),
    pod_timezone: zoneOrNull(),
    final_destination_timezone: zoneOrNull(),
    empty_terminated_timezone: zoneOrNull(),
    pod_rail_carrier_scac: textOrNull(),
    ind_rail_carrier_scac: textOrNull(),
    pod_last_tracking_request_at: instantOrNull(),
    shipment_last_tracking_request_at: instantOrNull(),
    pod_rail_loaded_at: instantOrNull(),
    pod_rail_departed_at: instantOrNull(),
    ind_eta_at: instantOrNull(),
    ind_ata_at: instantOrNull(),
    ind_rail_unloaded_at: instantOrNull(),
    ind_facility_lfd_on: instantOrNull(),
    import_deadlines: schema.object({
      pickup_lfd_terminal: instantOrNull(),
      pickup_lfd_rail: instantOrNull(),
      pickup_lfd_line: instantOrNull(),
    }),
    current_status: schema.oneOf(containerStatuses),
    delivered_at: instantOrNull(),
    empty_out_at: instantOrNull(),
    pol_full_in_at: instantOrNull(),
    pol_vessel_loaded_at: instantOrNull(),
    pol_vessel_departed_at: instantOrNull(),
    rail_last_tracking_request_at: instantOrNull(),
    ind_facility_holds: { type: ['array', 'null'], items: holdSchema },
    ind_facility_fees: { type: ['array', 'null'], items: feeSchema },
    ssl_lfd: instantOrNull(),
  },
  relations: {
    shipment: one('shipment'),
    pickup_facility: one('terminal'),
    pod_terminal: one('terminal'),
    transport_events: many('transport_event'),
    raw_events: manyCut('raw_event'),
    custom_fields: many('custom_field'),
  },
  write,
  link: ({ shipmentId, projection }) => ({
    shipment: { type: 'shipment', id: shipmentId },
    pickup_facility: identifierOrNull('terminal', projection.pickupFacility?.terminalId ?? null),
    pod_terminal: identifierOrNull('terminal', projection.podTerminal?.terminalId ?? null),
  }),
  related: ({ id }) => ({
    transport_events: `/containers/${id}/transport_events`,
    raw_events: `/containers/${id}/raw_events`,
    custom_fields: `/containers/${id}/custom_fields`,
  }),
  meta: {
    properties: { ...lastChangedBy.properties, ...provenance.properties, said_by: saidBy },
    write: (reading, explained) => ({
      ...lastChangedBy.write(reading),
      ...provenance.write(explained),
      said_by: writeSaidBy(reading.projection),
    }),
  },
}

function writeSaidBy({ saidBy: by }: ContainerReading['projection']): Readonly<Record<string, unknown>> {
  return { holds_at_pod_terminal: by.holds ?? null, fees_at_pod_terminal: by.fees ?? null }
}

function write(reading: ContainerReading): Readonly<Record<string, unknown>> {
  const { projection } = reading
  const { equipment, freeTime, pickupTimeZone, portOfDischarge, destination } = projection
  const happened = momentsOf(reading.happened)
  const podZone = portOfDischarge.place?.timeZone ?? null
  const destinationZone = destination?.place?.timeZone ?? null
  const inland = inlandMomentsOf(reading)
  const goesInland = destination !== null
  const lfd = pickupLfd(freeTime)
  const holds = projection.holds.map(writeHold)
  const fees = projection.fees.map(writeFee)
  return {
    number: projection.number,
    ref_numbers: reading.refNumbers,
    equipment_type: equipment?.type ?? null,
    equipment_length: equipment?.lengthFeet ?? null,
    equipment_height: equipment?.height ?? null,
    weight_in_lbs: poundsOf(projection.weightKg),
    created_at: reading.createdAt,
    seal_number: projection.sealNumber,
    pickup_lfd: lfdAt(lfd, pickupTimeZone),
    pickup_appointment_at: at(projection.pickupAppointment, pickupTimeZone),
    availability_known: projection.available !== null,
    available_for_pickup: projection.available,
    pod_arrived_at: happened.get('vessel_arrived')?.at ?? at(portOfDischarge.ata, podZone),
    pod_discharged_at: happened.get('vessel_discharged')?.at ?? null,
    pod_full_out_at: inland.outOfPort?.at ?? null,
    terminal_checked_at: heardOf('terminal', projection),
    pod_full_out_chassis_number: projection.chassisNumber,
    location_at_pod_terminal: projection.yardLocation,
    final_destination_full_out_at: inland.outOfEnd?.at ?? null,
    empty_terminated_at: happened.get('empty_in')?.at ?? null,
    holds_at_pod_terminal: holds,
    fees_at_pod_terminal: fees,
    pod_timezone: podZone,
    final_destination_timezone: destinationZone,
    empty_terminated_timezone: happened.get('empty_in')?.timeZone ?? null,
    pod_rail_carrier_scac: railroadScac(projection.podRailCarrier),
    ind_rail_carrier_scac: railroadScac(projection.destinationRailCarrier),
    pod_last_tracking_request_at: heardOfPodTerminal(projection),
    shipment_last_tracking_request_at: reading.lastAttemptedAt,
    pod_rail_loaded_at: inland.loaded?.at ?? null,
    pod_rail_departed_at: inland.departed?.at ?? null,
    ind_eta_at: at(destination?.eta, destinationZone),
    ind_ata_at: at(destination?.ata, destinationZone),
    ind_rail_unloaded_at: inland.unloaded?.at ?? null,
    ind_facility_lfd_on: lfdAt(freeTime.rail, pickupTimeZone),
    import_deadlines: {
      pickup_lfd_terminal: lfdAt(freeTime.terminal, pickupTimeZone),
      pickup_lfd_rail: lfdAt(freeTime.rail, pickupTimeZone),
      pickup_lfd_line: lfdAt(freeTime.line, pickupTimeZone),
    },
    current_status: reading.status,
    delivered_at: at(projection.deliveredAt, pickupTimeZone),
    empty_out_at: happened.get('empty_out')?.at ?? null,
    pol_full_in_at: happened.get('full_in')?.at ?? null,
    pol_vessel_loaded_at: happened.get('vessel_loaded')?.at ?? null,
    pol_vessel_departed_at:
      happened.get('vessel_departed')?.at ??
      at(projection.portOfLoading.atd, projection.portOfLoading.place?.timeZone ?? null),
    rail_last_tracking_request_at: heardOf('rail', projection),
    ind_facility_holds: goesInland ? holds : null,
    ind_facility_fees: goesInland ? fees : null,
    ssl_lfd: lfdAt(freeTime.line, pickupTimeZone),
  }
}

function at(time: EventTime | null | undefined, timeZone: string | null): string | null {
  return time === null || time === undefined ? null : instantOf(time, timeZone).at
}

function lfdAt(lfd: EventTime | null, timeZone: string | null): string | null {
  return lfd === null ? null : lfdInstant(lfd, timeZone)
}
