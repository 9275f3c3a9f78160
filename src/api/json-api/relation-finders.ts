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
import { getTransportEvents, listTransportEvents } from '../../modules/transport-events/list-transport-events.ts'
import { readVessel } from '../../modules/vessels/vessel-resource.ts'
import { getWebhooks } from '../../modules/webhooks/get-webhook.ts'
import { getNotifications, listAttempts } from '../../modules/webhooks/list-notifications.ts'
import { readWebhook } from '../../modules/webhooks/webhook-resource.ts'
import { oceanTerminalsAt } from '../../reference/terminals.ts'
import type { Caller } from '../callers/caller.ts'
import { type Finder, makeFinderById, makeFinderByIds, makeLookupFinder } from './find-related.ts'
import { referenceObjects } from './reference-objects.ts'
import {
  customersOf,
  customFieldsOf,
  definitionsOf,
  documentsOf,
  findCallerAccount,
  findDefinitionFields,
  optionsOf,
  partyRolesOf,
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
  destination: makeLookupFinder<ReadingOf<'shipment'>>(({ projection }) =>
    readPlace(projection.destination?.place?.unlocode),
  ),
  port_of_lading: makeLookupFinder<ReadingOf<'shipment'>>(({ projection }) =>
    readPlace(projection.portOfLoading.place?.unlocode),
  ),
  port_of_discharge: makeLookupFinder<ReadingOf<'shipment'>>(({ projection }) =>
    readPlace(projection.portOfDischarge.place?.unlocode),
  ),
}

const ofContainer = {
  container: makeFinderById<OwnEventReading>(({ event }) => event.containerId, containersOf),
  shipment: makeFinderById<OwnEventReading>(({ event }) => event.shipmentId, shipmentsOf),
}

