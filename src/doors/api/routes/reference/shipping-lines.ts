/** /v2/shipping_lines: the lines whose numbers can be tracked; and one line, by its id or any of its SCACs. */

import type { FastifyInstance } from 'fastify'
import {
  getShippingLine,
  listShippingLines,
} from '../../../../service/knowing/shipping-lines/list-shipping-lines.ts'
import { readShippingLine } from '../../../documents/resources/reference/shipping-line.ts'
import { readPart } from '../../../http/path-id.ts'
import { sendList, sendOne } from '../../answering/answer.ts'
import { textFilter } from '../../asking/filters.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, listOf, operation } from '../../description/operation.ts'

const listQuery = defineQuery({
  type: 'shipping_line',
  filters: { search: textFilter('search', 'Part of a name, or the beginning of a SCAC.') },
})
const query = defineQuery({ type: 'shipping_line' })

export function shippingLines(app: FastifyInstance): void {
  app.get(
    '/v2/shipping_lines',
    {
      schema: operation({
        id: 'listShippingLines',
        tag: 'Shipping lines',
        summary: 'List the shipping lines that can be tracked',
        description: 'Not paginated.',
        query: listQuery.schema,
        answer: listOf('shipping_line'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = listQuery.read(request)
      const lines = await listShippingLines(service, context, asked.filter)
      return sendList({ request, reply }, { data: lines.map(readShippingLine), view: asked })
    },
  )

  app.get(
    '/v2/shipping_lines/:id',
    {
      schema: operation({
        id: 'getShippingLine',
        tag: 'Shipping lines',
        summary: 'Get a shipping line',
        path: { id: 'Id of the line, its SCAC, or one of its alternative SCACs.' },
        query: query.schema,
        answer: documentOf('shipping_line'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = readPart(request.params, 'id')
      const line = await getShippingLine(service, context, { idOrScac: id })
      return sendOne({ request, reply }, { data: readShippingLine(line), view })
    },
  )
}
