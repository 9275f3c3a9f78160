/** Every kind of resource by its type, and the union of the readings from which they are written. */

import { type AccountReading, account } from '../../modules/accounts/account-resource.ts'
import { type AlertRuleReading, alertRule } from '../../modules/alerts/alert-rule-resource.ts'
import { type ApiKeyReading, apiKey } from '../../modules/api-keys/api-key-resource.ts'
import { type AttentionEntryReading, attentionEntry } from '../../modules/attention/attention-entry-resource.ts'
import { type AttentionItemReading, attentionItem } from '../../modules/attention/attention-item-resource.ts'
import { type AuditEventReading, auditEvent } from '../../modules/audit/audit-event-resource.ts'
import { type ShippingLineReading, shippingLine } from '../../modules/carriers/shipping-line-resource.ts'
import { type CalendarReading, calendar } from '../../modules/charges/calendar-resource.ts'
import { type ChargeTermsReading, chargeTerms } from '../../modules/charges/charge-terms-resource.ts'
import { containerChargesEvent } from '../../modules/charges/container-charges-event-resource.ts'
import {
  type CodeMappingReading,
  codeMapping,
  type UnmappedCodeReading,
  unmappedCode,
} from '../../modules/code-mappings/code-mapping-resource.ts'
import { container } from '../../modules/containers/container-resource.ts'
import type { ContainerReading } from '../../modules/containers/list-containers-sql.ts'
import {
  type CustomFieldDefinitionReading,
  type CustomFieldOptionReading,
  customFieldDefinition,
  customFieldOption,
} from '../../modules/custom-fields/custom-field-definition-resource.ts'
import { customField } from '../../modules/custom-fields/custom-field-resource.ts'
import type { CustomFieldReading } from '../../modules/custom-fields/list-custom-fields-sql.ts'
import { documentRepresentation } from '../../modules/documents/document-representation-resource.ts'
import { document } from '../../modules/documents/document-resource.ts'
import { type DocumentSchemaReading, documentSchema } from '../../modules/documents/document-schema-resource.ts'
import type { DocumentReading, RepresentationReading } from '../../modules/documents/list-documents-sql.ts'
import {
  type EmailSubmissionReading,
  emailSubmission,
} from '../../modules/email-submissions/email-submission-resource.ts'
import {
  type MailboxReading,
  type MailboxSenderReading,
  mailbox,
  mailboxSender,
} from '../../modules/email-submissions/mailbox-resource.ts'
import {
  containerCreatedEvent,
  containerPodTerminalChangedEvent,
  containerUpdatedEvent,
  estimatedEvent,
  type OwnEventReading,
} from '../../modules/events/domain-event-resource.ts'
import { event } from '../../modules/events/event-resource.ts'
import type { EventReading } from '../../modules/events/list-events-sql.ts'
import { type LedgerRootReading, ledgerRoot } from '../../modules/evidence/ledger-root-resource.ts'
import { type ColumnMapReading, columnMap } from '../../modules/imports/column-map-resource.ts'
import {
  type ImportReading,
  type ImportRowReading,
  importKind,
  importRow,
} from '../../modules/imports/import-resource.ts'
import { inboundMessage } from '../../modules/inbound-messages/inbound-message-resource.ts'
import type { InboundMessageReading } from '../../modules/inbound-messages/list-inbound-messages-sql.ts'
import { type InvoiceAuditReading, invoiceAudit } from '../../modules/invoices/invoice-audit-resource.ts'
import { issue } from '../../modules/issues/issue-resource.ts'
import type { IssueReading } from '../../modules/issues/list-issues-sql.ts'
import {
  type InvitationReading,
  invitation,
  type MemberReading,
  member,
} from '../../modules/members/member-resource.ts'
import { type UserReading, user } from '../../modules/members/user-resource.ts'
import { type NoteReading, note } from '../../modules/notes/note-resource.ts'
import { containerOverdueEvent } from '../../modules/overdue/container-overdue-event-resource.ts'
import { expectation } from '../../modules/overdue/expectation-resource.ts'
import type { ExpectationReading } from '../../modules/overdue/list-expectations.ts'
import { type PartyReading, party } from '../../modules/parties/party-resource.ts'
import { type PartyRoleReading, partyRole } from '../../modules/parties/party-role-resource.ts'
import { metroArea, type PlaceReading, port } from '../../modules/ports/place-resource.ts'
import { change } from '../../modules/provenance/change-resource.ts'
import type { SnapshotReading } from '../../modules/provenance/get-snapshot.ts'
import type { ChangeReading } from '../../modules/provenance/list-history.ts'
import type { StatementReading } from '../../modules/provenance/list-statements-sql.ts'
import { rawEvent } from '../../modules/provenance/raw-event-resource.ts'
import type { RawEventReading } from '../../modules/provenance/raw-events-sql.ts'
import { snapshot } from '../../modules/provenance/snapshot-resource.ts'
import { statement } from '../../modules/provenance/statement-resource.ts'
import type { RouteLocationReading, RouteReading } from '../../modules/routes/get-container-route.ts'
import { route, routeLocation } from '../../modules/routes/route-resource.ts'
import { type SavedViewReading, savedView } from '../../modules/saved-views/saved-view-resource.ts'
import {
  type EtaOutcomeReading,
  type EtaScoreReading,
  etaOutcome,
  etaScore,
} from '../../modules/scorecards/eta-score-resource.ts'
import { type SearchResultReading, searchResult } from '../../modules/search/search-result-resource.ts'
import { type ShareLinkReading, shareLink } from '../../modules/share-links/share-link-resource.ts'
import type { ShipmentEtaReading } from '../../modules/shipments/list-etas-sql.ts'
import type { ShipmentReading } from '../../modules/shipments/list-shipments-sql.ts'
import { shipmentEta } from '../../modules/shipments/shipment-eta-resource.ts'
import { shipment } from '../../modules/shipments/shipment-resource.ts'
import { type SourceReading, source } from '../../modules/sources/source-resource.ts'
import { type SourceScorecardReading, sourceScorecard } from '../../modules/sources/source-scorecard-resource.ts'
import { railTerminal, type TerminalReading, terminal } from '../../modules/terminals/terminal-resource.ts'
import type { AttemptReading } from '../../modules/tracking-requests/list-attempts.ts'
import type { TrackingRequestReading } from '../../modules/tracking-requests/list-tracking-requests-sql.ts'
import { trackingAttempt } from '../../modules/tracking-requests/tracking-attempt-resource.ts'
import {
  type TrackingRequestBatchReading,
  trackingRequestBatch,
} from '../../modules/tracking-requests/tracking-request-batch-resource.ts'
import { trackingRequest } from '../../modules/tracking-requests/tracking-request-resource.ts'
import type { TransportEventReading } from '../../modules/transport-events/list-transport-events-sql.ts'
import { transportEvent } from '../../modules/transport-events/transport-event-resource.ts'
import type { UsageReading } from '../../modules/usage/get-usage.ts'
import { usage } from '../../modules/usage/usage-resource.ts'
import { type VesselReading, vessel } from '../../modules/vessels/vessel-resource.ts'
import type {
  WebhookNotificationLogReading,
  WebhookNotificationReading,
} from '../../modules/webhooks/list-notifications-sql.ts'
import {
  type WebhookEventCategoryReading,
  webhookEventCategory,
} from '../../modules/webhooks/webhook-event-category-resource.ts'
import { webhookNotificationLog } from '../../modules/webhooks/webhook-notification-log-resource.ts'
import { webhookNotification } from '../../modules/webhooks/webhook-notification-resource.ts'
import { type WebhookReading, webhook } from '../../modules/webhooks/webhook-resource.ts'
import { job } from '../../pipeline/jobs/job-resource.ts'
import type { JobStatus } from '../../pipeline/jobs/list-jobs.ts'
import type { ResourceKind } from '../shape/resource-kind.ts'

