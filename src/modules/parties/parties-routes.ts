/** /v2/parties and /v2/parties/:id: the companies for which an account tracks. */

import type { FastifyInstance } from 'fastify'
import { defineResource, makeIdReader } from '../../api/define-resource.ts'
import { textFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { closed } from '../../api/request-body/attributes.ts'
import { camelNames, defineChangeBody, defineCreateBody } from '../../api/request-body/resource-body.ts'
import { Type } from '../../platform/json-schema.ts'
import { createParty } from './create-party.ts'
import { getParty, listParties } from './get-party.ts'
import { party, readParty } from './party-resource.ts'
import { updateParty } from './update-party.ts'

const listQuery = defineQuery({
  type: 'party',
  filters: {
    companyName: textFilter('filter[company_name]', 'The beginning of the name; upper and lower case are the same.'),
    namePart: textFilter('query', 'A part of the name; upper and lower case are the same.'),
  },
  orders: ['-created_at', 'created_at'],
  isPaged: true,
  hasCursors: true,
})
const attributes = Type.Object({ company_name: Type.String({ minLength: 1, maxLength: 200 }) }, closed)

export function parties(app: FastifyInstance): void {
  const routes = defineResource(app, {
    type: 'party',
    tag: 'Parties',
    path: '/v2/parties/:id',
    ids: { id: 'Id of the party.' },
    keyOf: makeIdReader('party'),
    read: readParty,
  })
  routes.page({
    id: 'listParties',
    summary: 'List parties, newest first',
    query: listQuery,
    verb: listParties,
  })
  routes.create({
    id: 'createParty',
    summary: 'Create a party: a company for which you track',
    body: defineCreateBody(party, attributes, camelNames),
    verb: createParty,
  })
  routes.get({ id: 'getParty', summary: 'Get a party', verb: getParty })
  routes.change({
    id: 'updateParty',
    summary: 'Change the name of a party',
    get: getParty,
    body: defineChangeBody(party, Type.Partial(attributes, closed), camelNames),
    verb: updateParty,
  })
}
