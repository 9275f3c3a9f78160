/** `list_tracking_requests`: the tracking requests of the account, and the result of each. */

import type { PageRequest } from '../../db/listing/page.ts'
import { requestStatuses, requestTypes } from '../../domain/tracking-requests/tracking-request-state.ts'
import { journeyNow } from '../../modules/service.ts'
import { listTrackingRequests as listRequests } from '../../modules/tracking-requests/list-tracking-requests.ts'
import type { TrackingRequestReading } from '../../modules/tracking-requests/list-tracking-requests-sql.ts'
import { Type } from '../../platform/json-schema.ts'
import { fields, pickFields, readFields } from '../lists/columns.ts'
import { readFittingPage } from '../lists/fit-rows.ts'
import { filterNames, readFilters, readTexts } from '../lists/list-filters.ts'
import { answerCounts, listGuidance, listSchema, writeFitting } from '../lists/lists.ts'
import { orderingSchema, readGroup, readSort } from '../lists/orders.ts'
import { trackingRequestMembers } from '../presenters/tracking-request-item.ts'
import { explainRequestState, why } from '../presenters/why.ts'
import { closed, filters, oneOf, paging } from '../tool/inputs.ts'
import { type Members, schemaOf, writeMembers } from '../tool/members.ts'
import { optional } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

const whyMax = 25
interface TrackingRequestRow extends TrackingRequestReading {
  readonly why: Awaited<ReturnType<typeof explainRequestState>> | undefined
}

const item: Members<TrackingRequestRow> = { ...trackingRequestMembers, why: [optional(why), (row) => row.why] }

export const listTrackingRequests = defineTool({
  name: 'list_tracking_requests',
  title: 'List tracking requests',
  about: `Newest first. \`filters\`: ${filterNames.requests.join(', ')}.`,
  effect: 'read',
  input: Type.Object(
    {
      filters,
      request_number: Type.Optional(Type.String({ maxLength: 64, description: 'The exact number' })),
      status: Type.Optional(oneOf([...requestStatuses, 'succeeded'], '`succeeded` means `created`')),
      scac: Type.Optional(Type.String({ description: 'Shipping line, by SCAC or name' })),
      request_type: Type.Optional(oneOf(requestTypes, 'Kind of number')),
      why: Type.Optional(Type.Boolean({ description: 'Add the attempts, the reason and what to do; 25 rows at most' })),
      ...orderingSchema('requests'),
      fields,
      ...paging,
    },
    closed,
  ),
  output: listSchema(schemaOf(item)),
  run: async (toolContext, input) => {
    const { service, context } = toolContext
    const now = journeyNow(service, context.account.isSandbox)
    const names = readFields(input.fields, Object.keys(item))
    const by = readGroup('requests', input.count_by)
    const { status, request_type, request_number, scac } = input
    const own = { status, request_type, request_number, scac }
    const filter = await readFilters(toolContext, 'requests', readTexts('requests', own, input.filters))
    if (by !== null) return answerCounts(toolContext, { list: { of: 'requests', filter, by }, now })
    const order = readSort('requests', input.sort, '-created_at')
    const readRows = async (page: PageRequest) => {
      const found = await listRequests(service, context, { filter, order, page })
      const write = async (each: TrackingRequestReading) => {
        const state = input.why === true ? await explainRequestState(service, context, each) : undefined
        return pickFields(writeMembers(item, { ...each, why: state }), { fields: names, rare: [] })
      }
      return { found, items: await Promise.all(found.rows.map(write)) }
    }
    const isWhole = names !== null || input.why === true
    const sized = input.why === true ? { ...input, page_size: Math.min(input.page_size ?? whyMax, whyMax) } : input
    const fitting = await readFittingPage(sized, { isWhole, read: readRows })
    return makeResult(
      writeFitting(fitting, { now }),
      names === null
        ? listGuidance(fitting.found, {
            page: fitting.page,
            tools: ['track_container', 'correct_tracking_request', 'get_shipment_details'],
          })
        : null,
    )
  },
})
