/** Every route of the API, in the order of the OpenAPI document. Each names its own path. */

import type { FastifyInstance } from 'fastify'
import { apiDescription } from '../api/openapi/openapi-routes.ts'
import { alertRules, alertRulesTest } from '../modules/alerts/alert-rules-routes.ts'
import { apiKeys } from '../modules/api-keys/api-keys-routes.ts'
import { attentionEntries } from '../modules/attention/attention-entries-routes.ts'
import { attention } from '../modules/attention/attention-routes.ts'
import { auditEvents } from '../modules/audit/audit-events-routes.ts'
import { shippingLines } from '../modules/carriers/shipping-lines-routes.ts'
import { calendars, chargeTerms } from '../modules/charges/charge-terms-routes.ts'
import { chargesImport } from '../modules/charges/charges-import-routes.ts'
import { charges } from '../modules/charges/charges-routes.ts'
import { containersIdCharges } from '../modules/charges/container-charges-routes.ts'
import { codes } from '../modules/code-mappings/code-mappings-routes.ts'
import { connections } from '../modules/connections/connections-routes.ts'
import { containersId } from '../modules/containers/container-routes.ts'
import { containers } from '../modules/containers/containers-routes.ts'
import { containersSummary } from '../modules/containers/containers-summary-routes.ts'
import { customFieldDefinitions } from '../modules/custom-fields/custom-field-definitions-routes.ts'
import { customFieldOptions } from '../modules/custom-fields/custom-field-options-routes.ts'
import { customFields } from '../modules/custom-fields/custom-fields-routes.ts'
import { entityCustomFields } from '../modules/custom-fields/entity-custom-fields-routes.ts'
import { directUploads } from '../modules/documents/direct-uploads-routes.ts'
import { documentFiles } from '../modules/documents/document-files-routes.ts'
import { documentsId } from '../modules/documents/document-routes.ts'
import { documentSchemas } from '../modules/documents/document-schemas-routes.ts'
import { documentsIdVerbs } from '../modules/documents/document-verbs-routes.ts'
import { documents } from '../modules/documents/documents-routes.ts'
import { emailSubmissions } from '../modules/email-submissions/email-submissions-routes.ts'
import { mailboxSenders } from '../modules/email-submissions/mailbox-senders-routes.ts'
import { mailboxes } from '../modules/email-submissions/mailboxes-routes.ts'
import { changes } from '../modules/events/changes-routes.ts'
import { events } from '../modules/events/events-routes.ts'
import { evidence } from '../modules/evidence/evidence-routes.ts'
import { fleet } from '../modules/fleet/fleet-routes.ts'
import { columnMaps } from '../modules/imports/column-maps-routes.ts'
import { importsId } from '../modules/imports/import-routes.ts'
import { imports } from '../modules/imports/imports-routes.ts'
import { inboundDeliveries } from '../modules/inbound-messages/inbound-deliveries-routes.ts'
import { inboundMessages } from '../modules/inbound-messages/inbound-messages-routes.ts'
import { inferenceScorecard } from '../modules/inference/inference-scorecard-routes.ts'
import { health } from '../modules/installation/health-routes.ts'
import { invoiceAuditImport, invoiceAudits } from '../modules/invoices/invoice-audits-routes.ts'
import { issues } from '../modules/issues/issues-routes.ts'
import { me } from '../modules/me/me-routes.ts'
import { invitations } from '../modules/members/invitations-routes.ts'
import { members } from '../modules/members/members-routes.ts'
import { notes } from '../modules/notes/notes-routes.ts'
import { shipmentsIdExpectations } from '../modules/overdue/expectations-routes.ts'
import { parties } from '../modules/parties/parties-routes.ts'
import { partyRoles } from '../modules/parties/party-roles-routes.ts'
import { places } from '../modules/ports/places-routes.ts'
import { containersIdStatements } from '../modules/provenance/container-statements-routes.ts'
import { history } from '../modules/provenance/history-routes.ts'
import { snapshots } from '../modules/provenance/snapshots-routes.ts'
import { containersIdRoute } from '../modules/routes/container-route-routes.ts'
import { savedViews } from '../modules/saved-views/saved-views-routes.ts'
import { scorecardsEtas } from '../modules/scorecards/eta-scorecard-routes.ts'
import { search } from '../modules/search/search-routes.ts'
import type { Service } from '../modules/service.ts'
import { shareLinks } from '../modules/share-links/share-links-routes.ts'
import { sharedDocuments } from '../modules/share-links/shared-documents-routes.ts'
import { shipmentsIdEtas } from '../modules/shipments/shipment-etas-routes.ts'
import { shipmentsId } from '../modules/shipments/shipment-routes.ts'
import { shipmentsBatch } from '../modules/shipments/shipments-batch-routes.ts'
import { shipments } from '../modules/shipments/shipments-routes.ts'
import { shipmentsSummary } from '../modules/shipments/shipments-summary-routes.ts'
import { sourceScorecards } from '../modules/sources/source-scorecard-routes.ts'
import { sourcesRead } from '../modules/sources/sources-read-routes.ts'
import { sources } from '../modules/sources/sources-routes.ts'
import { terminals } from '../modules/terminals/terminals-routes.ts'
import { trackingRequestsInferNumber } from '../modules/tracking-requests/infer-number-routes.ts'
import { trackingRequestsIdAttempts } from '../modules/tracking-requests/tracking-request-attempts-routes.ts'
import { trackingRequestsIdCorrect } from '../modules/tracking-requests/tracking-request-correct-routes.ts'
import { trackingRequestsId } from '../modules/tracking-requests/tracking-request-routes.ts'
import { trackingRequestsBatch } from '../modules/tracking-requests/tracking-requests-batch-routes.ts'
import { trackingRequests } from '../modules/tracking-requests/tracking-requests-routes.ts'
import { tradeIntel } from '../modules/trade-intel/trade-intel-routes.ts'
import { containersIdEvents } from '../modules/transport-events/container-events-routes.ts'
import { usage } from '../modules/usage/usage-routes.ts'
import { vesselsIdFuturePositions } from '../modules/vessels/vessel-future-positions-routes.ts'
import { vessels } from '../modules/vessels/vessels-routes.ts'
import { webhookNotifications } from '../modules/webhooks/webhook-notifications-routes.ts'
import { webhooksIdVerbs } from '../modules/webhooks/webhook-routes.ts'
import { webhookInfoRoutes } from '../modules/webhooks/webhooks-about-routes.ts'
import { webhooks } from '../modules/webhooks/webhooks-routes.ts'
import { jobs } from '../pipeline/jobs/jobs-routes.ts'

