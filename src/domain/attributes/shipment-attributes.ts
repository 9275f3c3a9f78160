/**
 * The attributes of a shipment, in the order of the API: of each its schema, its value, and whether it is compared. The
 * resource of the API with its description and `landfall migrate diff` follow from these rows.
 */

import { stopReasons } from '../tracking-requests/stop-tracking.ts'
import { type EventTime, instantOf } from '../values/time.ts'
import type { ShipmentProjection } from '../view/projection.ts'
import { createAttributeMakers, instant, instantOrNull, text, textOrNull, texts, zoneOrNull } from './attribute.ts'

/** What is shown of a shipment and is not in its projection. Times are ISO 8601 UTC. */
export interface ShipmentContext {
  readonly billOfLadingNumber: string
  readonly normalizedNumber: string
  readonly refNumbers: readonly string[]
  readonly tags: readonly string[]
  readonly createdAt: string
  readonly line: { readonly scac: string; readonly name: string; readonly shortName: string }
  readonly customerName: string | null
  readonly lastAttemptedAt: string | null
  readonly lastSucceededAt: string | null
  readonly trackingStoppedAt: string | null
  readonly trackingStoppedReason: string | null
  readonly status: string
  /** The name of a place of the route. It is the source's own where the place is unknown to us. */
  readonly nameOf: (place: RoutePlace) => string | null
}

export type RoutePlace = 'portOfLoading' | 'portOfDischarge' | 'destination'

const { compared, notCompared } = createAttributeMakers<ShipmentProjection, ShipmentContext>()

export const shipmentAttributes = {
  bill_of_lading_number: notCompared(text, (_, { billOfLadingNumber }) => billOfLadingNumber),
  normalized_number: notCompared(text, (_, { normalizedNumber }) => normalizedNumber),
  ref_numbers: notCompared({ type: ['array', 'null'], items: text }, (_, { refNumbers }) => refNumbers),
  created_at: notCompared(instant, (_, { createdAt }) => createdAt),
  tags: notCompared(texts, (_, { tags }) => tags),
  port_of_lading_locode: compared(textOrNull, readLocode('portOfLoading')),
  port_of_lading_name: notCompared(textOrNull, (_, { nameOf }) => nameOf('portOfLoading')),
  port_of_discharge_locode: compared(textOrNull, readLocode('portOfDischarge')),
  port_of_discharge_name: notCompared(textOrNull, (_, { nameOf }) => nameOf('portOfDischarge')),
  destination_locode: compared(textOrNull, readLocode('destination')),
  destination_name: notCompared(textOrNull, (_, { nameOf }) => nameOf('destination')),
  shipping_line_scac: compared(text, (_, { line }) => line.scac),
  shipping_line_name: notCompared(text, (_, { line }) => line.name),
  shipping_line_short_name: notCompared(text, (_, { line }) => line.shortName),
  customer_name: notCompared(textOrNull, (_, { customerName }) => customerName),
  pod_vessel_name: compared(textOrNull, ({ podVessel }) => podVessel?.name ?? null),
  pod_vessel_imo: compared(textOrNull, ({ podVessel }) => podVessel?.imo ?? null),
  pod_voyage_number: compared(textOrNull, ({ podVoyage }) => podVoyage),
  pol_etd_at: compared(
    instantOrNull,
    writePlaceTime('portOfLoading', ({ portOfLoading }) => portOfLoading.etd),
  ),
  pol_atd_at: compared(
    instantOrNull,
    writePlaceTime('portOfLoading', ({ portOfLoading }) => portOfLoading.atd),
  ),
  pod_eta_at: compared(
    instantOrNull,
    writePlaceTime('portOfDischarge', ({ portOfDischarge }) => portOfDischarge.eta),
  ),
  pod_original_eta_at: compared(
    instantOrNull,
    writePlaceTime('portOfDischarge', ({ originalEta }) => originalEta),
  ),
  pod_ata_at: compared(
    instantOrNull,
    writePlaceTime('portOfDischarge', ({ portOfDischarge }) => portOfDischarge.ata),
  ),
  destination_eta_at: compared(
    instantOrNull,
    writePlaceTime('destination', ({ destination }) => destination?.eta),
  ),
  destination_ata_at: compared(
    instantOrNull,
    writePlaceTime('destination', ({ destination }) => destination?.ata),
  ),
  pol_timezone: compared(zoneOrNull, (shipment) => zoneOf(shipment, 'portOfLoading')),
  pod_timezone: compared(zoneOrNull, (shipment) => zoneOf(shipment, 'portOfDischarge')),
  destination_timezone: compared(zoneOrNull, (shipment) => zoneOf(shipment, 'destination')),
  line_tracking_last_attempted_at: notCompared(instantOrNull, (_, beside) => beside.lastAttemptedAt),
  line_tracking_last_succeeded_at: notCompared(instantOrNull, (_, beside) => beside.lastSucceededAt),
  line_tracking_stopped_at: notCompared(instantOrNull, (_, beside) => beside.trackingStoppedAt),
  line_tracking_stopped_reason: notCompared(
    { enum: [...stopReasons, null] },
    (_, { trackingStoppedReason }) => trackingStoppedReason,
  ),
  pol_original_etd_at: notCompared(
    instantOrNull,
    writePlaceTime('portOfLoading', ({ originalEtd }) => originalEtd),
  ),
  destination_original_eta_at: notCompared(
    instantOrNull,
    writePlaceTime('destination', ({ originalDestinationEta }) => originalDestinationEta),
  ),
  status: notCompared(text, (_, { status }) => status),
  pod_eta: notCompared(
    { ...instantOrNull, description: 'The same as pod_eta_at.' },
    writePlaceTime('portOfDischarge', ({ portOfDischarge }) => portOfDischarge.eta),
  ),
}

function readLocode(place: RoutePlace) {
  return (shipment: ShipmentProjection): string | null => shipment[place]?.place?.unlocode ?? null
}

function zoneOf(shipment: ShipmentProjection, place: RoutePlace): string | null {
  return shipment[place]?.place?.timeZone ?? null
}

/** A time at one place of the route, as an instant. */
function writePlaceTime(place: RoutePlace, timeOf: (shipment: ShipmentProjection) => EventTime | null | undefined) {
  return (shipment: ShipmentProjection): string | null => {
    const time = timeOf(shipment) ?? null
    return time === null ? null : instantOf(time, zoneOf(shipment, place)).at
  }
}
