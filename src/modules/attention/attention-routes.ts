/** /v2/attention: what needs a person now, and its verb snooze. */

import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { callerOf } from '../../api/callers/request-caller.ts'
import { pointerFault } from '../../api/errors/problem.ts'
import { readPathParameter } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer, nothingBack, pageWith } from '../../api/openapi/operation.ts'
import { booleanFilter, idFilter, listFilter, scacFilter } from '../../api/query/filters.ts'
import { defineQuery, refuseParameters } from '../../api/query/query.ts'
import { closed } from '../../api/request-body/attributes.ts'
import { readObject } from '../../api/request-body/body.ts'
import { sendNothing, sendOne, sendPage } from '../../api/responses/send.ts'
import { parseEventTime } from '../../domain/values/time.ts'
import { attentionReasons } from '../../domain/view/attention-reasons.ts'
import { Type } from '../../platform/json-schema.ts'
import { readAttentionItem, unknownSchema } from './attention-item-resource.ts'
import { listAttention } from './list-attention.ts'
import { endSnooze, snoozeItem } from './snooze-item.ts'

const tag = 'Attention'
const listQuery = defineQuery({
  type: 'attention_item',
  filters: {
    reasons: listFilter(
      'filter[reason]',
      attentionReasons,
      'One reason, or several, separated by commas. An item matches if it has one of them.',
    ),
    shipmentId: idFilter('filter[shipment]', 'Id of a shipment.'),
    scac: scacFilter('filter[scac]'),
    isSnoozed: booleanFilter('filter[snoozed]', 'True: only items that are set aside.'),
  },
  orders: ['rank'],
  isPaged: true,
  hasCursors: true,
})
const query = defineQuery({ type: 'attention_item' })
const path = { id: 'Id of the item.' }
const snoozeBody = Type.Object(
  {
    until: Type.String({
      maxLength: 40,
      description: 'ISO 8601 date-time with its zone; at most 366 days from now.',
    }),
  },
  closed,
)
const meta = {
  is_cut: Type.Boolean({ description: 'There are more items than the 500 that are listed. Use filters.' }),
  unknown: unknownSchema,
}

export function attention(app: FastifyInstance): void {
  app.get(
    '/v2/attention',
    {
      schema: describeOperation({
        id: 'listAttention',
        tag,
        summary: 'List what needs a person, the most urgent first',
        description:
          'Computed for each request, from tracked shipments. The list ends after 500 items. Items that are set aside are left out.',
        query: listQuery.schema,
        answer: pageWith('attention_item', meta),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const parameters = listQuery.read(request)
      const { isSnoozed, ...filter } = parameters.filter
      const { page, isCut, unknown } = await listAttention(service, context, {
        filter: { ...filter, isSnoozed: isSnoozed === true },
        page: parameters.page,
      })
      return sendPage(
        { request, reply },
        {
          page: { ...page, rows: page.rows.map(readAttentionItem) },
          pageRequest: parameters.page,
          view: parameters,
          meta: { is_cut: isCut, unknown },
        },
      )
    },
  )

  app.post(
    '/v2/attention/:id/snooze',
    {
      schema: describeOperation({
        id: 'snoozeAttention',
        tag,
        summary: 'Set an item aside for a time',
        path,
        query: query.schema,
        body: snoozeBody,
        answer: documentAnswer('attention_item'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const until = readUntil(readObject(request.body, snoozeBody))
      const item = await snoozeItem(service, context, { id: readPathParameter(request.params, 'id'), until })
      return sendOne({ request, reply }, { data: readAttentionItem(item), view })
    },
  )

  app.delete(
    '/v2/attention/:id/snooze',
    {
      schema: describeOperation({
        id: 'endAttentionSnooze',
        tag,
        summary: 'Show an item again that was set aside',
        path,
        status: 204,
        answer: nothingBack,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      await endSnooze(service, context, { id: readPathParameter(request.params, 'id') })
      return sendNothing(reply)
    },
  )
}

function readUntil({ until }: Static<typeof snoozeBody>): string {
  const time = parseEventTime(until)
  if (time?.kind === 'instant') return time.at
  throw pointerFault('invalid', '/until', 'This must be an ISO 8601 date-time with its zone.')
}
