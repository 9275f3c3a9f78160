/** /v2/parties and /v2/parties/:id: the companies for which an account tracks. */

import type { FastifyInstance } from 'fastify'
import { createParty } from '../../../service/tracking/parties/create-party.ts'
import { getParty, listParties } from '../../../service/tracking/parties/get-party.ts'
import { updateParty } from '../../../service/tracking/parties/update-party.ts'
import { readParty } from '../../documents/resources/account/party.ts'
import { readId } from '../../http/path-id.ts'
import { sendOne, sendPage } from '../answering/answer.ts'
import { readIfCurrent } from '../answering/entity-tag.ts'
import { textFilter } from '../asking/filters.ts'
import { defineQuery } from '../asking/query.ts'
import { callerOf } from '../caller/caller.ts'
import { documentOf, operation, pageOf } from '../description/operation.ts'
import { partyBody, partyChangesBody, readNewParty, readPartyChanges } from '../inputs/party.ts'

const listQuery = defineQuery({
  type: 'party',
  filters: {
    companyName: textFilter(
      'filter[company_name]',
      'The beginning of the name; upper and lower case are the same.',
    ),
  },
  orders: ['-created_at', 'created_at'],
  isPaged: true,
  hasCursors: true,
})
const query = defineQuery({ type: 'party' })
const common = {
  tag: 'Parties',
  path: { id: 'Id of the party.' },
  query: query.schema,
  answer: documentOf('party'),
}

export function parties(app: FastifyInstance): void {
  app.get(
    '/v2/parties',
    {
      schema: operation({
        id: 'listParties',
        tag: 'Parties',
        summary: 'List parties, newest first',
        query: listQuery.schema,
        answer: pageOf('party'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = listQuery.read(request)
      const page = await listParties(service, context, asked)
      return sendPage(
        { request, reply },
        { page: { ...page, rows: page.rows.map(readParty) }, asked: asked.page, view: asked },
      )
    },
  )

  app.post(
    '/v2/parties',
    {
      schema: operation({
        id: 'createParty',
        tag: 'Parties',
        summary: 'Create a party: a company for which you track',
        query: query.schema,
        body: partyBody,
        status: 201,
        answer: documentOf('party'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const party = await createParty(service, context, readNewParty(request.body))
      return sendOne({ request, reply }, { data: readParty(party), view, status: 201 })
    },
  )

  app.get(
    '/v2/parties/:id',
    { schema: operation({ ...common, id: 'getParty', summary: 'Get a party' }) },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const party = await getParty(service, context, { id: readId(request.params, 'party') })
      return sendOne({ request, reply }, { data: readParty(party), view })
    },
  )

  app.patch(
    '/v2/parties/:id',
    {
      config: { hasPrecondition: true },
      schema: operation({
        ...common,
        id: 'updateParty',
        summary: 'Change the name of a party',
        body: partyChangesBody,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = readId(request.params, 'party')
      // Checks the party first: if it does not exist, that is the answer, whatever the body contains.
      await getParty(service, context, { id })
      const isCurrent = readIfCurrent(request)
      const party = await updateParty(service, context, {
        id,
        ...readPartyChanges(request.body, id),
        ifCurrent: isCurrent && ((found) => isCurrent(readParty(found))),
      })
      return sendOne({ request, reply }, { data: readParty(party), view })
    },
  )
}
