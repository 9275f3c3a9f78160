/**
 * A container as a short row of a list. What is not known is left out, and the earliest last free day where it is
 * `pickup_lfd`. An empty list of holds or fees means none.
 */

import { inlandMomentsOf } from '../../modules/containers/moments.ts'
import { findTerminalReportTime } from '../../pipeline/ledger/report-times.ts'
import { flag, list, number, object, optional, text } from '../tool/schema.ts'
import { writeBill } from './bill.ts'
import type { ContainerParts } from './container-metadata.ts'
import { writeContainerSnapshot } from './container-snapshot.ts'
import { writeInstant, writeTime } from './local-time.ts'
import { placeName, writeVessel } from './places.ts'

const maybe = optional(text)

export const compactContainer = object({
  id: text,
  number: text,
  status: text,
  available_for_pickup: optional(flag),
  availability_known: flag,
  pod_terminal: maybe,
  pod_arrived_at: maybe,
  pod_discharged_at: maybe,
  pod_full_out_at: maybe,
  pickup_lfd: maybe,
  earliest_lfd: maybe,
  urgency: maybe,
  days_until_lfd: optional(number),
  act_by: maybe,
  pickup_appointment_at: maybe,
  holds: optional(list(object({ name: text, description: maybe }))),
  fees: optional(list(object({ type: text, amount: number, currency: text }))),
  shipment: object({
    id: text,
    bill_of_lading: maybe,
    shipping_line_scac: text,
    port_of_discharge: maybe,
    pod_vessel: maybe,
    pod_eta_at: maybe,
    pod_ata_at: maybe,
  }),
  terminal_checked_at: maybe,
  pod_timezone: maybe,
})

export function writeCompactContainer(parts: ContainerParts): Readonly<Record<string, unknown>> {
  const { container, shipment } = parts
  const { location, demurrage, pod_terminal } = writeContainerSnapshot(parts)
  const { outOfPort } = inlandMomentsOf(container)
  const checkedAt = findTerminalReportTime(container.projection)
  const { place, eta, ata } = shipment.projection.portOfDischarge
  const timeAtPod = (time: typeof eta) => withoutZone(writeTime(time, place?.timeZone ?? null))
  return omitNulls({
    id: container.id,
    number: container.projection.number,
    status: container.status,
    available_for_pickup: location.available_for_pickup,
    availability_known: location.available_for_pickup !== null,
    pod_terminal: pod_terminal?.name,
    pod_arrived_at: withoutZone(location.pod_arrived_at_local),
    pod_discharged_at: withoutZone(location.pod_discharged_at_local),
    pod_full_out_at: withoutZone(outOfPort === undefined ? null : writeTime(outOfPort.time, outOfPort.timeZone)),
    pickup_lfd: demurrage.pickup_lfd,
    earliest_lfd: demurrage.earliest_lfd === demurrage.pickup_lfd ? null : demurrage.earliest_lfd,
    urgency: demurrage.urgency === 'none' ? null : demurrage.urgency,
    days_until_lfd: demurrage.days_until_lfd,
    act_by: container.actsOn === demurrage.earliest_lfd ? null : container.actsOn,
    pickup_appointment_at: withoutZone(demurrage.pickup_appointment_local),
    holds: demurrage.holds?.flatMap(({ name, status, description }) =>
      status === 'hold' ? omitNulls({ name, description }) : [],
    ),
    fees: demurrage.fees?.map(({ type, amount, currency_code: currency }) => ({ type, amount, currency })),
    shipment: omitNulls({
      id: shipment.id,
      bill_of_lading: writeBill(shipment),
      shipping_line_scac: shipment.scac,
      port_of_discharge: place === null ? null : placeName(place),
      pod_vessel: writeVessel(shipment.projection.podVessel)?.name,
      pod_eta_at: timeAtPod(eta),
      pod_ata_at: timeAtPod(ata),
    }),
    terminal_checked_at: checkedAt === null ? null : writeInstant(checkedAt, null),
    pod_timezone: location.pod_timezone,
  })
}

/** The row states the zone once. */
function withoutZone(time: string | null): string | null {
  return time?.replace(/\[.*\]$/, '') ?? null
}

function omitNulls(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined))
}
