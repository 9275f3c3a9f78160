/** Invites a person to the account by mail. An invitation is for one address, works once, and is valid for a week. */

import { inTransaction } from '../../db/database.ts'
import { queueMail } from '../../pipeline/jobs/queue-mail.ts'
import { withdrawMails } from '../../pipeline/notifications/mails-sql.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, findActingRole, requirePermission } from '../access/context.ts'
import { mayAppoint, type Role } from '../access/roles.ts'
import { recordChange } from '../audit/record-change.ts'
import { linkTo, sendsMail } from '../derived-settings.ts'
import { notFound, ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { parseEmail } from '../sessions/email-address.ts'
import { makeToken, tokenHmac } from '../sessions/token.ts'
import { getUsers } from './get-users.ts'
import { type Invitation, insertInvitation, listInvitations, revokeInvitations } from './invitations-sql.ts'
import { listMembers } from './memberships-sql.ts'

const goodForMs = 7 * 86_400_000
const openMax = 50

/** Who invites, for the mail: a person, or null for a key or the operator. */
type Inviter = { readonly id: string; readonly name: string } | null

/** `link` is null when a mail carries it; else the inviter passes it on. */
export async function createInvitation(
  service: Service,
  context: Context & { readonly invitedBy: Inviter },
  input: { readonly email: string; readonly role: Role },
): Promise<InvitationWithLink> {
  requirePermission(context, 'members')
  const { email, emailKey } = parseEmail(input.email)
  const acting = findActingRole(context)
  if (acting === null || !mayAppoint(acting, input.role)) throw roleTooHighError()
  const { account, invitedBy } = context
  const now = realNow(service)
  const token = makeToken()
  const link = linkTo(service.config, `/invitation?token=${token}`)
  const isMailed = sendsMail(service.config)
  const members = await listMembers(service.pool, { accountId: account.id })
  if (members.some((member) => member.email.toLowerCase() === emailKey)) {
    throw new ServiceError('duplicate', 'This person is in the account already.', {
      source: { pointer: '/email' },
    })
  }
  if ((await listInvitations(service.pool, { accountId: account.id, now })).length >= openMax) {
    throw new ServiceError('conflict', `There are ${openMax} open invitations. Take some back first.`)
  }
  const id = uuidV7(service.clock.now())
  const invitation: Invitation = {
    accountId: account.id,
    id,
    email,
    emailKey,
    role: input.role,
    invitedBy: invitedBy?.id ?? null,
    createdAt: now,
    expiresAt: new Date(service.clock.now() + goodForMs).toISOString(),
  }
  await inTransaction(service.pool, async (db) => {
    await insertInvitation(db, { ...invitation, tokenHmac: tokenHmac(service, 'invitation', token) })
    // A person who is invited again has one link that works: the newest.
    const older = await revokeInvitations(db, { accountId: account.id, id: null, emailKey, butId: id, now })
    await withdrawMails(db, { kind: 'invitation', about: older.map((each) => each.id) })
    await recordChange(db, service, context, {
      action: 'invitation.created',
      target: { type: 'invitation', id },
      diff: { email: [null, email], role: [null, input.role] },
    })
    if (!isMailed) return
    const company = oneLine(account.companyName)
    const inviter = invitedBy === null ? 'You are invited' : `${oneLine(invitedBy.name)} invites you`
    const offer = `${inviter} to ${company}`
    const greeting = `${inviter} to track shipments with ${company}`
    await queueMail(db, service, {
      kind: 'invitation',
      about: id,
      goodForMs,
      mail: {
        to: email,
        subject: `${offer} on Landfall`,
        text: `Hello,\n\n${greeting}. Accept within a week:\n\n${link}\n\nThe invitation is for ${email} alone.\n`,
      },
    })
  })
  return { invitation, link: isMailed ? null : link }
}

interface InvitationWithLink {
  readonly invitation: Invitation
  readonly link: string | null
}

/** States in the mail who the inviting person is. A key invites in the name of the account. */
export async function inviteMember(
  service: Service,
  context: Context,
  input: { readonly email: string; readonly role: Role },
): Promise<InvitationWithLink> {
  const { actor } = context
  const [person = null] = actor.kind === 'user' ? await getUsers(service, context, { ids: [actor.id] }) : []
  return createInvitation(service, { ...context, invitedBy: person }, input)
}

export async function getOpenInvitation(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<Invitation> {
  const found = (await listOpenInvitations(service, context)).find((each) => each.id === id)
  if (found === undefined) throw notFound('invitation')
  return found
}

export async function listOpenInvitations(service: Service, context: Context): Promise<readonly Invitation[]> {
  requirePermission(context, 'members')
  return listInvitations(service.pool, { accountId: context.account.id, now: realNow(service) })
}

export async function revokeInvitation(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<void> {
  requirePermission(context, 'members')
  await inTransaction(service.pool, async (db) => {
    const key = { accountId: context.account.id, id, emailKey: null, butId: null, now: realNow(service) }
    const [revoked] = await revokeInvitations(db, key)
    if (revoked === undefined) throw notFound('invitation')
    await withdrawMails(db, { kind: 'invitation', about: [id] })
    await recordChange(db, service, context, {
      action: 'invitation.revoked',
      target: { type: 'invitation', id },
      diff: { email: [revoked.email, null] },
    })
  })
}

export function roleTooHighError(): ServiceError {
  return new ServiceError('forbidden', 'Only an owner appoints or dismisses admins and owners.', {
    source: { pointer: '/role' },
  })
}

/** Puts what a person wrote on one line, for the subject of a mail. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 100)
}
