/** Every kind of resource by its type, and the union of the readings from which they are written. */

import type { UsageReading } from '../../service/people/usage/get-usage.ts'
import type { ChangeReading } from '../../service/proving/explain/list-history.ts'
import type { SnapshotReading } from '../../service/proving/snapshots/get-snapshot.ts'
import type { JobReading } from '../../service/running/jobs/list-jobs.ts'
import type { AttemptReading } from '../../service/tracking/requests/list-attempts.ts'
import type { RouteLocationReading, RouteReading } from '../../service/tracking/routes/get-container-route.ts'
import type { ContainerReading } from '../../store/read/containers.ts'
import type { CustomFieldReading } from '../../store/read/custom-fields.ts'
import type { DocumentReading, RepresentationReading } from '../../store/read/documents.ts'
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
import { type AccountReading, account } from './resources/account/account.ts'
import { type ApiKeyReading, apiKey } from './resources/account/api-key.ts'
import { type AuditEventReading, auditEvent } from './resources/account/audit-event.ts'
import { change } from './resources/account/change.ts'
import { job } from './resources/account/job.ts'
import { type InvitationReading, invitation, type MemberReading, member } from './resources/account/member.ts'
import { type PartyReading, party } from './resources/account/party.ts'
import { usage } from './resources/account/usage.ts'
import { type UserReading, user } from './resources/account/user.ts'
import { type AlertRuleReading, alertRule } from './resources/attention/alert-rule.ts'
import { type AttentionItemReading, attentionItem } from './resources/attention/attention-item.ts'
import { type CalendarReading, calendar } from './resources/charges/calendar.ts'
import { type ChargeTermsReading, chargeTerms } from './resources/charges/charge-terms.ts'
import { containerChargesEvent } from './resources/charges/container-charges-event.ts'
import { type InvoiceAuditReading, invoiceAudit } from './resources/charges/invoice-audit.ts'
import { type LedgerRootReading, ledgerRoot } from './resources/charges/ledger-root.ts'
import { customField } from './resources/custom-fields/custom-field.ts'
import {
  type CustomFieldDefinitionReading,
  type CustomFieldOptionReading,
  customFieldDefinition,
  customFieldOption,
} from './resources/custom-fields/custom-field-definition.ts'
import { document } from './resources/documents/document.ts'
import { documentRepresentation } from './resources/documents/document-representation.ts'
import { type DocumentSchemaReading, documentSchema } from './resources/documents/document-schema.ts'
import { type EmailSubmissionReading, emailSubmission } from './resources/documents/email-submission.ts'
import {
  type MailboxReading,
  type MailboxSenderReading,
  mailbox,
  mailboxSender,
} from './resources/documents/mailbox.ts'
import { container } from './resources/journeys/container.ts'
import { rawEvent } from './resources/journeys/raw-event.ts'
import { route, routeLocation } from './resources/journeys/route.ts'
import { shipment } from './resources/journeys/shipment.ts'
import { shipmentEta } from './resources/journeys/shipment-eta.ts'
import { statement } from './resources/journeys/statement.ts'
import { transportEvent } from './resources/journeys/transport-event.ts'
import { metroArea, type PlaceReading, port } from './resources/reference/place.ts'
import { type ShippingLineReading, shippingLine } from './resources/reference/shipping-line.ts'
import { railTerminal, type TerminalReading, terminal } from './resources/reference/terminal.ts'
import { type VesselReading, vessel } from './resources/reference/vessel.ts'
import { type SearchResultReading, searchResult } from './resources/search-result.ts'
import { type NoteReading, note } from './resources/sharing/note.ts'
import { type SavedViewReading, savedView } from './resources/sharing/saved-view.ts'
import { type ShareLinkReading, shareLink } from './resources/sharing/share-link.ts'
import { issue } from './resources/sources/issue.ts'
import { snapshot } from './resources/sources/snapshot.ts'
import { type SourceReading, source } from './resources/sources/source.ts'
import {
  type CodeMappingReading,
  codeMapping,
  type UnmappedCodeReading,
  unmappedCode,
} from './resources/taking-in/code-mapping.ts'
import { type ColumnMapReading, columnMap } from './resources/taking-in/column-map.ts'
import {
  type ImportReading,
  type ImportRowReading,
  importKind,
  importRow,
} from './resources/taking-in/import.ts'
import { inboundMessage } from './resources/taking-in/inbound-message.ts'
import { trackingAttempt } from './resources/tracking/tracking-attempt.ts'
import { trackingRequest } from './resources/tracking/tracking-request.ts'
import {
  type TrackingRequestBatchReading,
  trackingRequestBatch,
} from './resources/tracking/tracking-request-batch.ts'
import {
  containerCreatedEvent,
  containerPodTerminalChangedEvent,
  containerUpdatedEvent,
  estimatedEvent,
  type OwnEventReading,
} from './resources/webhooks/domain-event.ts'
import { event } from './resources/webhooks/event.ts'
import { type WebhookReading, webhook } from './resources/webhooks/webhook.ts'
import {
  type WebhookEventCategoryReading,
  webhookEventCategory,
} from './resources/webhooks/webhook-event-category.ts'
import { webhookNotification } from './resources/webhooks/webhook-notification.ts'
import { webhookNotificationLog } from './resources/webhooks/webhook-notification-log.ts'
import type { ResourceKind } from './shape/resource.ts'

