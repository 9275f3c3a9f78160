/**
 * Signs in a person whom another server knows: found by its subject, else by an e-mail address that it has verified; a
 * new person comes into the account that the operator has named.
 */

import { uuidV7 } from '../../../platform/ids.ts'
import { inTransaction } from '../../../store/database.ts'
import { insertMembership } from '../../../store/people/memberships.ts'
import { findIdentity, insertIdentity } from '../../../store/people/user-identities.ts'
import { findUser, findUserByEmail, insertUser, type User } from '../../../store/people/users.ts'
import { ServiceError } from '../../errors.ts'
import { realNow, type Service } from '../../service.ts'
import { operatorContexts } from '../access/operator.ts'
import { recordUserChange } from '../audit/record-user-change.ts'
import { type Tried, tryOnce, wentWell } from '../sessions/attempts.ts'
import { type Claims, claimsFrom } from '../sessions/identity-provider.ts'
import { hashPassword } from '../sessions/password.ts'
import { admit, type SignInAnswer, type SignInRequest } from '../sessions/sign-in.ts'
import { makeToken } from '../sessions/token.ts'
import { parseEmail } from './email-address.ts'

/** `wrong`: what came back is no answer to this sign-in. A person who may not come in is refused with the reason. */
export async function signInElsewhere(
  service: Service,
  input: { readonly state: string; readonly address: URL },
  request: SignInRequest,
): Promise<SignInAnswer> {
  const address: Tried = { kind: 'address', of: request.from.ip ?? 'none' }
  await tryOnce(service, address)
  const claims = await claimsFrom(service, input)
  if (claims === null) return { kind: 'wrong' }
  await wentWell(service, { forget: [], giveBack: [address] })
  const userId = await findIdentity(service.pool, claims)
  const known = userId === null ? null : await findUser(service.pool, userId)
  return admit(service, known ?? (await newcomer(service, claims, request)), request)
}

async function newcomer(service: Service, claims: Claims, request: SignInRequest): Promise<User> {
  const { emails } = service.config.signIn
  if (claims.email === null || (emails === 'verified' && !claims.isEmailVerified))
    throw refused('Your sign-in there has no verified e-mail address, so nobody here knows who you are.')
  const { email, emailKey } = parseEmail(claims.email)
  const found =
    (await findUserByEmail(service.pool, emailKey)) ?? (await register(service, claims, { email, emailKey }))
  const { issuer, subject } = claims
  await inTransaction(service.pool, async (db) => {
    if (!(await insertIdentity(db, { issuer, subject, userId: found.id, createdAt: realNow(service) })))
      return
    const { from, requestId } = request
    await recordUserChange(
      db,
      service,
      { userId: found.id, from, requestId },
      { action: 'user.identity_added' },
    )
  })
  return found
}

async function register(
  service: Service,
  { name }: Claims,
  { email, emailKey }: { readonly email: string; readonly emailKey: string },
): Promise<User> {
  const { account: named, role } = service.config.signIn
  const [account, second] = named === null ? [] : (await operatorContexts(service, named)).found
  if (account === undefined || second !== undefined)
    throw refused(`Nobody here has invited ${email}. Ask a person of your company for an invitation.`)
  const createdAt = realNow(service)
  const user = {
    id: uuidV7(service.clock.now()),
    email,
    emailKey,
    name: (name ?? email)
      .normalize('NFC')
      .replace(/\p{Cc}/gu, ' ')
      .slice(0, 100),
    // Nobody knows it: this person signs in by the other server, or asks for a new password by mail.
    passwordHash: await hashPassword(makeToken()),
    createdAt,
  }
  await inTransaction(service.pool, async (db) => {
    if (await insertUser(db, user))
      await insertMembership(db, { accountId: account.account.id, userId: user.id, role, createdAt })
  })
  const made = await findUserByEmail(service.pool, emailKey)
  if (made === null) throw refused('You could not be registered. Try again.')
  return made
}

function refused(message: string): ServiceError {
  return new ServiceError('forbidden', message, { source: { pointer: '/email' } })
}
