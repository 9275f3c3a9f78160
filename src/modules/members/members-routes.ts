/** /v2/members and /v2/members/:id: the people of the account and their roles. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { defineResource, makeIdReader } from '../../api/define-resource.ts'
import { describeOperation, documentAnswer } from '../../api/openapi/operation.ts'
import { defineQuery } from '../../api/query/query.ts'
import { pointErrorsToAttributes } from '../../api/request-body/at-attributes.ts'
import { sendOne } from '../../api/responses/send.ts'
import { changeRole, getMember, listMembers, removeMember } from './change-members.ts'
import { inviteMember } from './invite-member.ts'
import { memberChanges, newMember } from './member-input.ts'
import { readInvitation, readMember } from './member-resource.ts'

const query = defineQuery({ type: 'member' })
const invitationQuery = defineQuery({ type: 'invitation' })
const of = {
  type: 'member',
  tag: 'Administration',
  path: '/v2/members/:id',
  ids: { id: 'Id of the person.' },
  keyOf: makeIdReader('member'),
  read: readMember,
} as const

export function members(app: FastifyInstance): void {
  const routes = defineResource(app, of)
  routes.list({
    id: 'listMembers',
    summary: 'List the members of the account, longest membership first',
    description: 'Lists all members. A key needs the scope `admin`; a signed-in person does not.',
    verb: listMembers,
  })

  app.post(
    '/v2/members',
    {
      config: { permission: 'members' },
      schema: describeOperation({
        id: 'inviteMember',
        tag: of.tag,
        summary: 'Invite a person to the account',
        description:
          'Needs the scope `admin`. The answer is the invitation. It is valid for a week. Landfall sends it by mail. If no mail server is set, `url` is the link for the person; only this answer contains it. If a person is invited again, only the newest link works.',
        query: invitationQuery.schema,
        body: newMember.schema,
        status: 201,
        answer: documentAnswer('invitation'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = invitationQuery.read(request)
      const made = await pointErrorsToAttributes(inviteMember(service, context, newMember.read(request.body, null)))
      const data = readInvitation(made.invitation, made.link)
      return sendOne({ request, reply }, { data, view, status: 201 })
    },
  )

  routes.get({
    id: 'getMember',
    summary: 'Get a member',
    verb: (service, context, { id: userId }) => getMember(service, context, { userId }),
  })

  app.patch(
    '/v2/members/:id',
    {
      schema: describeOperation({
        id: 'updateMember',
        tag: of.tag,
        summary: 'Change the role of a member',
        description:
          'Needs the scope `admin`. A key acts like a person with the role `admin`: it cannot change admins and owners. The last owner cannot be changed.',
        path: of.ids,
        query: query.schema,
        body: memberChanges.schema,
        answer: documentAnswer('member'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const { id: userId } = of.keyOf(request.params)
      await getMember(service, context, { userId })
      const { role } = memberChanges.read(request.body, userId)
      if (role !== undefined) await pointErrorsToAttributes(changeRole(service, context, { userId, role }))
      const data = readMember(await getMember(service, context, { userId }))
      return sendOne({ request, reply }, { data, view })
    },
  )

  routes.remove({
    id: 'removeMember',
    summary: 'Remove a member from the account',
    description:
      'Needs the scope `admin`; a person may always remove themselves. What the person created is kept, API keys too. 409 for the last owner.',
    refusals: [409],
    verb: (service, context, { id: userId }) => pointErrorsToAttributes(removeMember(service, context, { userId })),
  })
}
