/** /v2/terminals: ocean terminals and rail ramps. */

import type { FastifyInstance } from 'fastify'
import { getTerminal } from '../../../../service/knowing/terminals/get-terminal.ts'
import { listTerminals } from '../../../../service/knowing/terminals/list-terminals.ts'
import { readingOfFacility } from '../../../documents/resources/reference/terminal.ts'
import { readId } from '../../../http/path-id.ts'
import { sendOne, sendPage } from '../../answering/answer.ts'
import { textFilter } from '../../asking/filters.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, operation, pageOf } from '../../description/operation.ts'

const query = defineQuery({ type: 'terminal' })
const railQuery = defineQuery({ type: 'rail_terminal' })
const listQuery = defineQuery({
  type: 'terminal',
  filters: {
    q: textFilter(
      'q',
      'A SMDG, FIRMS or BIC code, or words of a name (the beginning of each word is enough).',
    ),
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
          'Beyond the contract. Other facilities of the list of U.S. customs (container stations, piers) are found only with `q`.',
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
          'A rail ramp is a `rail_terminal`. It also has the relationship `metro_area`, which can be included.',
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
