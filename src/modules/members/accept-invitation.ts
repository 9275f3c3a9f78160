/** A person accepts an invitation. They must have the link, and the address that the invitation is for. */

import { type Db, inTransaction } from '../../db/database.ts'
import { recordChange } from '../audit/record-change.ts'
import type { Person } from '../audit/record-user-change.ts'
import { ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import type { SignedIn } from '../sessions/confirm-password.ts'
import { rotateToken } from '../sessions/open-session.ts'
import { putSessionAccount } from '../sessions/sessions-sql.ts'
import { tokenHmac } from '../sessions/token.ts'
import { findInvitation, markInvitationAccepted, type OpenInvitation } from './invitations-sql.ts'
import { insertMembership } from './memberships-sql.ts'
import { findUser } from './users-sql.ts'

/** Refuses with the same sentence an invitation that was used, was revoked, has expired, or never existed. */
export async function getInvitation(service: Service, token: string): Promise<OpenInvitation> {
  const hmac = tokenHmac(service, 'invitation', token)
  const found = await findInvitation(service.pool, { hmac, now: realNow(service) })
  if (found !== null) return found
  throw invitationExpiredError()
}

/**
 * For a person who is signed in already. Returns a new token for their session, which works for that account from now
 * on.
 */
export async function acceptInvitation(
  service: Service,
  by: SignedIn,
  input: { readonly token: string },
): Promise<string> {
  const invitation = await getInvitation(service, input.token)
  const user = await findUser(service.pool, by.userId)
  if (user?.email.toLowerCase() !== invitation.emailKey)
    throw new ServiceError('forbidden', `This invitation is for another e-mail address than ${user?.email}.`)
  return inTransaction(service.pool, async (db) => {
    const accountId = await acceptOpenInvitation(db, service, { invitation, by })
    await putSessionAccount(db, { id: by.sessionId, accountId })
    return rotateToken(db, service, by.sessionId)
  })
}

/** Returns the account's id. Runs in the transaction of whatever else the person does at this moment. */
export async function acceptOpenInvitation(
  db: Db,
  service: Service,
  { invitation, by }: { readonly invitation: OpenInvitation; readonly by: Person },
): Promise<string> {
  const { userId, requestId, from } = by
  const { accountId, id, role } = invitation
  const now = realNow(service)
  if (!(await markInvitationAccepted(db, { accountId, id, now }))) throw invitationExpiredError()
  await insertMembership(db, { accountId, userId, role, createdAt: now })
  await recordChange(
    db,
    service,
    { account: { id: accountId }, actor: { kind: 'user', id: userId }, requestId, from },
    {
      action: 'membership.created',
      target: { type: 'membership', id: userId },
      diff: { role: [null, role] },
    },
  )
  return accountId
}

function invitationExpiredError(): ServiceError {
  return new ServiceError(
    'not_found',
    'This invitation was used already, was taken back, or has run out. Ask for a new one.',
  )
}
