/**
 * How people sign up. The first person of an account shows one of its API keys, or the link that the start printed, and
 * becomes its owner. All others come by invitation.
 * Where the operator has opened sign-up, everybody else gets an account of their own.
 */

import { type Db, inTransaction } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'
import type { Origin } from '../access/context.ts'
import { insertAccount } from '../accounts/accounts-sql.ts'
import { type Person, recordUserChange } from '../audit/record-user-change.ts'
import { refusedAt, ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { useAttempt } from '../sessions/attempts.ts'
import { parseEmail, parseName } from '../sessions/email-address.ts'
import { openSession } from '../sessions/open-session.ts'
import { checkPassword, hashPassword } from '../sessions/password.ts'
import { getSignInLink, useSignInLink } from '../sessions/sign-in-link.ts'
import { acceptOpenInvitation, getInvitation } from './accept-invitation.ts'
import { claimAccount, findKeyAccount } from './claim-account.ts'
import { insertMembership } from './memberships-sql.ts'
import { insertUser } from './users-sql.ts'

export interface SignUp {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly by:
    | { readonly kind: 'key'; readonly key: string }
    | { readonly kind: 'invitation'; readonly token: string }
    | { readonly kind: 'link'; readonly token: string }
    | { readonly kind: 'open'; readonly companyName: string }
}

/** Returns `userId` and the token of the first session. A refusal names the field. */
export async function signUp(
  service: Service,
  input: SignUp,
  request: { readonly from: Origin; readonly requestId: string },
): Promise<{ readonly userId: string; readonly token: string }> {
  await useAttempt(service, { kind: 'address', of: request.from.ip ?? 'none' })
  const name = parseName(input.name)
  const { email, emailKey } = parseEmail(input.email)
  checkPassword(input.password, { email, field: 'password' })
  const enter = await prepareJoin(service, input, { emailKey })
  const user = { id: uuidV7(service.clock.now()), email, emailKey, name }
  const passwordHash = await hashPassword(input.password)
  const token = await inTransaction(service.pool, async (db) => {
    if (!(await insertUser(db, { ...user, passwordHash, createdAt: realNow(service) }))) {
      throw new ServiceError('duplicate', 'There is already a user with this address. Sign in instead.', {
        source: { pointer: '/email' },
      })
    }
    const person = { ...request, userId: user.id }
    const accountId = await enter(db, person)
    await recordUserChange(db, service, person, { action: 'user.signed_up' })
    return openSession(db, service, { userId: user.id, accountId, from: request.from })
  })
  return { userId: user.id, token }
}

type JoinStep = (db: Db, by: Person) => Promise<string>

/**
 * Checks this part of the input before the password is hashed. The function that it returns does the rest, in the
 * transaction.
 */
async function prepareJoin(
  service: Service,
  { by }: SignUp,
  { emailKey }: { readonly emailKey: string },
): Promise<JoinStep> {
  switch (by.kind) {
    case 'key': {
      const accountId = await findKeyAccount(service, by.key)
      return async (db, person) => {
        await claimAccount(db, service, { accountId, by: person })
        return accountId
      }
    }
    case 'invitation': {
      const invitation = await getInvitation(service, by.token)
      if (invitation.emailKey !== emailKey) {
        throw new ServiceError('forbidden', 'This invitation is for another e-mail address.', {
          source: { pointer: '/email' },
        })
      }
      return (db, person) => acceptOpenInvitation(db, service, { invitation, by: person })
    }
    case 'link': {
      const { accountId } = await getSignInLink(service, by.token)
      return async (db, person) => {
        await useSignInLink(db, service, by.token)
        await claimAccount(db, service, { accountId, by: person })
        return accountId
      }
    }
    case 'open':
      return prepareNewAccount(service, by.companyName)
  }
}

function prepareNewAccount(service: Service, given: string): JoinStep {
  if (service.config.accounts.signUp !== 'open') {
    throw new ServiceError('forbidden', 'Sign-up is by invitation here.', { source: { pointer: '/key' } })
  }
  const companyName = parseCompanyName(given)
  return async (db, { userId }) => {
    const id = uuidV7(service.clock.now())
    const createdAt = realNow(service)
    await insertAccount(db, { id, companyName, isSandbox: false, createdAt })
    await insertMembership(db, { accountId: id, userId, role: 'owner', createdAt })
    return id
  }
}

export function parseCompanyName(given: string): string {
  const name = given.trim().normalize('NFC')
  if (name !== '' && name.length <= 100 && !/\p{Cc}/u.test(name)) return name
  throw refusedAt('/company', "A company's name has 1 to 100 characters.")
}
