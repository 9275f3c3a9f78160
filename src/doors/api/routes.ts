/** Every route of the API, in the order of the OpenAPI document. Each names its own path. */

import type { FastifyInstance } from 'fastify'
import type { Service } from '../../service/service.ts'
import { apiKeys } from './routes/account/api-keys.ts'
import { auditEvents } from './routes/account/audit-events.ts'
import { invitations } from './routes/account/invitations.ts'
import { jobs } from './routes/account/jobs.ts'
import { members } from './routes/account/members.ts'
import { usage } from './routes/account/usage.ts'
import { alertRules } from './routes/attention/alert-rules.ts'
import { alertRulesId } from './routes/attention/alert-rules-id.ts'
import { attention } from './routes/attention/attention.ts'
import { calendars, chargeTerms } from './routes/charges/charge-terms.ts'
import { charges } from './routes/charges/charges.ts'
import { chargesImport } from './routes/charges/charges-import.ts'
import { evidence } from './routes/charges/evidence.ts'
import { invoiceAuditImport, invoiceAudits } from './routes/charges/invoice-audits.ts'
import { containers } from './routes/containers/containers.ts'
import { containersId } from './routes/containers/containers-id.ts'
import { containersIdCharges } from './routes/containers/containers-id-charges.ts'
import { containersIdEvents } from './routes/containers/containers-id-events.ts'
import { containersIdRoute } from './routes/containers/containers-id-route.ts'
import { containersIdStatements } from './routes/containers/containers-id-statements.ts'
import { customFieldDefinitions } from './routes/custom-fields/custom-field-definitions.ts'
import { customFieldOptions } from './routes/custom-fields/custom-field-options.ts'
import { customFields } from './routes/custom-fields/custom-fields.ts'
import { entityCustomFields } from './routes/custom-fields/entity-custom-fields.ts'
import { description } from './routes/description.ts'
import { directUploads } from './routes/documents/direct-uploads.ts'
import { documentFiles } from './routes/documents/document-files.ts'
import { documentSchemas } from './routes/documents/document-schemas.ts'
import { documents } from './routes/documents/documents.ts'
import { documentsId } from './routes/documents/documents-id.ts'
import { documentsIdVerbs } from './routes/documents/documents-id-verbs.ts'
import { emailSubmissions } from './routes/documents/email-submissions.ts'
import { mailboxSenders } from './routes/documents/mailbox-senders.ts'
import { mailboxes } from './routes/documents/mailboxes.ts'
import { events } from './routes/events.ts'
import { health } from './routes/health.ts'
import { history } from './routes/history.ts'
import { parties } from './routes/parties.ts'
import { places } from './routes/reference/places.ts'
import { shippingLines } from './routes/reference/shipping-lines.ts'
import { terminals } from './routes/reference/terminals.ts'
import { vessels } from './routes/reference/vessels.ts'
import { vesselsIdFuturePositions } from './routes/reference/vessels-id-future-positions.ts'
import { search } from './routes/search.ts'
import { notes } from './routes/sharing/notes.ts'
import { savedViews } from './routes/sharing/saved-views.ts'
import { shareLinks } from './routes/sharing/share-links.ts'
import { shared } from './routes/sharing/shared.ts'
import { fleet } from './routes/shipments/fleet.ts'
import { shipments } from './routes/shipments/shipments.ts'
import { shipmentsBatch } from './routes/shipments/shipments-batch.ts'
import { shipmentsId } from './routes/shipments/shipments-id.ts'
import { shipmentsIdEtas } from './routes/shipments/shipments-id-etas.ts'
import { inferenceScorecard } from './routes/sources/inference-scorecard.ts'
import { issues } from './routes/sources/issues.ts'
import { snapshots } from './routes/sources/snapshots.ts'
import { sources } from './routes/sources/sources.ts'
import { sourcesRead } from './routes/sources/sources-read.ts'
import { codes } from './routes/taking-in/codes.ts'
import { columnMaps } from './routes/taking-in/column-maps.ts'
import { imports } from './routes/taking-in/imports.ts'
import { importsId } from './routes/taking-in/imports-id.ts'
import { inbound } from './routes/taking-in/inbound.ts'
import { inboundMessages } from './routes/taking-in/inbound-messages.ts'
import { trackingRequests } from './routes/tracking/tracking-requests.ts'
import { trackingRequestsBatch } from './routes/tracking/tracking-requests-batch.ts'
import { trackingRequestsId } from './routes/tracking/tracking-requests-id.ts'
import { trackingRequestsIdAttempts } from './routes/tracking/tracking-requests-id-attempts.ts'
import { trackingRequestsInferNumber } from './routes/tracking/tracking-requests-infer-number.ts'
import { webhookNotifications } from './routes/webhooks/webhook-notifications.ts'
import { webhooks } from './routes/webhooks/webhooks.ts'
import { webhooksAbout } from './routes/webhooks/webhooks-about.ts'
import { webhooksId, webhooksIdVerbs } from './routes/webhooks/webhooks-id.ts'

export const routes: readonly ((app: FastifyInstance, service: Service) => void)[] = [
  trackingRequests,
  shipments,
  containers,
  attention,
  alertRules,
  alertRulesId,
  trackingRequestsId,
  shipmentsId,
  shipmentsIdEtas,
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
  trackingRequestsInferNumber,
  inferenceScorecard,
  inbound,
  inboundMessages,
  containersIdRoute,
  vesselsIdFuturePositions,
  parties,
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
  shared,
  webhooks,
  webhooksId,
  webhooksIdVerbs,
  webhooksAbout,
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
  apiKeys,
  members,
  invitations,
  auditEvents,
  usage,
  jobs,
  health,
  description,
]
