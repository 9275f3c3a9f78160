/** /v2/invitations and /v2/invitations/:id: invitations that can still be accepted. */

import type { FastifyInstance } from 'fastify'
import { defineResource, makeIdReader } from '../../api/define-resource.ts'
import { getOpenInvitation, listOpenInvitations, revokeInvitation } from './invite-member.ts'
import { readInvitation } from './member-resource.ts'

export function invitations(app: FastifyInstance): void {
  const routes = defineResource(app, {
    type: 'invitation',
    tag: 'Administration',
    path: '/v2/invitations/:id',
    ids: { id: 'Id of the invitation.' },
    keyOf: makeIdReader('invitation'),
    read: readInvitation,
  })
  routes.list({
    id: 'listInvitations',
    summary: 'List open invitations, newest first',
    description: 'Needs the scope `admin`.',
    verb: listOpenInvitations,
  })
  routes.get({ id: 'getInvitation', summary: 'Get an open invitation', verb: getOpenInvitation })
  routes.remove({ id: 'revokeInvitation', summary: 'Revoke an invitation', verb: revokeInvitation })
}
