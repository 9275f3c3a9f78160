/** The second half of signing in: the one-time code of the person's device, or one of their recovery codes. */

import { findUser } from '../members/users-sql.ts'
import type { Service } from '../service.ts'
import { realNow } from '../service.ts'
import { recordSuccess, useAttempt } from './attempts.ts'
import { findDevice } from './device.ts'
import { useCode } from './one-time-codes.ts'
import { grantSignIn, recordFailedSignIn, type SignInAnswer, type SignInRequest } from './sign-in.ts'
import { consumeChallengeAttempt, deleteChallenge } from './sign-in-tokens-sql.ts'
import { tokenHmac } from './token.ts'

export type CodeAnswer =
  | Extract<SignInAnswer, { readonly kind: 'signed_in' | 'wrong' }>
  /** The challenge has expired or its attempts are used up. The person must start again. */
  | { readonly kind: 'over' }

/** A code works once: of two requests with the same code, only one succeeds. */
export async function signInWithCode(
  service: Service,
  input: { readonly challenge: string; readonly code: string },
  request: SignInRequest,
): Promise<CodeAnswer> {
  const hmac = tokenHmac(service, 'challenge', input.challenge)
  const userId = await consumeChallengeAttempt(service.pool, { hmac, now: realNow(service) })
  const user = userId === null ? null : await findUser(service.pool, userId)
  if (user === null) return { kind: 'over' }
  // As with passwords: somebody who has stolen a password can use up the attempts from unknown browsers, but not those
  // of the person's own browser.
  const device = findDevice(service, { userId: user.id, device: request.device })
  const tried = { kind: 'code', of: device === null ? user.id : `${user.id} ${device}` } as const
  await useAttempt(service, tried)
  if (!(await useCode(service, user, input.code))) {
    recordFailedSignIn(service, user, request)
    return { kind: 'wrong' }
  }
  if (!(await deleteChallenge(service.pool, hmac))) return { kind: 'over' }
  await recordSuccess(service, { forget: [tried], giveBack: [] })
  const answer = await grantSignIn(service, user.id, request)
  return answer.kind === 'code_needed' ? { kind: 'over' } : answer
}
