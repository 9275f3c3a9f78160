/** All tools, in the order of the list. The order never changes, so that clients can cache the list. */

import type { Tool } from './tool/tool.ts'
import { attention } from './tools/attention.ts'
import { explainValue } from './tools/explain-value.ts'
import { getCharges } from './tools/get-charges.ts'
import { getContainer } from './tools/get-container.ts'
import { getContainerRawEvents } from './tools/get-container-raw-events.ts'
import { getContainerRoute } from './tools/get-container-route.ts'
import { getContainerTransportEvents } from './tools/get-container-transport-events.ts'
import { getShipmentDetails } from './tools/get-shipment-details.ts'
import { getSupportedShippingLines } from './tools/get-supported-shipping-lines.ts'
import { inferNumber } from './tools/infer-number.ts'
import { listContainers } from './tools/list-containers.ts'
import { listShipments } from './tools/list-shipments.ts'
import { listTrackingRequests } from './tools/list-tracking-requests.ts'
import { listWebhookFailures } from './tools/list-webhook-failures.ts'
import { refreshContainer } from './tools/refresh-container.ts'
import { resumeTracking } from './tools/resume-tracking.ts'
import { searchContainer } from './tools/search-container.ts'
import { stopTracking } from './tools/stop-tracking.ts'
import { trackContainer } from './tools/track-container.ts'
import { updateShipment } from './tools/update-shipment.ts'

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
  listWebhookFailures,
  explainValue,
  attention,
  getCharges,
]
