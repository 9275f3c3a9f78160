/** /v2/terminals: ocean terminals and rail ramps. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer, pageOf } from '../../api/openapi/operation.ts'
import { textFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendOne, sendPage } from '../../api/responses/send.ts'
import { getTerminal } from './get-terminal.ts'
import { listTerminals } from './list-terminals.ts'
import { readingOfFacility } from './terminal-resource.ts'

const query = defineQuery({ type: 'terminal' })
const railQuery = defineQuery({ type: 'rail_terminal' })
const listQuery = defineQuery({
  type: 'terminal',
  filters: {
    q: textFilter('q', 'A SMDG, FIRMS or BIC code, or words of a name (the beginning of each word is enough).'),
    port: textFilter('filter[port]', 'Id or UN/LOCODE of the port, or of the metropolitan area of a rail ramp.'),
  },
  isPaged: true,
})

export function terminals(app: FastifyInstance): void {
  app.get(
    '/v2/terminals',
    {
      schema: describeOperation({
        id: 'listTerminals',
        tag: 'Terminals',
        summary: 'Find terminals and rail ramps',
        description:
          'Beyond the contract. Other facilities of the list of U.S. customs (container stations, piers) are found only with `q`.',
        query: listQuery.schema,
        answer: pageOf('terminal', 'rail_terminal'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const { filter, page: pageRequest, ...view } = listQuery.read(request)
      const page = await listTerminals(service, context, { filter, page: pageRequest })
      return sendPage(
        { request, reply },
        { page: { ...page, rows: page.rows.map(readingOfFacility) }, pageRequest, view },
      )
    },
  )

  app.get(
    '/v2/terminals/:id',
    {
      schema: describeOperation({
        id: 'getTerminal',
        tag: 'Terminals',
        summary: 'Get a terminal or a rail ramp',
        description:
          'A rail ramp is a `rail_terminal`. It also has the relationship `metro_area`, which can be included.',
        path: { id: 'Id of the terminal or ramp.' },
        query: query.schema,
        answer: documentAnswer('terminal', 'rail_terminal'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const id = readId(request.params, 'terminal')
      const data = readingOfFacility(await getTerminal(service, context, { id }))
      const view = (data.type === 'rail_terminal' ? railQuery : query).read(request)
      return sendOne({ request, reply }, { data, view })
    },
  )
}
