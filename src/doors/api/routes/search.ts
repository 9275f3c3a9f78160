/** /v2/search: everything whose number or reference contains a text, of every kind at once. */

import type { FastifyInstance } from 'fastify'
import { search as searchNumbers } from '../../../service/tracking/search/search.ts'
import { readSearchResult } from '../../documents/resources/search-result.ts'
import { sendList } from '../answering/answer.ts'
import { required, textFilter } from '../asking/filters.ts'
import { defineQuery } from '../asking/query.ts'
import { callerOf } from '../caller/caller.ts'
import { listOf, operation } from '../description/operation.ts'

const query = defineQuery({
  type: 'search_result',
  filters: {
    query: required(
      'query',
      textFilter(
        'query',
        'Part of a number or reference: three characters are found anywhere, two at its beginning.',
      ),
    ),
  },
})

export function search(app: FastifyInstance): void {
  app.get(
    '/v2/search',
    {
      schema: operation({
        id: 'search',
        tag: 'Search',
        summary: 'Find shipments, containers and tracking requests by a part of a number or reference',
        description:
          'At most 25: shipments, then containers, then tracking requests whose shipment is not listed; the newest first within each. What has the query as a whole number or reference is never left out for what only contains it. Blanks, punctuation and case make no difference.',
        query: query.schema,
        answer: listOf('search_result'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = query.read(request)
      const hits = await searchNumbers(service, context, asked.filter)
      return sendList({ request, reply }, { data: hits.map(readSearchResult), view: asked })
    },
  )
}
