/** /v2/changes: the latest changes in words. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { idFilter, integerFilter } from '../../api/query/filters.ts'
import { defineFilters } from '../../api/query/query.ts'
import { sendPlain } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { writeTime } from '../../api/shape/whole-times.ts'
import { Type } from '../../platform/json-schema.ts'
import { type ChangeLine, listLatestChanges } from './list-latest-changes.ts'

const limitMax = 200

const query = defineFilters({
  shipmentId: idFilter('filter[shipment_id]', 'Changes of this shipment and its containers.'),
  before: integerFilter('before', {
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    fallback: Number.MAX_SAFE_INTEGER,
    description: '`meta.before` of the last answer, for older changes.',
  }),
  limit: integerFilter('limit', {
    min: 1,
    max: limitMax,
    fallback: 100,
    description: 'Maximum number of events that are read. Several events may be one change.',
  }),
})
const answer = schema.object({
  data: schema.list(
    schema.object({
      sequence: Type.Integer({ description: 'Of the event in the feed.' }),
      at: schema.instant({ description: 'When it became known.' }),
      text: schema.text({
        description: 'A sentence with the value before and after, and who said so. Days are those of the place.',
      }),
      number: schema.textOrNull({
        description: 'Number of the container, or of the shipment if the change is about several containers.',
      }),
      shipment_id: schema.textOrNull(),
      container_number: schema.textOrNull(),
    }),
  ),
  meta: schema.object({
    before: schema.integerOrNull({ description: 'For older changes; null if there are none.' }),
  }),
})

export function changes(app: FastifyInstance): void {
  app.get(
    '/v2/changes',
    {
      schema: describeOperation({
        id: 'listChanges',
        tag: 'Events',
        summary: 'Read the latest changes as sentences, newest first',
        description:
          'For people. Each line is one change, such as "Arrival at Los Angeles moved from Thu 3 to Sun 6 Dec, says ONE". Programs read the events.',
        query: query.schema,
        answer,
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const found = await listLatestChanges(service, context, query.read(request))
      return sendPlain({ request, reply }, { data: found.lines.map(writeLine), meta: { before: found.before } })
    },
  )
}

function writeLine({ sequence, at, text, number, shipmentId, containerNumber }: ChangeLine) {
  return { sequence, at: writeTime(at), text, number, shipment_id: shipmentId, container_number: containerNumber }
}