export const finders: Finders = {
  container: {
    shipment: makeFinderById(({ shipmentId }) => shipmentId, shipmentsOf),
    pickup_facility: makeLookupFinder(({ projection }) => readTerminal(projection.pickupFacility?.terminalId)),
    pod_terminal: makeLookupFinder(({ projection }) => readTerminal(projection.podTerminal?.terminalId)),
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
    line_tracking_stopped_by_user: makeFinderById(({ stoppedByUserId }) => stoppedByUserId, usersOf),
    customer: makeFinderById(({ customerId }) => customerId, customersOf),
    party_roles: partyRolesOf('shipment'),
    custom_fields: customFieldsOf,
  },
  party_role: { party: makeFinderById(({ role }) => role.partyId, customersOf) },
  tracking_request: {
    tracked_object: makeFinderById(({ shipmentId }) => shipmentId, shipmentsOf),
    customer: makeFinderById(({ customerId }) => customerId, customersOf),
    party_roles: partyRolesOf('tracking_request'),
    custom_fields: customFieldsOf,
    user: makeFinderById(({ userId }) => userId, usersOf),
    account: findCallerAccount,
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
        makeFinderById<ReadingOf<'custom_field'>>((field) => field.entityId, each)(
          caller,
          from.filter((field) => field.entityType === entityType),
        ),
      )
      return new Map((await Promise.all(found)).flatMap((each) => [...each]))
    },
    definition: makeFinderById(({ definitionId }) => definitionId, definitionsOf),
  },
  document: {
    account: findCallerAccount,
    user: makeFinderById(({ userId }) => userId, usersOf),
    email_submission: makeFinderById(({ emailSubmissionId }) => emailSubmissionId, submissionsOf),
    last_document_representation: makeFinderById(({ representationId }) => representationId, representationsOf),
    parent_document: makeLookupFinder(() => null),
    shipments: makeFinderByIds<ReadingOf<'document'>>(shipmentIdsOf, shipmentsOf),
    cargos: makeFinderByIds<ReadingOf<'document'>>(containerIdsOf, containersOf),
  },
  attention_entry: {
    shipment: makeFinderById(({ items }) => items[0]?.shipmentId ?? null, shipmentsOf),
    container: makeFinderById(({ items }) => items[0]?.containerId ?? null, containersOf),
    tracking_request: makeFinderById(({ items }) => items[0]?.trackingRequestId ?? null, requestsOf),
    assigned_to: makeFinderById(({ assignedTo }) => assignedTo, usersOf),
  },
  eta_outcome: { shipment: makeFinderById(({ shipmentId }) => shipmentId, shipmentsOf) },
  expectation: {
    container: makeFinderById(({ id }) => id, containersOf),
    shipment: makeFinderById(({ shipmentId }) => shipmentId, shipmentsOf),
  },
  attention_item: {
    shipment: makeFinderById(({ shipmentId }) => shipmentId, shipmentsOf),
    container: makeFinderById(({ containerId }) => containerId, containersOf),
    tracking_request: makeFinderById(({ trackingRequestId }) => trackingRequestId, requestsOf),
  },
  issue: {
    shipment: makeFinderById(({ shipmentId }) => shipmentId, shipmentsOf),
    tracking_request: makeFinderById(({ trackingRequestId }) => trackingRequestId, requestsOf),
  },
  note: {
    shipment: makeFinderById(({ note }) => note.shipmentId, shipmentsOf),
    container: makeFinderById(({ note }) => note.containerId, containersOf),
  },
  share_link: {
    shipment: makeFinderById(({ link }) => link.shipmentId, shipmentsOf),
    saved_view: makeFinderById(({ link }) => link.savedViewId, savedViewsOf),
  },
  email_submission: {
    account: findCallerAccount,
    documents: makeFinderByIds<ReadingOf<'email_submission'>>(({ submission }) => submission.documentIds, documentsOf),
  },
  custom_field_definition: { account: findCallerAccount, fields: findDefinitionFields, options: optionsOf },
  transport_event: {
    shipment: makeFinderById(({ shipmentId }) => shipmentId, shipmentsOf),
    container: makeFinderById(({ containerId }) => containerId, containersOf),
    location: makeLookupFinder(({ unlocode }) => readPlace(unlocode)),
    vessel: makeLookupFinder(({ vesselImo, vesselName }) => readVessel(vesselImo, vesselName)),
    terminal: makeLookupFinder(({ terminalId }) => readFacility(terminalId)),
    source_event: (caller, from) =>
      makeFinderById<ReadingOf<'transport_event'>>(
        ({ sourceClaimId }) => sourceClaimId,
        async ({ service, context }, ids) => {
          const containerIds = from.map(({ containerId }) => containerId)
          const events = await listRawEvents(service, context, { containerIds, ids })
          return events.map(({ event }) => event)
        },
      )(caller, from),
    previous_version: makeFinderById(
      ({ previousVersionId }) => previousVersionId,
      ({ service, context }, ids) => getTransportEvents(service, context, { ids }),
    ),
  },
  webhook_notification: {
    reference_object: referenceObjects,
    webhook: makeFinderById(
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
    webhook_notification: makeFinderById(
      ({ notificationId }) => notificationId,
      ({ service, context }, ids) => getNotifications(service, context, { ids }),
    ),
  },
  event: {
    reference_object: referenceObjects,
    shipment: makeFinderById(({ event }) => event.shipmentId, shipmentsOf),
    container: makeFinderById(({ event }) => event.containerId, containersOf),
    tracking_request: makeFinderById(({ event }) => event.trackingRequestId, requestsOf),
  },
  estimated_event: {
    shipment: makeFinderById(({ event }) => event.shipmentId, shipmentsOf),
    port: makeLookupFinder(({ event }) => readPlace(textOf(event, 'location_locode'))),
    vessel: makeLookupFinder(({ event }) => readVessel(textOf(event, 'vessel_imo'), null)),
  },
  statement: { container: makeFinderById(({ containerId }) => containerId, containersOf) },
  container_charges_event: ofContainer,
  container_overdue_event: ofContainer,
  container_created_event: ofContainer,
  container_updated_event: {
    ...ofContainer,
    terminal: makeLookupFinder(({ event }) => readTerminal(textOf(event, 'terminal_id'))),
  },
  container_pod_terminal_changed_event: {
    ...ofContainer,
    terminal: makeLookupFinder(({ event }) => readTerminal(textOf(event, 'terminal_id'))),
  },
  raw_event: {
    location: makeLookupFinder(({ observation }) => readPlace(observation.place.unlocode)),
    vessel: makeLookupFinder(({ observation: { vessel } }) => readVessel(vessel?.imo ?? null, vessel?.name ?? null)),
    container: makeFinderById(({ containerId }) => containerId, containersOf),
    terminal: makeLookupFinder(({ observation }) => readTerminal(observation.place.terminalId)),
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
    location: makeLookupFinder(({ stop }) => readPlace(stop.at?.unlocode)),
    port: makeLookupFinder(({ stop }) => readPlace(stop.at?.unlocode)),
    inbound_vessel: makeLookupFinder(({ stop }) => readMovingVessel(stop.inbound)),
    outbound_vessel: makeLookupFinder(({ stop }) => readMovingVessel(stop.outbound)),
  },
  terminal: { port: makeLookupFinder(({ terminal }) => readPlace(terminal.unlocode)) },
  rail_terminal: {
    port: makeLookupFinder(({ terminal }) => placeOfRamp(terminal, 'port')),
    metro_area: makeLookupFinder(({ terminal }) => placeOfRamp(terminal, 'metro_area')),
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
