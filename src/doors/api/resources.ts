/** Every kind of resource by its type, and the union of the readings that they are written from. */

import type { ChangeReading } from '../../service/proving/explain/list-history.ts'
import type { AttemptReading } from '../../service/tracking/requests/list-attempts.ts'
import type { RouteLocationReading, RouteReading } from '../../service/tracking/routes/get-container-route.ts'
import type { ContainerReading } from '../../store/read/containers.ts'
import type { CustomFieldReading } from '../../store/read/custom-fields.ts'
import type { EventReading } from '../../store/read/events.ts'
import type { InboundMessageReading } from '../../store/read/inbound-messages.ts'
import type { IssueReading } from '../../store/read/issues.ts'
import type { RawEventReading } from '../../store/read/raw-events.ts'
import type { ShipmentEtaReading } from '../../store/read/shipment-etas.ts'
import type { ShipmentReading } from '../../store/read/shipments.ts'
import type { StatementReading } from '../../store/read/statements.ts'
import type { TrackingRequestReading } from '../../store/read/tracking-requests.ts'
import type { TransportEventReading } from '../../store/read/transport-events.ts'
import type {
  WebhookNotificationLogReading,
  WebhookNotificationReading,
} from '../../store/read/webhook-notifications.ts'
import type { ResourceKind } from './resource.ts'
import { type AccountReading, account } from './resources/account.ts'
import { change } from './resources/change.ts'
import { type ColumnMapReading, columnMap } from './resources/column-map.ts'
import { container } from './resources/container.ts'
import { customField } from './resources/custom-field.ts'
import {
  type CustomFieldDefinitionReading,
  type CustomFieldOptionReading,
  customFieldDefinition,
  customFieldOption,
} from './resources/custom-field-definition.ts'
import {
  type DocumentReading,
  type DocumentRepresentationReading,
  document,
  documentRepresentation,
  type EmailSubmissionReading,
  emailSubmission,
} from './resources/document.ts'
import {
  containerCreatedEvent,
  containerPodTerminalChangedEvent,
  containerUpdatedEvent,
  estimatedEvent,
  type OwnEventReading,
} from './resources/domain-event.ts'
import { event } from './resources/event.ts'
import { type ImportReading, type ImportRowReading, importKind, importRow } from './resources/import.ts'
import { inboundMessage } from './resources/inbound-message.ts'
import { issue } from './resources/issue.ts'
import { type PartyReading, party } from './resources/party.ts'
import { metroArea, type PlaceReading, port } from './resources/place.ts'
import { rawEvent } from './resources/raw-event.ts'
import { route, routeLocation } from './resources/route.ts'
import { type SearchResultReading, searchResult } from './resources/search-result.ts'
import { shipment } from './resources/shipment.ts'
import { shipmentEta } from './resources/shipment-eta.ts'
import { type ShippingLineReading, shippingLine } from './resources/shipping-line.ts'
import { type SourceReading, source } from './resources/source.ts'
import { statement } from './resources/statement.ts'
import { railTerminal, type TerminalReading, terminal } from './resources/terminal.ts'
import { trackingAttempt } from './resources/tracking-attempt.ts'
import { trackingRequest } from './resources/tracking-request.ts'
import { type TrackingRequestBatchReading, trackingRequestBatch } from './resources/tracking-request-batch.ts'
import { transportEvent } from './resources/transport-event.ts'
import { type UserReading, user } from './resources/user.ts'
import { type VesselReading, vessel } from './resources/vessel.ts'
import { type WebhookReading, webhook } from './resources/webhook.ts'
import { type WebhookEventCategoryReading, webhookEventCategory } from './resources/webhook-event-category.ts'
import { webhookNotification } from './resources/webhook-notification.ts'
import { webhookNotificationLog } from './resources/webhook-notification-log.ts'

export type Reading =
  | AccountReading
  | ChangeReading
  | ColumnMapReading
  | ContainerReading
  | CustomFieldDefinitionReading
  | CustomFieldOptionReading
  | CustomFieldReading
  | DocumentReading
  | DocumentRepresentationReading
  | EmailSubmissionReading
  | EventReading
  | InboundMessageReading
  | ImportReading
  | ImportRowReading
  | IssueReading
  | OwnEventReading<'container_created_event'>
  | OwnEventReading<'container_pod_terminal_changed_event'>
  | OwnEventReading<'container_updated_event'>
  | OwnEventReading<'estimated_event'>
  | PartyReading
  | PlaceReading
  | RawEventReading
  | RouteLocationReading
  | RouteReading
  | SearchResultReading
  | ShipmentEtaReading
  | ShipmentReading
  | ShippingLineReading
  | SourceReading
  | StatementReading
  | TerminalReading
  | AttemptReading
  | TrackingRequestBatchReading
  | TrackingRequestReading
  | TransportEventReading
  | UserReading
  | VesselReading
  | WebhookEventCategoryReading
  | WebhookReading
  | WebhookNotificationLogReading
  | WebhookNotificationReading

/** The readings that can have this type: a place is read as a port or a metro area. */
export type ReadingOf<Type extends Reading['type']> = OfType<Reading, Type>
type OfType<Each extends Reading, Type> = Each extends Reading
  ? Type extends Each['type']
    ? Each
    : never
  : never

const kinds: { readonly [Type in Reading['type']]: ResourceKind<ReadingOf<Type>> } = {
  account,
  change,
  column_map: columnMap,
  container,
  container_created_event: containerCreatedEvent,
  container_pod_terminal_changed_event: containerPodTerminalChangedEvent,
  container_updated_event: containerUpdatedEvent,
  custom_field: customField,
  custom_field_definition: customFieldDefinition,
  custom_field_option: customFieldOption,
  document,
  document_representation: documentRepresentation,
  email_submission: emailSubmission,
  estimated_event: estimatedEvent,
  event,
  inbound_message: inboundMessage,
  import: importKind,
  import_row: importRow,
  issue,
  metro_area: metroArea,
  party,
  port,
  rail_terminal: railTerminal,
  raw_event: rawEvent,
  route,
  route_location: routeLocation,
  search_result: searchResult,
  shipment,
  shipment_eta: shipmentEta,
  shipping_line: shippingLine,
  source,
  statement,
  terminal,
  tracking_attempt: trackingAttempt,
  tracking_request: trackingRequest,
  tracking_request_batch: trackingRequestBatch,
  transport_event: transportEvent,
  user,
  vessel,
  webhook,
  webhook_event_category: webhookEventCategory,
  webhook_notification: webhookNotification,
  webhook_notification_log: webhookNotificationLog,
}

/** Null for the types that relations name but nothing is of. */
export function findKind(type: string): ResourceKind<Reading> | null {
  return isType(type) ? kindOfType(type) : null
}

export function kindOf(reading: Reading): ResourceKind<Reading> {
  return kindOfType(reading.type)
}

export const allKinds = Object.values(kinds)

function kindOfType<Type extends Reading['type']>(type: Type): ResourceKind<ReadingOf<Type>> {
  return kinds[type]
}

function isType(type: string): type is Reading['type'] {
  return Object.hasOwn(kinds, type)
}
