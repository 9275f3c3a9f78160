/** A shipment as agents see it. Landfall's own estimate is beside the carrier's and never replaces it. */

import type { Leg } from '../../domain/view/projection.ts'
import type { ContainerReading } from '../../modules/containers/list-containers-sql.ts'
import type { ShipmentReading } from '../../modules/shipments/list-shipments-sql.ts'
import { ownEta } from '../../modules/shipments/own-eta-resource.ts'
import * as schema from '../tool/schema.ts'
import { writeBill } from './bill.ts'
import { markUnlessCode } from './fence.ts'
import { writeLabels } from './labels.ts'
import { writeInstant, writeTime } from './local-time.ts'
import { lineSchema, placeSchema, vesselSchema, writeLine, writePlace, writeVessel } from './places.ts'

const { list, optional: maybe, number, object, orNull, text, textOrNull, texts } = schema

const leg = orNull(
  object({
    place: placeSchema,
    timezone: textOrNull,
    etd_local: textOrNull,
    atd_local: textOrNull,
    eta_local: textOrNull,
    ata_local: textOrNull,
  }),
)

export const shipmentDetails = {
  id: text,
  bill_of_lading: textOrNull,
  requested_number: textOrNull,
  ref_numbers: texts,
  tags: texts,
  status: text,
  shipping_line: lineSchema,
  routing: object({ port_of_lading: leg, port_of_discharge: leg, destination: leg }),
  vessel_at_pod: vesselSchema,
  voyage_at_pod: textOrNull,
  estimate_by_landfall: orNull(object({ eta_local: text, earliest_local: text, latest_local: text })),
  containers: object({
    count: number,
    containers: maybe(list(object({ id: text, number: text, container_number: text, status: text }))),
  }),
  tracking: object({
    last_attempted_at: textOrNull,
    last_succeeded_at: textOrNull,
    stopped_at: textOrNull,
    stopped_reason: textOrNull,
  }),
  _metadata: object({ needs_more_data_for: texts }),
} as const

export function writeShipmentDetails(
  shipment: ShipmentReading,
  of: { readonly status: string; readonly containers: readonly ContainerReading[] | null },
) {
  const { projection } = shipment
  const utc = (at: string | null) => (at === null ? null : writeInstant(at, null))
  return {
    id: shipment.id,
    bill_of_lading: writeBill(shipment),
    requested_number: markUnlessCode(shipment.billOfLadingNumber),
    ref_numbers: writeLabels(shipment.refNumbers),
    tags: writeLabels(shipment.tags),
    status: of.status,
    shipping_line: writeLine(shipment.scac),
    routing: {
      port_of_lading: writeLeg(projection.portOfLoading),
      port_of_discharge: writeLeg(projection.portOfDischarge),
      destination: projection.destination === null ? null : writeLeg(projection.destination),
    },
    vessel_at_pod: writeVessel(projection.podVessel),
    voyage_at_pod: markUnlessCode(projection.podVoyage),
    estimate_by_landfall: writeOwnEta(shipment),
    containers: {
      count: shipment.containerIds.length,
      ...(of.containers === null
        ? {}
        : {
            containers: of.containers.map((container) => ({
              id: container.id,
              number: container.projection.number,
              container_number: container.projection.number,
              status: container.status,
            })),
          }),
    },
    tracking: {
      last_attempted_at: utc(shipment.lastAttemptedAt),
      last_succeeded_at: utc(shipment.lastSucceededAt),
      stopped_at: utc(shipment.trackingStoppedAt),
      stopped_reason: shipment.trackingStoppedReason,
    },
    _metadata: { needs_more_data_for: describeUnknowns(shipment) },
  }
}

function writeLeg(leg: Leg) {
  const timezone = leg.place?.timeZone ?? null
  return {
    place: writePlace(leg.place),
    timezone,
    etd_local: writeTime(leg.etd, timezone),
    atd_local: writeTime(leg.atd, timezone),
    eta_local: writeTime(leg.eta, timezone),
    ata_local: writeTime(leg.ata, timezone),
  }
}

/** Whether the estimate is still valid is decided by the code of the API. */
function writeOwnEta(shipment: ShipmentReading) {
  if (shipment.ownEta === null || !('own_eta' in ownEta.write(shipment))) return null
  const zone = shipment.projection.portOfDischarge.place?.timeZone ?? null
  const { eta, earliest, latest } = shipment.ownEta
  return {
    eta_local: writeInstant(eta, zone),
    earliest_local: writeInstant(earliest, zone),
    latest_local: writeInstant(latest, zone),
  }
}

function describeUnknowns({ projection, containerIds }: ShipmentReading): readonly string[] {
  const { portOfDischarge } = projection
  return [
    ...(portOfDischarge.place === null ? ['port of discharge: no source has named it'] : []),
    ...(portOfDischarge.eta === null && portOfDischarge.ata === null
      ? ['arrival: no source has given an estimate']
      : []),
    ...(containerIds.length === 0 ? ['containers: no source has named any yet'] : []),
  ]
}
