/** The content of /account/members. Actions that the visitor may not do are not offered. */

import type { Visitor } from '../../../service/people/sessions/find-session.ts'
import { grantOf, mayAppoint, parseRole, type Role } from '../../../service/roles.ts'
import type { Invitation } from '../../../store/people/invitations.ts'
import type { Member } from '../../../store/people/memberships.ts'
import { type Html, html } from '../../http/html.ts'
import { type Faults, field, formFault, moment, select, submit } from '../page-parts/fields.ts'
import { formField, onceField } from '../page-parts/form-field.ts'

const path = '/account/members'

interface State {
  readonly visitor: Visitor
  readonly members: readonly Member[]
  readonly invitations: readonly Invitation[]
  /** Role of the person who looks at the page. */
  readonly role: Role
  readonly appointable: readonly Role[]
  /** The invitation that was just made. `link` is set when no e-mail is sent. */
  readonly invited: { readonly email: string; readonly link: string | null } | null
  readonly email: string
  readonly isDone: boolean
  readonly faults: Faults
}

export function writeMembers(state: State): Html {
  const manages = state.appointable.length > 0
  return html`${state.isDone ? html`<p class="done" role="status">Done.</p>` : null}
${manages ? null : formFault(state.faults)}
${state.invited === null ? null : invitedJustNow(state.invited)}
${memberList(state)}
${manages ? invitation(state) : null}
${state.invitations.length === 0 ? null : openInvitations(state)}
${grantOf(state.role).permissions.includes('owners') ? company(state) : null}`
}

function invitedJustNow({ email, link }: { readonly email: string; readonly link: string | null }): Html {
  return html`<section class="card once" role="status" aria-labelledby="invited"><h3 id="invited">${email} is invited</h3>
${
  link === null
    ? html`<p>A mail with a link is on its way. It is good for a week.</p>`
    : html`<p>This installation sends no mail. Hand on this link, which is <strong>shown only now</strong> and good for a week:</p><p class="secret"><code>${link}</code></p>`
}</section>`
}

function memberList(state: State): Html {
  const rows = state.members.map(
    (member) => html`<tr><th scope="row">${member.name}<br><span class="quiet">${member.email}</span></th>
<td>${roleCell(state, member)}</td><td>${member.hasTotp ? html`<span class="good">on</span>` : html`<span class="quiet">off</span>`}</td>
<td>${moment(member.createdAt)}</td><td>${removal(state, member)}</td></tr>`,
  )
  return html`<section class="card"><div class="scroll"><table><thead><tr><th scope="col">Member</th><th scope="col">Role</th><th scope="col">One-time codes</th><th scope="col">Since</th><th scope="col"><span class="unseen">Remove</span></th></tr></thead>
<tbody>${rows}</tbody></table></div></section>`
}

function roleCell({ role, appointable, visitor }: State, member: Member): Html {
  const theirs = parseRole(member.role)
  if (theirs === null || !mayAppoint(role, theirs)) return html`${member.role.replace('_', '-')}`
  const options = appointable.map(
    (each) =>
      html`<option value="${each}"${each === theirs ? html` selected` : null}>${each.replace('_', '-')}</option>`,
  )
  return html`<form method="post" action="${path}/role" class="inline">${formField(visitor.formToken)}<input type="hidden" name="id" value="${member.userId}">
<select name="role" aria-label="Role of ${member.name}">${options}</select> <button type="submit" class="small" aria-label="Save the role of ${member.name}">Save</button></form>`
}

function removal({ role, visitor }: State, member: Member): Html | null {
  const isSelf = member.userId === visitor.user.id
  const theirs = parseRole(member.role)
  if (!isSelf && (theirs === null || !mayAppoint(role, theirs))) return null
  const label = isSelf ? 'Leave' : 'Remove'
  return html`<form method="post" action="${path}/remove" class="inline">${formField(visitor.formToken)}<input type="hidden" name="id" value="${member.userId}"><button type="submit" class="small danger"${isSelf ? null : html` aria-label="Remove ${member.name}"`}>${label}</button></form>`
}

function invitation({ visitor, appointable, email, faults }: State): Html {
  const choices = appointable.map((role) => ({
    value: role,
    label: role.replace('_', '-'),
    about: grantOf(role).about,
  }))
  return html`<section class="card" aria-labelledby="invite"><h3 id="invite">Invite somebody</h3>
<form method="post" action="${path}/invite" class="stack">${formField(visitor.formToken)}${onceField()}${formFault(faults)}
${field({ name: 'email', label: 'E-mail', type: 'email', value: email, hint: 'The invitation is for this address alone.' }, faults)}
${select({ name: 'role', label: 'As', value: appointable.includes('member') ? 'member' : 'read_only', choices }, faults)}
${submit('Invite')}</form></section>`
}

function openInvitations({ invitations, visitor }: State): Html {
  const rows = invitations.map(
    (
      each,
    ) => html`<tr><th scope="row">${each.email}</th><td>${each.role.replace('_', '-')}</td><td>${moment(each.expiresAt)}</td>
<td><form method="post" action="${path}/invitations/revoke" class="inline">${formField(visitor.formToken)}<input type="hidden" name="id" value="${each.id}"><button type="submit" class="small danger" aria-label="Take back the invitation of ${each.email}">Take back</button></form></td></tr>`,
  )
  return html`<section class="card" aria-labelledby="open"><h3 id="open">Invited</h3><div class="scroll"><table><thead><tr><th scope="col">E-mail</th><th scope="col">As</th><th scope="col">Good until</th><th scope="col"><span class="unseen">Take back</span></th></tr></thead>
<tbody>${rows}</tbody></table></div></section>`
}

function company({ visitor, faults }: State): Html {
  const name = visitor.current?.account.companyName ?? ''
  return html`<section class="card" aria-labelledby="company-title"><h3 id="company-title">The account</h3>
<form method="post" action="${path}/company" class="stack">${formField(visitor.formToken)}
${field({ name: 'company', label: 'Company', value: name, autocomplete: 'organization' }, faults)}
${submit('Save', 'small')}</form></section>`
}
