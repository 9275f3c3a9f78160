/** /v2/{shipments|containers|tracking_requests}/:id/party_roles and …/:role_id: which party has which role. */

import type { FastifyInstance } from 'fastify'
import { defineResource } from '../../api/define-resource.ts'
import { pointerFault } from '../../api/errors/problem.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { closed } from '../../api/request-body/attributes.ts'
import { defineCreateBody } from '../../api/request-body/resource-body.ts'
import * as schema from '../../api/shape/schema.ts'
import { type PartyRecordType, type PartyRoleName, partyRolesOf } from '../../domain/values/party-role.ts'
import { Type } from '../../platform/json-schema.ts'
import { readIdentifier } from '../custom-fields/custom-field-input.ts'
import { partyRole, readPartyRole } from './party-role-resource.ts'
import { addPartyRole, listPartyRoles, removePartyRole, requireRoleRecord } from './party-roles.ts'

const includes = 'party'
const listQuery = defineQuery({ type: 'party_role', isPaged: true, includes })
const party = schema.object({ type: schema.constant('party'), id: schema.text() })

export function partyRoles(app: FastifyInstance): void {
  addRoutes(app, { type: 'shipment', folder: 'shipments', noun: 'Shipment' })
  addRoutes(app, { type: 'container', folder: 'containers', noun: 'Container' })
  addRoutes(app, { type: 'tracking_request', folder: 'tracking_requests', noun: 'TrackingRequest' })
}

function addRoutes(
  app: FastifyInstance,
  { type, folder, noun }: { readonly type: PartyRecordType; readonly folder: string; readonly noun: string },
): void {
  const what = type.replace('_', ' ')
  const removal =
    type === 'container'
      ? { description: 'The party stays.' }
      : { description: 'The party stays. The customer that a tracking request named stays too (409).', refusals: [409] }
  const recordOf = (params: unknown) => ({ record: { type, id: readId(params, what) } })
  const routes = defineResource(app, {
    type: 'party_role',
    tag: 'Parties',
    path: `/v2/${folder}/:id/party_roles/:role_id`,
    ids: { id: `Id of the ${what}.`, role_id: 'Id of the role.' },
    keyOf: (params) => ({ ...recordOf(params), id: readId(params, 'party role', 'role_id') }),
    parentOf: recordOf,
    read: readPartyRole,
    includes,
  })
  routes.page({
    id: `list${noun}PartyRoles`,
    summary: `List the parties of a ${what} with their roles`,
    query: listQuery,
    verb: listPartyRoles,
  })
  routes.create({
    id: `create${noun}PartyRole`,
    summary: `Give a party a role on a ${what}`,
    description: `Other parties keep the role.${type === 'tracking_request' ? ' The shipment gets it too, also if it comes later.' : ''}`,
    before: requireRoleRecord,
    body: newRoleBody(partyRolesOf[type]),
    verb: addPartyRole,
  })
  routes.remove({
    id: `delete${noun}PartyRole`,
    summary: `Remove a role on a ${what}`,
    ...removal,
    verb: removePartyRole,
  })
}

function newRoleBody(names: readonly PartyRoleName[]) {
  const attributes = Type.Object({ role: Type.Unsafe<PartyRoleName>({ type: 'string', enum: [...names] }) }, closed)
  return defineCreateBody(
    partyRole,
    attributes,
    ({ role }, body) => {
      const given = readIdentifier(body, 'party', ['party'])
      if (given === null) throw pointerFault('invalid', '/data/relationships/party', 'The party is needed.')
      return { role, partyId: given.id }
    },
    { party: schema.object({ data: party }) },
  )
}
