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
import { type Context, requirePermission } from '../../context.ts'
import { notFound, ServiceError } from '../../errors.ts'
import { linkTo, sendsMail } from '../../ground/choices.ts'
import { queueMail } from '../../ground/queue-mail.ts'
import { mayAppoint, type Role } from '../../roles.ts'
import { realNow, type Service } from '../../service.ts'
import { recordChange } from '../audit/record-change.ts'
import { getRole } from '../sessions/find-session.ts'
import { deriveToken, makeToken, tokenHmac } from '../sessions/token.ts'
import { parseEmail } from '../users/email-address.ts'

const goodForMs = 7 * 86_400_000
const openMax = 50

/**
 * `link` is null when a mail carries it; else the inviter passes it on. `once` identifies one request: the same value
 * again returns the same link, and sends no second mail. Null: every call makes a new invitation.
 */
export async function invite(
  service: Service,
  context: Context & { readonly invitedBy: { readonly id: string; readonly name: string } },
  input: { readonly email: string; readonly role: Role; readonly once?: string | null },
): Promise<{ readonly link: string | null }> {
  requirePermission(context, 'members')
  const { email, emailKey } = parseEmail(input.email)
  if (!mayAppoint(getRole(context), input.role)) throw tooHigh()
  const { account, invitedBy } = context
  const now = realNow(service)
  const { once = null } = input
  const asked = JSON.stringify([account.id, invitedBy.id, once, emailKey, input.role])
  const token = once === null ? makeToken() : deriveToken(service, 'invitation', `once ${asked}`)
  const hmac = tokenHmac(service, 'invitation', token)
  const link = linkTo(service.config, `/invitation?token=${token}`)
  const isMailed = sendsMail(service.config)
  const answer = { link: isMailed ? null : link }
  if (once !== null && (await findInvitation(service.pool, { hmac, now })) !== null) return answer
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
  await inTransaction(service.pool, async (db) => {
    const isNew = await insertInvitation(db, {
      accountId: account.id,
      id,
      email,
      emailKey,
      role: input.role,
      invitedBy: invitedBy.id,
      createdAt: now,
      expiresAt: new Date(service.clock.now() + goodForMs).toISOString(),
      tokenHmac: hmac,
    })
    // The same request came a second time while the first was running, or after its invitation was used.
    if (!isNew) {
      if ((await findInvitation(db, { hmac, now })) !== null) return
      throw new ServiceError('conflict', 'This invitation was accepted or taken back. Invite them anew.')
    }
    // A person who is invited again has one link that works: the newest.
    const before = await revokeInvitations(db, { accountId: account.id, id: null, emailKey, butId: id, now })
    await withdrawMails(db, { kind: 'invitation', about: before.map((each) => each.id) })
    await recordChange(db, service, context, {
      action: 'invitation.created',
      target: { type: 'invitation', id },
      diff: { email: [null, email], role: [null, input.role] },
    })
    if (!isMailed) return
    const [inviter, company] = [oneLine(invitedBy.name), oneLine(account.companyName)]
    await queueMail(db, service, {
      kind: 'invitation',
      about: id,
      goodForMs,
      mail: {
        to: email,
        subject: `${inviter} invites you to ${company} on Landfall`,
        text: `Hello,\n\n${inviter} invites you to track shipments with ${company}. Accept within a week:\n\n${link}\n\nThe invitation is for ${email} alone.\n`,
      },
    })
  })
  return answer
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
