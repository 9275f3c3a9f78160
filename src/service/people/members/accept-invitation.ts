/** A person accepts an invitation. They must have the link, and the address that the invitation is for. */

import { type Db, inTransaction } from '../../../store/database.ts'
import { findInvitation, type OpenInvitation, takeInvitation } from '../../../store/people/invitations.ts'
import { insertMembership } from '../../../store/people/memberships.ts'
import { putSessionAccount } from '../../../store/people/sessions.ts'
import { findUser } from '../../../store/people/users.ts'
import { ServiceError } from '../../errors.ts'
import { realNow, type Service } from '../../service.ts'
import { recordChange } from '../audit/record-change.ts'
import type { Person } from '../audit/record-user-change.ts'
import { rotateToken } from '../sessions/open-session.ts'
import type { SignedIn } from '../sessions/signed-in.ts'
import { tokenHmac } from '../sessions/token.ts'

/** Refuses with the same sentence an invitation that was used, was revoked, has expired, or never existed. */
export async function getInvitation(service: Service, token: string): Promise<OpenInvitation> {
  const hmac = tokenHmac(service, 'invitation', token)
  const found = await findInvitation(service.pool, { hmac, now: realNow(service) })
  if (found !== null) return found
  throw gone()
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
    const accountId = await acceptTaken(db, service, { invitation, by })
    await putSessionAccount(db, { id: by.sessionId, accountId })
    return rotateToken(db, service, by.sessionId)
  })
}

/** Returns the account's id. Runs in the transaction of whatever else the person does at this moment. */
export async function acceptTaken(
  db: Db,
  service: Service,
  { invitation, by }: { readonly invitation: OpenInvitation; readonly by: Person },
): Promise<string> {
  const { userId, requestId, from } = by
  const { accountId, id, role } = invitation
  const now = realNow(service)
  if (!(await takeInvitation(db, { accountId, id, now }))) throw gone()
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

function gone(): ServiceError {
  return new ServiceError(
    'not_found',
    'This invitation was used already, was taken back, or has run out. Ask for a new one.',
  )
}