export const routes: readonly ((app: FastifyInstance, service: Service) => void)[] = [
  trackingRequests,
  shipments,
  shipmentsSummary,
  containers,
  containersSummary,
  attention,
  attentionEntries,
  alertRules,
  alertRulesTest,
  trackingRequestsId,
  trackingRequestsIdCorrect,
  shipmentsId,
  shipmentsIdEtas,
  shipmentsIdExpectations,
  fleet,
  containersId,
  containersIdEvents,
  containersIdStatements,
  containersIdCharges,
  charges,
  invoiceAudits,
  evidence,
  chargeTerms,
  calendars,
  chargesImport,
  invoiceAuditImport,
  shippingLines,
  sources,
  connections,
  trackingRequestsInferNumber,
  inferenceScorecard,
  inboundDeliveries,
  inboundMessages,
  containersIdRoute,
  vesselsIdFuturePositions,
  parties,
  partyRoles,
  customFieldDefinitions,
  customFieldOptions,
  customFields,
  entityCustomFields,
  places,
  terminals,
  vessels,
  history,
  snapshots,
  issues,
  sourcesRead,
  sourceScorecards,
  trackingRequestsBatch,
  imports,
  importsId,
  codes,
  columnMaps,
  trackingRequestsIdAttempts,
  shipmentsBatch,
  search,
  savedViews,
  notes,
  shareLinks,
  sharedDocuments,
  webhooks,
  webhooksIdVerbs,
  webhookInfoRoutes,
  webhookNotifications,
  documents,
  documentsId,
  documentsIdVerbs,
  documentFiles,
  documentSchemas,
  directUploads,
  emailSubmissions,
  mailboxes,
  mailboxSenders,
  events,
  changes,
  apiKeys,
  members,
  invitations,
  auditEvents,
  scorecardsEtas,
  usage,
  jobs,
  health,
  apiDescription,
  me,
  tradeIntel,
]