export type Reading =
  | AccountReading
  | ApiKeyReading
  | AuditEventReading
  | CalendarReading
  | AlertRuleReading
  | AttentionEntryReading
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
  | ExpectationReading
  | EmailSubmissionReading
  | EtaOutcomeReading
  | EtaScoreReading
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
  | OwnEventReading<'container_overdue_event'>
  | OwnEventReading<'container_created_event'>
  | OwnEventReading<'container_pod_terminal_changed_event'>
  | OwnEventReading<'container_updated_event'>
  | OwnEventReading<'estimated_event'>
  | PartyReading
  | PartyRoleReading
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
  | SourceScorecardReading
  | StatementReading
  | TerminalReading
  | AttemptReading
  | TrackingRequestBatchReading
  | TrackingRequestReading
  | TransportEventReading
  | JobStatus
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
type OfType<Each extends Reading, Type> = Each extends Reading ? (Type extends Each['type'] ? Each : never) : never

export const kinds: { readonly [Type in Reading['type']]: ResourceKind<ReadingOf<Type>> } = {
  account,
  api_key: apiKey,
  audit_event: auditEvent,
  calendar,
  alert_rule: alertRule,
  attention_entry: attentionEntry,
  attention_item: attentionItem,
  change,
  charge_terms: chargeTerms,
  code_mapping: codeMapping,
  column_map: columnMap,
  container,
  container_charges_event: containerChargesEvent,
  container_overdue_event: containerOverdueEvent,
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
  eta_outcome: etaOutcome,
  eta_score: etaScore,
  estimated_event: estimatedEvent,
  event,
  inbound_message: inboundMessage,
  invitation,
  expectation,
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
  party_role: partyRole,
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
  source_scorecard: sourceScorecard,
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
