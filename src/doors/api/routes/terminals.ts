/** /v2/terminals: ocean terminals and rail ramps. */

import type { FastifyInstance } from 'fastify'
import { getTerminal } from '../../../service/knowing/terminals/get-terminal.ts'
import { listTerminals } from '../../../service/knowing/terminals/list-terminals.ts'
import { sendOne, sendPage } from '../answer.ts'
import { callerOf } from '../caller.ts'
import { textFilter } from '../filters.ts'
import { documentOf, operation, pageOf } from '../operation.ts'
import { readId } from '../path-id.ts'
import { defineQuery } from '../query.ts'
import { readingOfFacility } from '../resources/terminal.ts'

const query = defineQuery({ type: 'terminal' })
const railQuery = defineQuery({ type: 'rail_terminal' })
const listQuery = defineQuery({
  type: 'terminal',
  filters: {
    q: textFilter('q', 'A SMDG, FIRMS or BIC code, or words of a name, each at least by its beginning.'),
    port: textFilter(
      'filter[port]',
      'Id or UN/LOCODE of the port, or of the metropolitan area of a rail ramp.',
    ),
  },
  isPaged: true,
})

export function terminals(app: FastifyInstance): void {
  app.get(
    '/v2/terminals',
    {
      schema: operation({
        id: 'listTerminals',
        tag: 'Terminals',
        summary: 'Find terminals and rail ramps',
        description:
          'Beyond the contract. The other facilities that U.S. customs lists (container stations, piers) are found with `q` only.',
        query: listQuery.schema,
        answer: pageOf('terminal', 'rail_terminal'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const { filter, page: asked, ...view } = listQuery.read(request)
      const page = await listTerminals(service, context, { filter, page: asked })
      return sendPage(
        { request, reply },
        { page: { ...page, rows: page.rows.map(readingOfFacility) }, asked, view },
      )
    },
  )

  app.get(
    '/v2/terminals/:id',
    {
      schema: operation({
        id: 'getTerminal',
        tag: 'Terminals',
        summary: 'Get a terminal or a rail ramp',
        description:
          'A ramp is a `rail_terminal`: it relates to a `metro_area` as well, and `include` takes it.',
        path: { id: 'Id of the terminal or ramp.' },
        query: query.schema,
        answer: documentOf('terminal', 'rail_terminal'),
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
