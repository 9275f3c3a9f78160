/** What the operator of an installation does for the people who sign in to it. */

import { makeConfirmationLink } from '../../pipeline/notifications/alert-addresses.ts'
import type { Service } from '../service.ts'
import { makeResetLink } from '../sessions/reset-password.ts'
import { listAccountsOfUser } from './memberships-sql.ts'
import { findUserByEmail, listUsers, type UserOverview } from './users-sql.ts'

export async function listPeople(service: Service): Promise<readonly UserOverview[]> {
  return listUsers(service.pool)
}

/** Makes a link that the operator gives to the person; null when no person has the address. */
export async function makeResetLinkFor(service: Service, email: string): Promise<string | null> {
  const user = await findUserByEmail(service.pool, email.trim().toLowerCase())
  return user === null ? null : makeResetLink(service.pool, service, user)
}

/**
 * For each account of the person the link that confirms the address there, null where it is confirmed; null when no
 * person has the address.
 */
export async function makeConfirmationLinksFor(
  service: Service,
  email: string,
): Promise<readonly { readonly companyName: string; readonly link: string | null }[] | null> {
  const user = await findUserByEmail(service.pool, email.trim().toLowerCase())
  if (user === null) return null
  const links = []
  for (const { accountId, companyName } of await listAccountsOfUser(service.pool, user.id))
    links.push({ companyName, link: await makeConfirmationLink(service, { accountId, email: user.email }) })
  return links
}
