/** Follows each relation: from any number of readings to the resources that they relate to, in one batch. */

import { getShippingLines } from '../../modules/carriers/list-shipping-lines.ts'
import { readShippingLine } from '../../modules/carriers/shipping-line-resource.ts'
import { getContainers } from '../../modules/containers/get-container.ts'
import { listContainersOfShipments } from '../../modules/containers/list-containers.ts'
import { containerIdsOf, shipmentIdsOf } from '../../modules/documents/document-resource.ts'
import { type OwnEventReading, textOf } from '../../modules/events/domain-event-resource.ts'
import { readPlace } from '../../modules/ports/place-resource.ts'
import { listRawEvents } from '../../modules/provenance/list-raw-events.ts'
import { readMovingVessel } from '../../modules/routes/route-resource.ts'
import { getShipmentFacilities, getShipments } from '../../modules/shipments/get-shipment.ts'
import { facilitiesOf } from '../../modules/shipments/shipment-resource.ts'
import { placeOfRamp, readFacility, readTerminal } from '../../modules/terminals/terminal-resource.ts'
import { getTrackingRequests } from '../../modules/tracking-requests/get-tracking-request.ts'
import {
  getTransportEvents,
  listTransportEvents,
} from '../../modules/transport-events/list-transport-events.ts'
import { readVessel } from '../../modules/vessels/vessel-resource.ts'
import { getWebhooks } from '../../modules/webhooks/get-webhook.ts'
import { getNotifications, listAttempts } from '../../modules/webhooks/list-notifications.ts'
import { readWebhook } from '../../modules/webhooks/webhook-resource.ts'
import { oceanTerminalsAt } from '../../reference/terminals.ts'
import type { Caller } from '../callers/caller.ts'
import { byId, byIds, type Finder, lookUp } from './find-related.ts'
import { referenceObjects } from './reference-objects.ts'
import {
  accountItself,
  customersOf,
  customFieldsOf,
  definitionsOf,
  documentsOf,
  fieldsOf,
  optionsOf,
  representationsOf,
  savedViewsOf,
  submissionsOf,
  usersOf,
} from './related-records.ts'
import type { Reading, ReadingOf } from './resource-kinds.ts'

type FindersOf<Type extends Reading['type']> = Readonly<Record<string, Finder<ReadingOf<Type>>>>
/** Each type of own events has some: all of them have relations. */
type Finders = { readonly [Type in Reading['type']]?: FindersOf<Type> } & {
  readonly [Type in OwnEventReading['type']]: FindersOf<Type>
}

const places = {
  destination: lookUp<ReadingOf<'shipment'>>(({ projection }) =>
    readPlace(projection.destination?.place?.unlocode),
  ),
  port_of_lading: lookUp<ReadingOf<'shipment'>>(({ projection }) =>
    readPlace(projection.portOfLoading.place?.unlocode),
  ),
  port_of_discharge: lookUp<ReadingOf<'shipment'>>(({ projection }) =>
    readPlace(projection.portOfDischarge.place?.unlocode),
  ),
}

const ofContainer = {
  container: byId<OwnEventReading>(({ event }) => event.containerId, containersOf),
  shipment: byId<OwnEventReading>(({ event }) => event.shipmentId, shipmentsOf),
}

