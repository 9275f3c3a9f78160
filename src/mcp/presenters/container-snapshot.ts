/** A container as agents see it, with what is not known of it and how old the rest is. */

import { poundsOf } from '../../domain/attributes/container-attributes.ts'
import type { EventTime } from '../../domain/values/time.ts'
import { lfdDay, pickupLfd } from '../../domain/view/free-time.ts'
import type { MilestoneName } from '../../domain/view/projection.ts'
import type { ContainerReading } from '../../modules/containers/list-containers-sql.ts'
import { inlandMomentsOf, type Moment, momentsOf } from '../../modules/containers/moments.ts'
import { freeUntilOf } from '../../modules/containers/urgency.ts'
import type { ShipmentReading } from '../../modules/shipments/list-shipments-sql.ts'
import { railroadScac } from '../../reference/railroads.ts'
import * as schema from '../tool/schema.ts'
import { writeBill } from './bill.ts'
import { type ContainerParts, containerMetadata, writeContainerMetadata } from './container-metadata.ts'
import { markForeignText, markUnlessCode } from './fence.ts'
import { writeLabels } from './labels.ts'
import { writeInstant, writeTime } from './local-time.ts'
import { lineSchema, placeSchema, terminalSchema, writeLine, writePlace, writeTerminal } from './places.ts'
import { writeUrgency } from './urgency.ts'

const { flagOrNull, list, number, numberOrNull, object, orNull, text, textOrNull } = schema

export const shipmentOfContainer = object({
  id: text,
  bill_of_lading: textOrNull,
  ref_numbers: schema.texts,
  shipping_line: lineSchema,
  port_of_lading: placeSchema,
  port_of_discharge: placeSchema,
  destination: placeSchema,
  pod_eta_local: textOrNull,
  tracking_stopped_reason: textOrNull,
})

export const containerSnapshot = {
  id: text,
  number: text,
  container_number: text,
  status: text,
  status_source: textOrNull,
  equipment: object({
    type: textOrNull,
    length: numberOrNull,
    height: textOrNull,
    weight_lbs: numberOrNull,
    seal_number: textOrNull,
  }),
  location: object({
    yard_location: textOrNull,
    available_for_pickup: flagOrNull,
    pod_arrived_at_local: textOrNull,
    pod_discharged_at_local: textOrNull,
    full_out_at_local: textOrNull,
    delivered_at_local: textOrNull,
    empty_returned_at_local: textOrNull,
    pod_timezone: textOrNull,
  }),
  demurrage: object({
    pickup_lfd: textOrNull,
    earliest_lfd: textOrNull,
    last_free_days: object({ terminal: textOrNull, rail: textOrNull, line: textOrNull }),
    pickup_appointment_local: textOrNull,
    fees: orNull(list(object({ type: text, amount: number, currency_code: text }))),
    holds: orNull(list(object({ name: text, status: text, description: textOrNull }))),
    urgency: textOrNull,
    urgency_suppressed: schema.flag,
    urgency_reason: text,
    days_until_lfd: numberOrNull,
  }),
  rail: object({
    pod_rail_carrier: textOrNull,
    destination_rail_carrier: textOrNull,
    loaded_at_local: textOrNull,
    departed_at_local: textOrNull,
    destination_eta_local: textOrNull,
    destination_arrived_at_local: textOrNull,
    unloaded_at_local: textOrNull,
  }),
  shipment: schema.optional(shipmentOfContainer),
  pod_terminal: terminalSchema,
  created_at: text,
  _metadata: containerMetadata,
} as const