export type Reading =
  | AccountReading
  | ApiKeyReading
  | AuditEventReading
  | CalendarReading
  | AlertRuleReading
  | AttentionItemReading
  | ChangeReading
  | ChargeTermsReading
  | CodeMappingReading
  | ColumnMapReading
  | ContainerReading
  | CustomFieldDefinitionReading
  | CustomFieldOptionReading
  | CustomFieldReading
  | DocumentReading
  | DocumentSchemaReading
  | EmailSubmissionReading
  | EventReading
  | InboundMessageReading
  | ImportReading
  | ImportRowReading
  | IssueReading
  | InvitationReading
  | InvoiceAuditReading
  | LedgerRootReading
  | MailboxReading
  | MailboxSenderReading
  | MemberReading
  | NoteReading
  | OwnEventReading<'container_charges_event'>
  | OwnEventReading<'container_created_event'>
  | OwnEventReading<'container_pod_terminal_changed_event'>
  | OwnEventReading<'container_updated_event'>
  | OwnEventReading<'estimated_event'>
  | PartyReading
  | PlaceReading
  | RawEventReading
  | RepresentationReading
  | RouteLocationReading
  | RouteReading
  | SavedViewReading
  | SearchResultReading
  | ShareLinkReading
  | ShipmentEtaReading
  | ShipmentReading
  | ShippingLineReading
  | SnapshotReading
  | SourceReading
  | StatementReading
  | TerminalReading
  | AttemptReading
  | TrackingRequestBatchReading
  | TrackingRequestReading
  | TransportEventReading
  | JobReading
  | UnmappedCodeReading
  | UsageReading
  | UserReading
  | VesselReading
  | WebhookEventCategoryReading
  | WebhookReading
  | WebhookNotificationLogReading
  | WebhookNotificationReading

/** The readings that can have this type. A place is read as a port or as a metro area. */
export type ReadingOf<Type extends Reading['type']> = OfType<Reading, Type>
type OfType<Each extends Reading, Type> = Each extends Reading
  ? Type extends Each['type']
    ? Each
    : never
  : never

const kinds: { readonly [Type in Reading['type']]: ResourceKind<ReadingOf<Type>> } = {
  account,
  api_key: apiKey,
  audit_event: auditEvent,
  calendar,
  alert_rule: alertRule,
  attention_item: attentionItem,
  change,
  charge_terms: chargeTerms,
  code_mapping: codeMapping,
  column_map: columnMap,
  container,
  container_charges_event: containerChargesEvent,
  container_created_event: containerCreatedEvent,
  container_pod_terminal_changed_event: containerPodTerminalChangedEvent,
  container_updated_event: containerUpdatedEvent,
  custom_field: customField,
  custom_field_definition: customFieldDefinition,
  custom_field_option: customFieldOption,
  document,
  document_representation: documentRepresentation,
  document_schema: documentSchema,
  email_submission: emailSubmission,
  estimated_event: estimatedEvent,
  event,
  inbound_message: inboundMessage,
  invitation,
  invoice_audit: invoiceAudit,
  import: importKind,
  import_row: importRow,
  issue,
  job,
  ledger_root: ledgerRoot,
  mailbox,
  mailbox_sender: mailboxSender,
  member,
  metro_area: metroArea,
  note,
  party,
  port,
  rail_terminal: railTerminal,
  raw_event: rawEvent,
  route,
  route_location: routeLocation,
  saved_view: savedView,
  search_result: searchResult,
  share_link: shareLink,
  shipment,
  shipment_eta: shipmentEta,
  shipping_line: shippingLine,
  snapshot,
  source,
  statement,
  terminal,
  tracking_attempt: trackingAttempt,
  tracking_request: trackingRequest,
  tracking_request_batch: trackingRequestBatch,
  transport_event: transportEvent,
  unmapped_code: unmappedCode,
  usage,
  user,
  vessel,
  webhook,
  webhook_event_category: webhookEventCategory,
  webhook_notification: webhookNotification,
  webhook_notification_log: webhookNotificationLog,
}

/** Null for types that relations name although no resource has them. */
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
