/** A signed-in person changes their password or their name. */

import { inTransaction } from '../../db/database.ts'
import { withdrawMails } from '../../pipeline/notifications/mails-sql.ts'
import { recordUserChange } from '../audit/record-user-change.ts'
import { putPassword, renameUser } from '../members/users-sql.ts'
import { realNow, type Service } from '../service.ts'
import { confirmPassword, type SignedIn } from './confirm-password.ts'
import { parseName } from './email-address.ts'
import { rotateToken } from './open-session.ts'
import { checkPassword, hashPassword } from './password.ts'
import { revokeSessions } from './sessions-sql.ts'
import { dropPasswordResets } from './sign-in-tokens-sql.ts'

/** Ends every other session of the person; returns a new token for this one. */
export async function changePassword(
  service: Service,
  by: SignedIn,
  input: { readonly password: string; readonly newPassword: string },
): Promise<string> {
  const { email } = await confirmPassword(service, by, input.password)
  checkPassword(input.newPassword, { email, field: 'new_password' })
  const passwordHash = await hashPassword(input.newPassword)
  return inTransaction(service.pool, async (db) => {
    const now = realNow(service)
    await putPassword(db, { id: by.userId, passwordHash, now })
    await dropPasswordResets(db, { userId: by.userId, now })
    await withdrawMails(db, { kind: 'password_reset', about: [by.userId] })
    await revokeSessions(db, { userId: by.userId, id: null, butId: by.sessionId, now })
    await recordUserChange(db, service, by, { action: 'user.password_changed' })
    return rotateToken(db, service, by.sessionId)
  })
}

export async function changeName(service: Service, by: SignedIn, input: { readonly name: string }): Promise<void> {
  const name = parseName(input.name)
  await inTransaction(service.pool, async (db) => {
    await renameUser(db, { id: by.userId, name, now: realNow(service) })
    await recordUserChange(db, service, by, { action: 'user.renamed' })
  })
}
