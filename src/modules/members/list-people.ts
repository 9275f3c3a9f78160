/** What the operator of an installation does for the people who sign in to it. */

import type { Service } from '../service.ts'
import { makeResetLink } from '../sessions/reset-password.ts'
import { findUserByEmail, listUsers, type UserOverview } from './users-sql.ts'

export async function listPeople(service: Service): Promise<readonly UserOverview[]> {
  return listUsers(service.pool)
}

/** Makes a link that the operator gives to the person; null when no person has the address. */
export async function makeResetLinkFor(service: Service, email: string): Promise<string | null> {
  const user = await findUserByEmail(service.pool, email.trim().toLowerCase())
  return user === null ? null : makeResetLink(service.pool, service, user)
}
