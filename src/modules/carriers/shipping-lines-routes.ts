/** /v2/shipping_lines: the lines whose numbers can be tracked; and one line, by its id or any of its SCACs. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readPathParameter } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer, listAnswer } from '../../api/openapi/operation.ts'
import { textFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendList, sendOne } from '../../api/responses/send.ts'
import { getShippingLine, listShippingLines } from './list-shipping-lines.ts'
import { readShippingLine } from './shipping-line-resource.ts'

const listQuery = defineQuery({
  type: 'shipping_line',
  filters: { search: textFilter('search', 'Part of a name, or the beginning of a SCAC.') },
})
const query = defineQuery({ type: 'shipping_line' })

export function shippingLines(app: FastifyInstance): void {
  app.get(
    '/v2/shipping_lines',
    {
      schema: describeOperation({
        id: 'listShippingLines',
        tag: 'Shipping lines',
        summary: 'List the shipping lines that can be tracked',
        description: 'Not paginated.',
        query: listQuery.schema,
        answer: listAnswer('shipping_line'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const parameters = listQuery.read(request)
      const lines = await listShippingLines(service, context, parameters.filter)
      return sendList({ request, reply }, { data: lines.map(readShippingLine), view: parameters })
    },
  )

  app.get(
    '/v2/shipping_lines/:id',
    {
      schema: describeOperation({
        id: 'getShippingLine',
        tag: 'Shipping lines',
        summary: 'Get a shipping line',
        path: { id: 'Id of the line, its SCAC, or one of its alternative SCACs.' },
        query: query.schema,
        answer: documentAnswer('shipping_line'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = readPathParameter(request.params, 'id')
      const line = await getShippingLine(service, context, { idOrScac: id })
      return sendOne({ request, reply }, { data: readShippingLine(line), view })
    },
  )
}
