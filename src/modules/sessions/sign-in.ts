/** Signs a person in: password first, then a one-time code where they have set that up. */

import { inTransaction } from '../../db/database.ts'
import { runAfterAnswer } from '../../pipeline/jobs/after-answer.ts'
import type { Origin } from '../access/context.ts'
import { recordUserChange } from '../audit/record-user-change.ts'
import { ServiceError } from '../errors.ts'
import { findUserByEmail, type User } from '../members/users-sql.ts'
import { realNow, type Service } from '../service.ts'
import { type AttemptTarget, dropOldAttempts, recordSuccess, useAttempt } from './attempts.ts'
import { findDevice } from './device.ts'
import { openSession } from './open-session.ts'
import { isPassword } from './password.ts'
import { deleteOldSessions, revokeSessions } from './sessions-sql.ts'
import { deleteOldTokens, insertChallenge } from './sign-in-tokens-sql.ts'
import { makeToken, tokenHmac } from './token.ts'

/** The data of a browser that wants to sign a person in. */
export interface SignInRequest {
  readonly from: Origin
  readonly requestId: string
  /** The device token that this browser got at an earlier sign-in; null when it has none. */
  readonly device: string | null
  /** The browser's present session, which ends when this sign-in succeeds. */
  readonly oldSession: { readonly id: string; readonly userId: string } | null
}

export type SignInAnswer =
  | { readonly kind: 'signed_in'; readonly token: string; readonly userId: string }
  /** The password was right. `challenge` is valid for the code for ten minutes. */
  | { readonly kind: 'code_needed'; readonly challenge: string }
  /**
   * Wrong password, or no person with this address. The caller cannot know which, and cannot learn it from the time
   * either.
   */
  | { readonly kind: 'wrong' }

const challengeMs = 600_000
const codesMax = 5
const monthMs = 30 * 86_400_000

export async function signIn(
  service: Service,
  input: { readonly email: string; readonly password: string },
  request: SignInRequest,
): Promise<SignInAnswer> {
  if (service.config.signIn.passwords === false)
    throw new ServiceError('forbidden', 'Sign-in with a password is switched off here.')
  const emailKey = input.email.trim().normalize('NFC').toLowerCase().slice(0, 254)
  const address: AttemptTarget = { kind: 'address', of: request.from.ip ?? 'none' }
  await useAttempt(service, address)
  const user = await findUserByEmail(service.pool, emailKey)
  const device = user === null ? null : findDevice(service, { userId: user.id, device: request.device })
  const person: AttemptTarget = device === null ? { kind: 'email', of: emailKey } : { kind: 'device', of: device }
  await useAttempt(service, person)
  if (!(await isPassword(input.password, user?.passwordHash ?? null)) || user === null) {
    recordFailedSignIn(service, user, request)
    return { kind: 'wrong' }
  }
  await recordSuccess(service, { forget: [person], giveBack: [address] })
  return admitUser(service, user, request)
}

/** Signs in a person whose identity is proven: a one-time code is still required where they have set that up. */
export async function admitUser(service: Service, user: User, request: SignInRequest): Promise<SignInAnswer> {
  if (user.encryptedTotp === null) return grantSignIn(service, user.id, request)
  const challenge = makeToken()
  await insertChallenge(service.pool, {
    hmac: tokenHmac(service, 'challenge', challenge),
    userId: user.id,
    now: realNow(service),
    expiresAt: new Date(service.clock.now() + challengeMs).toISOString(),
    attempts: codesMax,
  })
  return { kind: 'code_needed', challenge }
}

/**
 * Called when everything was right: opens a new session with a new token, and ends the one that the browser came with.
 */
export async function grantSignIn(service: Service, userId: string, request: SignInRequest): Promise<SignInAnswer> {
  const { from, requestId, oldSession } = request
  const token = await inTransaction(service.pool, async (db) => {
    if (oldSession !== null) await revokeSessions(db, { ...oldSession, butId: null, now: realNow(service) })
    const made = await openSession(db, service, { userId, accountId: null, from })
    await recordUserChange(db, service, { userId, requestId, from }, { action: 'session.opened' })
    return made
  })
  service.metrics.signInAccepted({ userId, requestId })
  runAfterAnswer(service, 'old_sessions', async () => {
    const before = new Date(service.clock.now() - monthMs).toISOString()
    await deleteOldSessions(service.pool, { before })
    await deleteOldTokens(service.pool, { before })
    await dropOldAttempts(service)
  })
  return { kind: 'signed_in', token, userId }
}

/**
 * Writes after the answer. Otherwise an answer about an existing person, for whom something is written, would take
 * longer than one about an unknown person.
 */
export function recordFailedSignIn(
  service: Service,
  user: Pick<User, 'id'> | null,
  { from, requestId }: Pick<SignInRequest, 'from' | 'requestId'>,
): void {
  service.metrics.signInRefused({ requestId, address: from.ip })
  if (user === null) return
  const person = { userId: user.id, requestId, from }
  runAfterAnswer(service, 'audit', () => recordUserChange(service.pool, service, person, { action: 'session.refused' }))
}
