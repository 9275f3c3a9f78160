/** A signed-in person who changes their own data, and enters their password again for important changes. */

import type { Person } from '../audit/record-user-change.ts'
import { notFound, refusedAt } from '../errors.ts'
import { findUser, type User } from '../members/users-sql.ts'
import type { Service } from '../service.ts'
import { recordSuccess, useAttempt } from './attempts.ts'
import { isPassword } from './password.ts'

export interface SignedIn extends Person {
  readonly sessionId: string
}

export async function confirmPassword(service: Service, by: SignedIn, password: string): Promise<User> {
  const tried = { kind: 'password', of: by.userId } as const
  await useAttempt(service, tried)
  const user = await findUser(service.pool, by.userId)
  if (user === null) throw notFound('person')
  if (!(await isPassword(password, user.passwordHash))) {
    throw refusedAt('/password', 'This is not your password.')
  }
  await recordSuccess(service, { forget: [tried], giveBack: [] })
  return user
}
