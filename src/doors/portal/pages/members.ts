/** /account/members: the members of the account and their roles, and the invitations. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { changeRole, listMembers, removeMember } from '../../../service/people/members/change-members.ts'
import { renameCompany } from '../../../service/people/members/company.ts'
import { invite, listOpenInvitations, revokeInvitation } from '../../../service/people/members/invite.ts'
import type { Visitor } from '../../../service/people/sessions/find-session.ts'
import { grantOf, mayAppoint, parseRole, type Role, roles } from '../../../service/roles.ts'
import type { Service } from '../../../service/service.ts'
import type { Exchange } from '../../http/exchange.ts'
import { html } from '../../http/html.ts'
import { type Faults, faultsOf, noFaults } from '../page-parts/fields.ts'
import { checkForm, type Form, page, readForm, readParameter } from '../page-parts/form.ts'
import { onceName } from '../page-parts/form-field.ts'
import { sendPage, writePage } from '../page-parts/page.ts'
import { accountContextOf, requireVisitor } from '../visitor.ts'
import { writeMembers } from './members-view.ts'

const path = '/account/members'

export function membersPage(pages: FastifyInstance, service: Service): void {
  pages.get(path, page, async (request, reply) => {
    const visitor = await requireVisitor(service, request, reply)
    return visitor === null ? reply : show({ request, reply }, visitor, {})
  })

  pages.post(`${path}/invite`, page, async (request, reply) => {
    const visitor = await requireVisitor(service, request, reply)
    if (visitor === null) return reply
    checkForm(service, request, visitor.formToken)
    const form = readForm(request)
    try {
      const context = { ...accountContextOf(visitor, request), invitedBy: visitor.user }
      const invited = await invite(service, context, {
        email: form.get('email'),
        role: roleOf(form),
        once: form.get(onceName) || null,
      })
      return await show({ request, reply }, visitor, { invited: { ...invited, email: form.get('email') } })
    } catch (error) {
      return show({ request, reply }, visitor, { form, faults: faultsOf(error, ['email', 'role']) })
    }
  })

  act('invitations/revoke', (form, context) => revokeInvitation(service, context, { id: idOf(form) }))
  act('role', (form, context) => changeRole(service, context, { userId: idOf(form), role: roleOf(form) }))
  act('remove', (form, context) => removeMember(service, context, { userId: idOf(form) }))
  act('company', (form, context) => renameCompany(service, context, { companyName: form.get('company') }))

  function act(
    name: string,
    work: (form: Form, context: ReturnType<typeof accountContextOf>) => Promise<void>,
  ): void {
    pages.post(`${path}/${name}`, page, async (request, reply) => {
      const visitor = await requireVisitor(service, request, reply)
      if (visitor === null) return reply
      checkForm(service, request, visitor.formToken)
      try {
        await work(readForm(request), accountContextOf(visitor, request))
      } catch (error) {
        return show({ request, reply }, visitor, { faults: faultsOf(error, ['company']) })
      }
      const isSelf = name === 'remove' && readForm(request).get('id') === visitor.user.id
      return reply.redirect(isSelf ? '/account' : `${path}?done=${name.split('/')[0]}`, 303)
    })
  }

  async function show(
    { request, reply }: Exchange,
    visitor: Visitor,
    state: {
      readonly form?: Form
      readonly faults?: Faults
      readonly invited?: { readonly email: string; readonly link: string | null }
    },
  ): Promise<FastifyReply> {
    const context = accountContextOf(visitor, request)
    const role = context.role ?? 'read_only'
    const manages = grantOf(role).permissions.includes('members')
    const members = await listMembers(service, context)
    const invitations = manages ? await listOpenInvitations(service, context) : []
    const { faults = noFaults, form, invited = null } = state
    const body = html`<h2>Members</h2>${writeMembers({
      visitor,
      members,
      invitations,
      role,
      appointable: roles.filter((each) => mayAppoint(role, each)),
      invited,
      email: form?.get('email') ?? '',
      isDone: isDone(request),
      faults,
    })}`
    return sendPage(reply, {
      faults,
      ...(invited !== null && { status: 201 }),
      page: writePage({ title: 'Members', visitor, body, current: path }),
    })
  }
}

function isDone(request: FastifyRequest): boolean {
  return request.method === 'GET' && readParameter(request, 'done') !== null
}

function roleOf(form: Form): Role {
  return parseRole(form.get('role')) ?? 'read_only'
}

/** An id that is no UUID is replaced by one that nobody has. */
function idOf(form: Form): string {
  const id = form.get('id')
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? id : '00000000-0000-0000-0000-000000000000'
}
