/** Every kind of resource by its type, and the union of the readings that they are written from. */

import type { ContainerReading } from '../../store/read/containers.ts'
import type { RawEventReading } from '../../store/read/raw-events.ts'
import type { ShipmentReading } from '../../store/read/shipments.ts'
import type { TrackingRequestReading } from '../../store/read/tracking-requests.ts'
import type { TransportEventReading } from '../../store/read/transport-events.ts'
import type { ResourceKind, ResourceType } from './resource.ts'
import { type AccountReading, account } from './resources/account.ts'
import { container } from './resources/container.ts'
import { metroArea, type PlaceReading, port } from './resources/place.ts'
import { rawEvent } from './resources/raw-event.ts'
import { shipment } from './resources/shipment.ts'
import { type ShippingLineReading, shippingLine } from './resources/shipping-line.ts'
import { railTerminal, type TerminalReading, terminal } from './resources/terminal.ts'
import { trackingRequest } from './resources/tracking-request.ts'
import { transportEvent } from './resources/transport-event.ts'
import { type VesselReading, vessel } from './resources/vessel.ts'
import { type WebhookReading, webhook } from './resources/webhook.ts'

export type Reading =
  | AccountReading
  | ContainerReading
  | PlaceReading
  | RawEventReading
  | ShipmentReading
  | ShippingLineReading
  | TerminalReading
  | TrackingRequestReading
  | TransportEventReading
  | VesselReading
  | WebhookReading

/** The readings that can have this type: a place is read as a port or a metro area. */
export type ReadingOf<Type extends Reading['type']> = OfType<Reading, Type>
type OfType<Each extends Reading, Type> = Each extends Reading
  ? Type extends Each['type']
    ? Each
    : never
  : never

const kinds: { readonly [Type in Reading['type']]: ResourceKind<ReadingOf<Type>> } = {
  account,
  container,
  metro_area: metroArea,
  port,
  rail_terminal: railTerminal,
  raw_event: rawEvent,
  shipment,
  shipping_line: shippingLine,
  terminal,
  tracking_request: trackingRequest,
  transport_event: transportEvent,
  vessel,
  webhook,
}

/** Null for the types that relations name but nothing is of yet (`user`, `party`). */
export function findKind(type: string): ResourceKind<Reading> | null {
  return (kinds as unknown as Partial<Record<string, ResourceKind<Reading>>>)[type] ?? null
}

export function kindOf(reading: Reading): ResourceKind<Reading> {
  // The table is keyed by the reading's own type, so the kind fits it.
  return kinds[reading.type] as unknown as ResourceKind<Reading>
}

export const allKinds = Object.values(kinds) as unknown as readonly ResourceKind<Reading>[]

export const isResourceType = (text: string): text is ResourceType => findKind(text) !== null
