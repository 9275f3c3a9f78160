/** `list_tracking_requests`: the tracking requests of the account, and the result of each. */

import { Type } from 'typebox'
import { requestStatuses, requestTypes } from '../../../core/requests/tracking-request-state.ts'
import { journeyNow } from '../../../service/service.ts'
import { listTrackingRequests as listRequests } from '../../../service/tracking/requests/list-tracking-requests.ts'
import { filterNames, readFilters, requestFilter } from '../lists/list-filters.ts'
import { listGuidance, listOf, writeList } from '../lists/lists.ts'
import { closed, filters, oneOf, paging, readPage } from '../tool/inputs.ts'
import { result, tool } from '../tool/tool.ts'
import { trackingRequestItem, writeTrackingRequest } from '../words/tracking-request-item.ts'

export const listTrackingRequests = tool({
  name: 'list_tracking_requests',
  title: 'List tracking requests',
  about: `Newest first. \`filters\` knows ${filterNames.requests.join(', ')}.`,
  effect: 'read',
  input: Type.Object(
    {
      filters,
      status: Type.Optional(oneOf(requestStatuses, 'How it stands')),
      request_type: Type.Optional(oneOf(requestTypes, 'Kind of number')),
      ...paging,
    },
    closed,
  ),
  output: listOf(trackingRequestItem),
  run: async ({ service, context }, input) => {
    const now = journeyNow(service, context.account.isFiction)
    const page = readPage(input)
    const filter = requestFilter({
      ...readFilters('requests', input.filters),
      ...(input.status === undefined ? {} : { status: input.status }),
      ...(input.request_type === undefined ? {} : { request_type: input.request_type }),
    })
    const found = await listRequests(service, context, { filter, order: '-created_at', page })
    return result(
      writeList(found, { now, page, write: writeTrackingRequest }),
      listGuidance(found, { page, tools: ['track_container', 'get_shipment_details'] }),
    )
  },
})