export function writeContainerSnapshot({ container, shipment, now }: ContainerParts) {
  const { projection } = container
  const moments = momentsOf(container.happened)
  const pod = projection.portOfDischarge
  const podZone = pod.place?.timeZone ?? null
  const pickupZone = projection.pickupTimeZone
  const inland = inlandMomentsOf(container)
  const written = (moment: Moment | undefined): string | null =>
    moment === undefined ? null : writeTime(moment.time, moment.timeZone)
  const when = (name: MilestoneName): string | null => written(moments.get(name))
  const lastFree = (time: EventTime | null): string | null => (time === null ? null : lfdDay(time, pickupZone))
  const { destination, equipment, freeTime } = projection
  const destinationZone = destination?.place?.timeZone ?? null
  return {
    id: container.id,
    number: projection.number,
    container_number: projection.number,
    status: container.status,
    status_source: statusSource(container),
    equipment: {
      type: equipment?.type ?? null,
      length: equipment?.lengthFeet ?? null,
      height: equipment?.height ?? null,
      weight_lbs: poundsOf(projection.weightKg),
      seal_number: markUnlessCode(projection.sealNumber),
    },
    location: {
      yard_location: markForeignText(projection.yardLocation),
      available_for_pickup: projection.available,
      pod_arrived_at_local: when('vessel_arrived') ?? writeTime(pod.ata, podZone),
      pod_discharged_at_local: when('vessel_discharged'),
      full_out_at_local: when('full_out'),
      delivered_at_local: writeTime(projection.deliveredAt, pickupZone),
      empty_returned_at_local: when('empty_in'),
      pod_timezone: podZone,
    },
    demurrage: {
      pickup_lfd: lastFree(pickupLfd(freeTime)),
      earliest_lfd: freeUntilOf(container)?.on ?? null,
      last_free_days: {
        terminal: lastFree(freeTime.terminal),
        rail: lastFree(freeTime.rail),
        line: lastFree(freeTime.line),
      },
      pickup_appointment_local: writeTime(projection.pickupAppointment, pickupZone),
      fees: knownOrNull(
        projection,
        'fee',
        projection.fees.map(({ type, amount, currencyCode }) => ({
          type,
          amount,
          currency_code: markUnlessCode(currencyCode),
        })),
      ),
      holds: knownOrNull(
        projection,
        'hold',
        projection.holds.map(({ name, status, description }) => ({
          name: markUnlessCode(name),
          status,
          description: markForeignText(description),
        })),
      ),
      ...writeUrgency(container, shipment, now),
    },
    rail: {
      pod_rail_carrier: markUnlessCode(railroadScac(projection.podRailCarrier)),
      destination_rail_carrier: markUnlessCode(railroadScac(projection.destinationRailCarrier)),
      loaded_at_local: written(inland.loaded),
      departed_at_local: written(inland.departed),
      destination_eta_local: writeTime(destination?.eta, destinationZone),
      destination_arrived_at_local: writeTime(destination?.ata, destinationZone),
      unloaded_at_local: written(inland.unloaded),
    },
    pod_terminal: writeTerminal(projection.podTerminal),
    created_at: writeInstant(container.createdAt, null),
    _metadata: writeContainerMetadata({ container, shipment, now }),
  }
}

/** Null for an empty list, unless a terminal has given information: only then does it mean that none exist. */
/** Null where no terminal has said of them, nor of the availability, anything. */
function knownOrNull<T>(
  { available, saidBy }: ContainerReading['projection'],
  fact: 'fee' | 'hold',
  entries: readonly T[],
): readonly T[] | null {
  const hasStatement = saidBy[fact] !== undefined || saidBy[`${fact}s`] !== undefined
  return entries.length > 0 || hasStatement || available !== null ? entries : null
}

function statusSource({ happened }: ContainerReading): string | null {
  const last = happened.at(-1)
  return last === undefined ? null : `${last.name} ${writeTime(last.time, last.timeZone)}`
}

export function writeShipmentOfContainer({ projection, ...shipment }: ShipmentReading) {
  const pod = projection.portOfDischarge
  return {
    id: shipment.id,
    bill_of_lading: writeBill({ projection, ...shipment }),
    ref_numbers: writeLabels(shipment.refNumbers),
    shipping_line: writeLine(shipment.scac),
    port_of_lading: writePlace(projection.portOfLoading.place),
    port_of_discharge: writePlace(pod.place),
    destination: writePlace(projection.destination?.place),
    pod_eta_local: writeTime(pod.eta, pod.place?.timeZone ?? null),
    tracking_stopped_reason: shipment.trackingStoppedReason,
  }
}
