/** /v2/invitations and /v2/invitations/:id: invitations that can still be accepted. */

import type { FastifyInstance } from 'fastify'
import {
  getOpenInvitation,
  listOpenInvitations,
  revokeInvitation,
} from '../../../../service/people/members/invite.ts'
import { readInvitation } from '../../../documents/resources/account/member.ts'
import { readId } from '../../../http/path-id.ts'
import { sendList, sendNothing, sendOne } from '../../answering/answer.ts'
import { defineQuery, refuseParameters } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, listOf, nothingBack, operation } from '../../description/operation.ts'

const tag = 'Administration'
const query = defineQuery({ type: 'invitation' })
const path = { id: 'Id of the invitation.' }

export function invitations(app: FastifyInstance): void {
  app.get(
    '/v2/invitations',
    {
      schema: operation({
        id: 'listInvitations',
        tag,
        summary: 'List open invitations, newest first',
        description: 'Needs the scope `admin`.',
        query: query.schema,
        answer: listOf('invitation'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const open = await listOpenInvitations(service, context)
      return sendList({ request, reply }, { data: open.map((each) => readInvitation(each)), view })
    },
  )

  app.get(
    '/v2/invitations/:id',
    {
      schema: operation({
        id: 'getInvitation',
        tag,
        summary: 'Get an open invitation',
        path,
        query: query.schema,
        answer: documentOf('invitation'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const found = await getOpenInvitation(service, context, { id: readId(request.params, 'invitation') })
      return sendOne({ request, reply }, { data: readInvitation(found), view })
    },
  )

  app.delete(
    '/v2/invitations/:id',
    {
      schema: operation({
        id: 'revokeInvitation',
        tag,
        summary: 'Revoke an invitation',
        path,
        status: 204,
        answer: nothingBack,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      await revokeInvitation(service, context, { id: readId(request.params, 'invitation') })
      return sendNothing(reply)
    },
  )
}
