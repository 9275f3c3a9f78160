/** /v2/members and /v2/members/:id: the people of the account and their roles. */

import type { FastifyInstance } from 'fastify'
import {
  changeRole,
  getMember,
  listMembers,
  removeMember,
} from '../../../../service/people/members/change-members.ts'
import { inviteMember } from '../../../../service/people/members/invite.ts'
import { readInvitation, readMember } from '../../../documents/resources/account/member.ts'
import { readId } from '../../../http/path-id.ts'
import { sendList, sendNothing, sendOne } from '../../answering/answer.ts'
import { defineQuery, refuseParameters } from '../../asking/query.ts'
import { atAttributes } from '../../bodies/named-fault.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, listOf, nothingBack, operation } from '../../description/operation.ts'
import { memberBody, memberChangesBody, readMemberRole, readNewMember } from '../../inputs/member.ts'

const tag = 'Administration'
const query = defineQuery({ type: 'member' })
const invitationQuery = defineQuery({ type: 'invitation' })
const path = { id: 'Id of the person.' }
const common = { tag, path, query: query.schema, answer: documentOf('member') }

export function members(app: FastifyInstance): void {
  app.get(
    '/v2/members',
    {
      schema: operation({
        id: 'listMembers',
        tag,
        summary: 'List the members of the account, longest membership first',
        description: 'Lists all members. A key needs the scope `admin`; a signed-in person does not.',
        query: query.schema,
        answer: listOf('member'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const found = await listMembers(service, context)
      return sendList({ request, reply }, { data: found.map(readMember), view })
    },
  )

  app.post(
    '/v2/members',
    {
      config: { permission: 'members' },
      schema: operation({
        id: 'inviteMember',
        tag,
        summary: 'Invite a person to the account',
        description:
          'Needs the scope `admin`. The answer is the invitation. It is valid for a week. Landfall sends it by mail. If no mail server is set, `url` is the link for the person; only this answer contains it. If a person is invited again, only the newest link works.',
        query: invitationQuery.schema,
        body: memberBody,
        status: 201,
        answer: documentOf('invitation'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = invitationQuery.read(request)
      const made = await atAttributes(inviteMember(service, context, readNewMember(request.body)))
      const data = readInvitation(made.invitation, made.link)
      return sendOne({ request, reply }, { data, view, status: 201 })
    },
  )

  app.get(
    '/v2/members/:id',
    { schema: operation({ ...common, id: 'getMember', summary: 'Get a member' }) },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const found = await getMember(service, context, { userId: readId(request.params, 'member') })
      return sendOne({ request, reply }, { data: readMember(found), view })
    },
  )

  app.patch(
    '/v2/members/:id',
    {
      schema: operation({
        ...common,
        id: 'updateMember',
        summary: 'Change the role of a member',
        description:
          'Needs the scope `admin`. A key acts like a person with the role `admin`: it cannot change admins and owners. The last owner cannot be changed.',
        body: memberChangesBody,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const userId = readId(request.params, 'member')
      await getMember(service, context, { userId })
      const role = readMemberRole(request.body, userId)
      if (role !== null) await atAttributes(changeRole(service, context, { userId, role }))
      const data = readMember(await getMember(service, context, { userId }))
      return sendOne({ request, reply }, { data, view })
    },
  )

  app.delete(
    '/v2/members/:id',
    {
      schema: operation({
        id: 'removeMember',
        tag,
        summary: 'Remove a member from the account',
        description:
          'Needs the scope `admin`; a person may always remove themselves. What the person created is kept, API keys too. 409 for the last owner.',
        path,
        status: 204,
        answer: nothingBack,
        refusals: [409],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      await atAttributes(removeMember(service, context, { userId: readId(request.params, 'member') }))
      return sendNothing(reply)
    },
  )
}
