/** `list_tracking_requests`: the tracking requests of the account, and the result of each. */

import { requestStatuses, requestTypes } from '../../../core/requests/tracking-request-state.ts'
import { Type } from '../../../platform/json-schema.ts'
import { journeyNow } from '../../../service/service.ts'
import { listTrackingRequests as listRequests } from '../../../service/tracking/requests/list-tracking-requests.ts'
import type { TrackingRequestReading } from '../../../store/read/tracking-requests.ts'
import { cutRow, fields, readFields } from '../lists/columns.ts'
import { filterNames, readFilters, requestFilter } from '../lists/list-filters.ts'
import { answerCounts, listGuidance, listOf, writeList } from '../lists/lists.ts'
import { ordering, readGroup, readSort } from '../lists/orders.ts'
import { closed, filters, oneOf, paging, readPage } from '../tool/inputs.ts'
import { maybe, row } from '../tool/schema.ts'
import { result, tool } from '../tool/tool.ts'
import { trackingRequestItem, writeTrackingRequest } from '../words/tracking-request-item.ts'
import { readWhy, why } from '../words/why.ts'

const whyMax = 25
const item = row({ ...trackingRequestItem.properties, why: maybe(why) })
const members = Object.keys(item.properties)

export const listTrackingRequests = tool({
  name: 'list_tracking_requests',
  title: 'List tracking requests',
  about: `Newest first. \`filters\`: ${filterNames.requests.join(', ')}.`,
  effect: 'read',
  input: Type.Object(
    {
      filters,
      status: Type.Optional(oneOf(requestStatuses, 'Status of the request')),
      request_type: Type.Optional(oneOf(requestTypes, 'Kind of number')),
      why: Type.Optional(
        Type.Boolean({ description: 'Add the attempts, the reason and what to do; 25 rows at most' }),
      ),
      ...ordering('requests'),
      fields,
      ...paging,
    },
    closed,
  ),
  output: listOf(item),
  run: async (asking, input) => {
    const { service, context } = asking
    const now = journeyNow(service, context.account.isFiction)
    const page = readPage(
      input.why === true ? { ...input, page_size: Math.min(input.page_size ?? whyMax, whyMax) } : input,
    )
    const names = readFields(input.fields, members)
    const by = readGroup('requests', input.count_by)
    const filter = requestFilter({
      ...readFilters('requests', input.filters),
      ...(input.status === undefined ? {} : { status: input.status }),
      ...(input.request_type === undefined ? {} : { request_type: input.request_type }),
    })
    if (by !== null) return answerCounts(asking, { list: { of: 'requests', filter, by }, now })
    const found = await listRequests(service, context, {
      filter,
      order: readSort('requests', input.sort, '-created_at'),
      page,
    })
    const whys = new Map(
      input.why === true
        ? await Promise.all(
            found.rows.map(async (each) => [each.id, await readWhy(service, context, each)] as const),
          )
        : [],
    )
    const write = (each: TrackingRequestReading) => {
      const why = whys.get(each.id)
      return cutRow(
        { ...writeTrackingRequest(each), ...(why === undefined ? {} : { why }) },
        { fields: names, rare: [] },
      )
    }
    return result(
      writeList(found, { now, page, write }),
      names === null
        ? listGuidance(found, {
            page,
            tools: ['track_container', 'correct_tracking_request', 'get_shipment_details'],
          })
        : null,
    )
  },
})
