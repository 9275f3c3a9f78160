/** Who is signed in: from the token in the browser to the person, their accounts, and the account they work for now. */

import type { Account, Context, Origin } from '../access/context.ts'
import { grantOf, parseRole, type Role } from '../access/roles.ts'
import { realNow, type Service } from '../service.ts'
import { findSession as findRow, touchSession } from './sessions-sql.ts'
import { deriveToken, tokenHmac } from './token.ts'

export interface Membership {
  readonly account: Account
  readonly role: Role
}

export interface Visitor {
  readonly sessionId: string
  readonly user: { readonly id: string; readonly email: string; readonly name: string }
  /** All accounts of the person, by company name. */
  readonly memberships: readonly Membership[]
  /** The chosen one; null for a person who belongs to none. */
  readonly current: Membership | null
  /** The token that every form of this session contains. */
  readonly formToken: string
  /** ISO 8601. */
  readonly signedInAt: string
}

const touchedMs = 60_000

/** One SQL statement, and nothing is remembered: a session that was ended does not work with the next request. */
export async function findSession(
  service: Service,
  token: string,
  from: { readonly ip: string | null } = { ip: null },
): Promise<Visitor | null> {
  const found = await findRow(service.pool, {
    hmac: tokenHmac(service, 'session', token),
    now: realNow(service),
    idleSince: idleSince(service),
  })
  if (found === null) return null
  if (service.clock.now() - Date.parse(found.lastSeenAt) > touchedMs)
    await touchSession(service.pool, { id: found.id, now: realNow(service), ip: from.ip })
  const memberships = found.memberships.flatMap(({ accountId, companyName, isSandbox, role }) => {
    const known = parseRole(role)
    return known === null ? [] : [{ account: { id: accountId, companyName, isSandbox }, role: known }]
  })
  return {
    sessionId: found.id,
    user: { id: found.userId, email: found.email, name: found.name },
    memberships,
    current: memberships.find(({ account }) => account.id === found.accountId) ?? memberships[0] ?? null,
    formToken: deriveToken(service, 'form', token),
    signedInAt: found.createdAt,
  }
}

/** A context that acts as the person, for one of their accounts, with what their role there allows. */
export function contextOf(
  visitor: Pick<Visitor, 'user'>,
  { account, role }: Membership,
  request: { readonly requestId: string; readonly from: Origin },
): Context {
  return {
    account,
    actor: { kind: 'user', id: visitor.user.id },
    scopes: grantOf(role).scopes,
    role,
    ...request,
  }
}

export function idleSince({ clock, config }: Service): string {
  return new Date(clock.now() - config.accounts.sessionIdleHours * 3_600_000).toISOString()
}
