/** Invites a person to the account by mail. An invitation is for one address, works once, and is valid for a week. */

import { uuidV7 } from '../../../platform/ids.ts'
import { inTransaction } from '../../../store/database.ts'
import {
  findInvitation,
  type Invitation,
  insertInvitation,
  listInvitations,
  revokeInvitations,
} from '../../../store/people/invitations.ts'
import { listMembers } from '../../../store/people/memberships.ts'
import { withdrawMails } from '../../../store/telling/mails.ts'
import { type Context, findActingRole, requirePermission } from '../../context.ts'
import { notFound, ServiceError } from '../../errors.ts'
import { linkTo, sendsMail } from '../../ground/choices.ts'
import { queueMail } from '../../ground/queue-mail.ts'
import { mayAppoint, type Role } from '../../roles.ts'
import { realNow, type Service } from '../../service.ts'
import { recordChange } from '../audit/record-change.ts'
import { deriveToken, makeToken, tokenHmac } from '../sessions/token.ts'
import { parseEmail } from '../users/email-address.ts'
import { getUsers } from './get-users.ts'

const goodForMs = 7 * 86_400_000
const openMax = 50

/** Who invites, for the mail: a person, or null for a key or the operator. */
type Inviter = { readonly id: string; readonly name: string } | null

/**
 * `link` is null when a mail carries it; else the inviter passes it on. `once` identifies one request: the same value
 * again returns the same link, and sends no second mail. Null: every call makes a new invitation.
 */
export async function invite(
  service: Service,
  context: Context & { readonly invitedBy: Inviter },
  input: { readonly email: string; readonly role: Role; readonly once?: string | null },
): Promise<Invited> {
  requirePermission(context, 'members')
  const { email, emailKey } = parseEmail(input.email)
  const acting = findActingRole(context)
  if (acting === null || !mayAppoint(acting, input.role)) throw tooHigh()
  const { account, invitedBy } = context
  const now = realNow(service)
  const { once = null } = input
  const asked = JSON.stringify([account.id, invitedBy?.id ?? null, once, emailKey, input.role])
  const token = once === null ? makeToken() : deriveToken(service, 'invitation', `once ${asked}`)
  const hmac = tokenHmac(service, 'invitation', token)
  const link = linkTo(service.config, `/invitation?token=${token}`)
  const isMailed = sendsMail(service.config)
  const shown = isMailed ? null : link
  const before = once === null ? null : await findInvitation(service.pool, { hmac, now })
  if (before !== null) return { invitation: before, link: shown }
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
  const made: Invitation = {
    accountId: account.id,
    id,
    email,
    emailKey,
    role: input.role,
    invitedBy: invitedBy?.id ?? null,
    createdAt: now,
    expiresAt: new Date(service.clock.now() + goodForMs).toISOString(),
  }
  const invitation = await inTransaction(service.pool, async (db) => {
    // The same request came a second time while the first was running, or after its invitation was used.
    if (!(await insertInvitation(db, { ...made, tokenHmac: hmac }))) {
      const first = await findInvitation(db, { hmac, now })
      if (first !== null) return first
      throw new ServiceError('conflict', 'This invitation was accepted or taken back. Invite them anew.')
    }
    // A person who is invited again has one link that works: the newest.
    const older = await revokeInvitations(db, { accountId: account.id, id: null, emailKey, butId: id, now })
    await withdrawMails(db, { kind: 'invitation', about: older.map((each) => each.id) })
    await recordChange(db, service, context, {
      action: 'invitation.created',
      target: { type: 'invitation', id },
      diff: { email: [null, email], role: [null, input.role] },
    })
    if (!isMailed) return made
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
    return made
  })
  return { invitation, link: shown }
}

interface Invited {
  readonly invitation: Invitation
  readonly link: string | null
}

/** Says in the mail who the person is that invites. A key invites in the name of the account. */
export async function inviteMember(
  service: Service,
  context: Context,
  input: { readonly email: string; readonly role: Role },
): Promise<Invited> {
  const { actor } = context
  const [person = null] = actor.kind === 'user' ? await getUsers(service, context, { ids: [actor.id] }) : []
  return invite(service, { ...context, invitedBy: person }, input)
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

export async function listOpenInvitations(
  service: Service,
  context: Context,
): Promise<readonly Invitation[]> {
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

export function tooHigh(): ServiceError {
  return new ServiceError('forbidden', 'Only an owner appoints or dismisses admins and owners.', {
    source: { pointer: '/role' },
  })
}

/** Puts what a person wrote on one line, for the subject of a mail. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 100)
}