export const finders: Finders = {
  container: {
    shipment: byId(({ shipmentId }) => shipmentId, shipmentsOf),
    pickup_facility: lookUp(({ projection }) => readTerminal(projection.pickupFacility?.terminalId)),
    pod_terminal: lookUp(({ projection }) => readTerminal(projection.podTerminal?.terminalId)),
    transport_events: async ({ service, context }, from) => {
      const events = await listTransportEvents(service, context, { containerIds: from.map(({ id }) => id) })
      return Map.groupBy(events, ({ containerId }) => containerId)
    },
    custom_fields: customFieldsOf,
    raw_events: async ({ service, context }, from) => {
      const events = await listRawEvents(service, context, { containerIds: from.map(({ id }) => id) })
      const grouped = Map.groupBy(events, ({ ofContainerId }) => ofContainerId)
      return new Map([...grouped].map(([id, each]) => [id, each.map(({ event }) => event)]))
    },
  },
  shipment: {
    ...places,
    containers: async ({ service, context }, from) => {
      const shipmentIds = from.map(({ id }) => id)
      const containers = await listContainersOfShipments(service, context, { shipmentIds })
      return Map.groupBy(containers, ({ shipmentId }) => shipmentId)
    },
    pod_terminal: findFacility(({ podTerminal }) => podTerminal),
    destination_terminal: findFacility(({ destinationTerminal }) => destinationTerminal),
    line_tracking_stopped_by_user: byId(({ stoppedByUserId }) => stoppedByUserId, usersOf),
    customer: byId(({ customerId }) => customerId, customersOf),
    custom_fields: customFieldsOf,
  },
  tracking_request: {
    tracked_object: byId(({ shipmentId }) => shipmentId, shipmentsOf),
    customer: byId(({ customerId }) => customerId, customersOf),
    custom_fields: customFieldsOf,
    user: byId(({ userId }) => userId, usersOf),
    account: accountItself,
    shipping_line: async ({ service, context }, from) => {
      const scacs = [...new Set(from.flatMap(({ scac }) => scac ?? []))]
      const lines = await getShippingLines(service, context, { scacs })
      const byScac = new Map(lines.map((each) => [each.line.scac, [readShippingLine(each)]]))
      return new Map(from.map(({ id, scac }) => [id, byScac.get(scac ?? '') ?? []]))
    },
  },
  custom_field: {
    entity: async (caller, from) => {
      const load = { Shipment: shipmentsOf, Container: containersOf, TrackingRequest: requestsOf }
      const found = Object.entries(load).map(([entityType, each]) =>
        byId<ReadingOf<'custom_field'>>((field) => field.entityId, each)(
          caller,
          from.filter((field) => field.entityType === entityType),
        ),
      )
      return new Map((await Promise.all(found)).flatMap((each) => [...each]))
    },
    definition: byId(({ definitionId }) => definitionId, definitionsOf),
  },
  document: {
    account: accountItself,
    user: byId(({ userId }) => userId, usersOf),
    email_submission: byId(({ emailSubmissionId }) => emailSubmissionId, submissionsOf),
    last_document_representation: byId(({ representationId }) => representationId, representationsOf),
    shipments: byIds<ReadingOf<'document'>>(shipmentIdsOf, shipmentsOf),
    cargos: byIds<ReadingOf<'document'>>(containerIdsOf, containersOf),
  },
  attention_item: {
    shipment: byId(({ shipmentId }) => shipmentId, shipmentsOf),
    container: byId(({ containerId }) => containerId, containersOf),
    tracking_request: byId(({ trackingRequestId }) => trackingRequestId, requestsOf),
  },
  issue: {
    shipment: byId(({ shipmentId }) => shipmentId, shipmentsOf),
    tracking_request: byId(({ trackingRequestId }) => trackingRequestId, requestsOf),
  },
  note: {
    shipment: byId(({ note }) => note.shipmentId, shipmentsOf),
    container: byId(({ note }) => note.containerId, containersOf),
  },
  share_link: {
    shipment: byId(({ link }) => link.shipmentId, shipmentsOf),
    saved_view: byId(({ link }) => link.savedViewId, savedViewsOf),
  },
  email_submission: {
    account: accountItself,
    documents: byIds<ReadingOf<'email_submission'>>(({ submission }) => submission.documentIds, documentsOf),
  },
  custom_field_definition: { account: accountItself, fields: fieldsOf, options: optionsOf },
  transport_event: {
    shipment: byId(({ shipmentId }) => shipmentId, shipmentsOf),
    container: byId(({ containerId }) => containerId, containersOf),
    location: lookUp(({ unlocode }) => readPlace(unlocode)),
    vessel: lookUp(({ vesselImo, vesselName }) => readVessel(vesselImo, vesselName)),
    terminal: lookUp(({ terminalId }) => readFacility(terminalId)),
    source_event: (caller, from) =>
      byId<ReadingOf<'transport_event'>>(
        ({ sourceClaimId }) => sourceClaimId,
        async ({ service, context }, ids) => {
          const containerIds = from.map(({ containerId }) => containerId)
          const events = await listRawEvents(service, context, { containerIds, ids })
          return events.map(({ event }) => event)
        },
      )(caller, from),
    previous_version: byId(
      ({ previousVersionId }) => previousVersionId,
      ({ service, context }, ids) => getTransportEvents(service, context, { ids }),
    ),
  },
  webhook_notification: {
    reference_object: referenceObjects,
    webhook: byId(
      ({ webhookId }) => webhookId,
      async ({ service, context }, ids) => (await getWebhooks(service, context, { ids })).map(readWebhook),
    ),
    webhook_notification_logs: async ({ service, context }, from) => {
      const notificationIds = from.map(({ id }) => id)
      const attempts = await listAttempts(service, context, { notificationIds })
      return Map.groupBy(attempts, ({ notificationId }) => notificationId)
    },
  },
  webhook_notification_log: {
    webhook_notification: byId(
      ({ notificationId }) => notificationId,
      ({ service, context }, ids) => getNotifications(service, context, { ids }),
    ),
  },
  event: {
    reference_object: referenceObjects,
    shipment: byId(({ event }) => event.shipmentId, shipmentsOf),
    container: byId(({ event }) => event.containerId, containersOf),
    tracking_request: byId(({ event }) => event.trackingRequestId, requestsOf),
  },
  estimated_event: {
    shipment: byId(({ event }) => event.shipmentId, shipmentsOf),
    port: lookUp(({ event }) => readPlace(textOf(event, 'location_locode'))),
    vessel: lookUp(({ event }) => readVessel(textOf(event, 'vessel_imo'), null)),
  },
  statement: { container: byId(({ containerId }) => containerId, containersOf) },
  container_charges_event: ofContainer,
  container_created_event: ofContainer,
  container_updated_event: {
    ...ofContainer,
    terminal: lookUp(({ event }) => readTerminal(textOf(event, 'terminal_id'))),
  },
  container_pod_terminal_changed_event: {
    ...ofContainer,
    terminal: lookUp(({ event }) => readTerminal(textOf(event, 'terminal_id'))),
  },
  raw_event: {
    location: lookUp(({ observation }) => readPlace(observation.place.unlocode)),
    vessel: lookUp(({ observation: { vessel } }) => readVessel(vessel?.imo ?? null, vessel?.name ?? null)),
    container: byId(({ containerId }) => containerId, containersOf),
    terminal: lookUp(({ observation }) => readTerminal(observation.place.terminalId)),
  },
  port: {
    terminals: async (_caller, from) =>
      new Map(
        from.map(({ id, place }) => [
          id,
          oceanTerminalsAt(place.unlocode).flatMap((terminal) => readTerminal(terminal.id) ?? []),
        ]),
      ),
  },
  route: {
    route_locations: async (_caller, from) => new Map(from.map(({ id, locations }) => [id, locations])),
  },
  route_location: {
    location: lookUp(({ stop }) => readPlace(stop.at?.unlocode)),
    port: lookUp(({ stop }) => readPlace(stop.at?.unlocode)),
    inbound_vessel: lookUp(({ stop }) => readMovingVessel(stop.inbound)),
    outbound_vessel: lookUp(({ stop }) => readMovingVessel(stop.outbound)),
  },
  terminal: { port: lookUp(({ terminal }) => readPlace(terminal.unlocode)) },
  rail_terminal: {
    port: lookUp(({ terminal }) => placeOfRamp(terminal, 'port')),
    metro_area: lookUp(({ terminal }) => placeOfRamp(terminal, 'metro_area')),
  },
}

function requestsOf({ service, context }: Caller, ids: readonly string[]) {
  return getTrackingRequests(service, context, { ids })
}

function shipmentsOf({ service, context }: Caller, ids: readonly string[]) {
  return getShipments(service, context, { ids })
}

function containersOf({ service, context }: Caller, ids: readonly string[]) {
  return getContainers(service, context, { ids })
}

function findFacility(
  find: (facilities: ReturnType<typeof facilitiesOf>) => Reading | null,
): Finder<ReadingOf<'shipment'>> {
  return async ({ service, context }, from) => {
    const rows = await getShipmentFacilities(service, context, { shipments: from })
    const byShipment = new Map(rows.map((row) => [row.id, row]))
    return new Map(
      from.map((shipment) => {
        const row = byShipment.get(shipment.id)
        const found = row === undefined ? null : find(facilitiesOf(shipment, row))
        return [shipment.id, found === null ? [] : [found]]
      }),
    )
  }
}
