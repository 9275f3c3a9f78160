/** /v2/search: everything whose number or reference contains a text, of every kind at once. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation, listAnswer } from '../../api/openapi/operation.ts'
import { partialTextFilter, requireFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendList } from '../../api/responses/send.ts'
import { search as searchNumbers } from './search.ts'
import { readSearchResult } from './search-result-resource.ts'

const query = defineQuery({
  type: 'search_result',
  filters: {
    query: requireFilter(
      'query',
      partialTextFilter(
        'query',
        'Part of a number or reference. Three or more characters are found anywhere in it, two only at its beginning.',
      ),
    ),
  },
})

export function search(app: FastifyInstance): void {
  app.get(
    '/v2/search',
    {
      schema: describeOperation({
        id: 'search',
        tag: 'Search',
        summary: 'Find shipments, containers and tracking requests by a part of a number or reference',
        description:
          'At most 25 results: shipments, then containers, then tracking requests whose shipment is not listed; the newest first within each kind. A result whose whole number or reference is the query comes before one that only contains it, so it is never cut off. Blanks, punctuation and case are ignored.',
        query: query.schema,
        answer: listAnswer('search_result'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const parameters = query.read(request)
      const hits = await searchNumbers(service, context, parameters.filter)
      return sendList({ request, reply }, { data: hits.map(readSearchResult), view: parameters })
    },
  )
}
