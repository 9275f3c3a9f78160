/** Every route of the API, in the order in which the OpenAPI document has them: each says its own path. */

import type { FastifyInstance } from 'fastify'
import type { Service } from '../../service/service.ts'
import { columnMaps } from './routes/column-maps.ts'
import { containers } from './routes/containers.ts'
import { containersId } from './routes/containers-id.ts'
import { containersIdEvents } from './routes/containers-id-events.ts'
import { containersIdRoute } from './routes/containers-id-route.ts'
import { containersIdStatements } from './routes/containers-id-statements.ts'
import { customFieldDefinitions } from './routes/custom-field-definitions.ts'
import { customFieldOptions } from './routes/custom-field-options.ts'
import { customFields } from './routes/custom-fields.ts'
import { description } from './routes/description.ts'
import { documents } from './routes/documents.ts'
import { entityCustomFields } from './routes/entity-custom-fields.ts'
import { events } from './routes/events.ts'
import { health } from './routes/health.ts'
import { history } from './routes/history.ts'
import { imports } from './routes/imports.ts'
import { importsId } from './routes/imports-id.ts'
import { inbound } from './routes/inbound.ts'
import { inboundMessages } from './routes/inbound-messages.ts'
import { inferenceScorecard } from './routes/inference-scorecard.ts'
import { issues } from './routes/issues.ts'
import { parties } from './routes/parties.ts'
import { places } from './routes/places.ts'
import { search } from './routes/search.ts'
import { shipments } from './routes/shipments.ts'
import { shipmentsBatch } from './routes/shipments-batch.ts'
import { shipmentsId } from './routes/shipments-id.ts'
import { shipmentsIdEtas } from './routes/shipments-id-etas.ts'
import { shippingLines } from './routes/shipping-lines.ts'
import { sources } from './routes/sources.ts'
import { sourcesRead } from './routes/sources-read.ts'
import { terminals } from './routes/terminals.ts'
import { trackingRequests } from './routes/tracking-requests.ts'
import { trackingRequestsBatch } from './routes/tracking-requests-batch.ts'
import { trackingRequestsId } from './routes/tracking-requests-id.ts'
import { trackingRequestsIdAttempts } from './routes/tracking-requests-id-attempts.ts'
import { trackingRequestsInferNumber } from './routes/tracking-requests-infer-number.ts'
import { vessels } from './routes/vessels.ts'
import { vesselsIdFuturePositions } from './routes/vessels-id-future-positions.ts'
import { webhookNotifications } from './routes/webhook-notifications.ts'
import { webhooks } from './routes/webhooks.ts'
import { webhooksAbout } from './routes/webhooks-about.ts'
import { webhooksId, webhooksIdVerbs } from './routes/webhooks-id.ts'

export const routes: readonly ((app: FastifyInstance, service: Service) => void)[] = [
  trackingRequests,
  shipments,
  containers,
  trackingRequestsId,
  shipmentsId,
  shipmentsIdEtas,
  containersId,
  containersIdEvents,
  containersIdStatements,
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
  issues,
  sourcesRead,
  trackingRequestsBatch,
  imports,
  importsId,
  columnMaps,
  trackingRequestsIdAttempts,
  shipmentsBatch,
  search,
  webhooks,
  webhooksId,
  webhooksIdVerbs,
  webhooksAbout,
  webhookNotifications,
  documents,
  events,
  health,
  description,
]
