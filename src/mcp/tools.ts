/** All tools, in the order of the list. The order never changes, so that clients can cache the list. */

import type { Tool } from './tool/tool.ts'
import { attention } from './tools/attention.ts'
import { brief } from './tools/brief.ts'
import { correctTrackingRequest } from './tools/correct-tracking-request.ts'
import { explainValue } from './tools/explain-value.ts'
import { fetchPage } from './tools/fetch.ts'
import { getCharges } from './tools/get-charges.ts'
import { getContainer } from './tools/get-container.ts'
import { getContainerRawEvents } from './tools/get-container-raw-events.ts'
import { getContainerRoute } from './tools/get-container-route.ts'
import { getContainerTransportEvents } from './tools/get-container-transport-events.ts'
import { getScorecard } from './tools/get-scorecard.ts'
import { getShipmentDetails } from './tools/get-shipment-details.ts'
import { getSupportedShippingLines } from './tools/get-supported-shipping-lines.ts'
import { getVessel } from './tools/get-vessel.ts'
import { inferNumber } from './tools/infer-number.ts'
import { listContainers } from './tools/list-containers.ts'
import { listDocuments } from './tools/list-documents.ts'
import { listInvoiceAudits } from './tools/list-invoice-audits.ts'
import { listParties } from './tools/list-parties.ts'
import { listShipments } from './tools/list-shipments.ts'
import { listTrackingRequests } from './tools/list-tracking-requests.ts'
import { redeliver } from './tools/redeliver.ts'
import { refreshContainer } from './tools/refresh-container.ts'
import { resumeTracking } from './tools/resume-tracking.ts'
import { search } from './tools/search.ts'
import { searchContainer } from './tools/search-container.ts'
import { searchDocs } from './tools/search-docs.ts'
import { shareShipment } from './tools/share-shipment.ts'
import { stopTracking } from './tools/stop-tracking.ts'
import { summarizeContainers } from './tools/summarize-containers.ts'
import { trackContainer } from './tools/track-container.ts'
import { trackNumbers } from './tools/track-numbers.ts'
import { tradeIntel, tradeToolNames } from './tools/trade-intel.ts'
import { updateShipment } from './tools/update-shipment.ts'
import { verifyAnswer } from './tools/verify-answer.ts'
import { webhookHealth } from './tools/webhook-health.ts'
import { whatChanged } from './tools/what-changed.ts'
import { whoami } from './tools/whoami.ts'

export const tools: readonly Tool[] = [
  searchContainer,
  trackContainer,
  getContainer,
  getShipmentDetails,
  getContainerTransportEvents,
  getSupportedShippingLines,
  getContainerRoute,
  listShipments,
  listContainers,
  listTrackingRequests,
  inferNumber,
  getContainerRawEvents,
  refreshContainer,
  stopTracking,
  resumeTracking,
  updateShipment,
  webhookHealth,
  redeliver,
  explainValue,
  attention,
  brief,
  whatChanged,
  trackNumbers,
  correctTrackingRequest,
  getCharges,
  search,
  fetchPage,
  summarizeContainers,
  listParties,
  searchDocs,
  whoami,
  getScorecard,
  listDocuments,
  listInvoiceAudits,
  getVessel,
  shareShipment,
  verifyAnswer,
]

/** Tools that are answered by their names and not listed. */
export const unlistedTools: readonly Tool[] = [tradeIntel]

/** Other names of tools, under which they are called and not listed. */
export const otherNames: ReadonlyMap<string, string> = new Map([
  ['list_webhook_failures', webhookHealth.name],
  ...tradeToolNames.map((name) => [name, tradeIntel.name] as const),
])
