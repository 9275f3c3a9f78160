/**
 * Signs in a person whom another server knows: found by its `sub`, else by an e-mail address that it has verified; a
 * new person comes into the account that the operator has named.
 */

import { inTransaction } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { operatorContexts } from '../accounts/operator-contexts.ts'
import { recordUserChange } from '../audit/record-user-change.ts'
import { ServiceError } from '../errors.ts'
import { insertMembership } from '../members/memberships-sql.ts'
import { findUser, findUserByEmail, insertUser, type User } from '../members/users-sql.ts'
import { realNow, type Service } from '../service.ts'
import { type AttemptTarget, recordSuccess, useAttempt } from './attempts.ts'
import { parseEmail } from './email-address.ts'
import { type Claims, claimsFrom } from './identity-provider.ts'
import { hashPassword } from './password.ts'
import { admitUser, type SignInAnswer, type SignInRequest } from './sign-in.ts'
import { makeToken } from './token.ts'
import { findIdentity, insertIdentity } from './user-identities-sql.ts'

/** `wrong`: what came back is no answer to this sign-in. A person who may not come in is refused with the reason. */
export async function signInWithProvider(
  service: Service,
  input: { readonly state: string; readonly address: URL },
  request: SignInRequest,
): Promise<SignInAnswer> {
  const address: AttemptTarget = { kind: 'address', of: request.from.ip ?? 'none' }
  await useAttempt(service, address)
  const claims = await claimsFrom(service, input)
  if (claims === null) return { kind: 'wrong' }
  await recordSuccess(service, { forget: [], giveBack: [address] })
  const userId = await findIdentity(service.pool, claims)
  const known = userId === null ? null : await findUser(service.pool, userId)
  return admitUser(service, known ?? (await bindNewUser(service, claims, request)), request)
}

async function bindNewUser(service: Service, claims: Claims, request: SignInRequest): Promise<User> {
  const { emails } = service.config.signIn
  if (claims.email === null || (emails === 'verified' && !claims.isEmailVerified))
    throw signInError('The sign-in server gave no verified e-mail address, so we do not know who you are.')
  const { email, emailKey } = parseEmail(claims.email)
  const found =
    (await findUserByEmail(service.pool, emailKey)) ?? (await registerUser(service, claims, { email, emailKey }))
  const { issuer, subject } = claims
  await inTransaction(service.pool, async (db) => {
    if (!(await insertIdentity(db, { issuer, subject, userId: found.id, createdAt: realNow(service) }))) {
      // The same sign-in at the same moment may have bound it.
      if ((await findIdentity(db, claims)) === found.id) return
      throw signInError(`${email} already belongs to another sign-in of that server. Ask the operator of this server.`)
    }
    const { from, requestId } = request
    await recordUserChange(db, service, { userId: found.id, from, requestId }, { action: 'user.identity_added' })
  })
  return found
}

async function registerUser(
  service: Service,
  { name }: Claims,
  { email, emailKey }: { readonly email: string; readonly emailKey: string },
): Promise<User> {
  const { account: named, role } = service.config.signIn
  const [account, second] = named === null ? [] : (await operatorContexts(service, named)).found
  if (account === undefined || second !== undefined)
    throw signInError(`Nobody here has invited ${email}. Ask a person of your company for an invitation.`)
  const createdAt = realNow(service)
  const user = {
    id: uuidV7(service.clock.now()),
    email,
    emailKey,
    name: (name ?? email)
      .normalize('NFC')
      .replace(/\p{Cc}/gu, ' ')
      .slice(0, 100),
    // Nobody knows it: this person signs in by the other server, or requests a new password by mail.
    passwordHash: await hashPassword(makeToken()),
    createdAt,
  }
  await inTransaction(service.pool, async (db) => {
    if (await insertUser(db, user))
      await insertMembership(db, { accountId: account.account.id, userId: user.id, role, createdAt })
  })
  const made = await findUserByEmail(service.pool, emailKey)
  if (made === null) throw signInError('You could not be registered. Try again.')
  return made
}

function signInError(message: string): ServiceError {
  return new ServiceError('forbidden', message, { source: { pointer: '/email' } })
}
