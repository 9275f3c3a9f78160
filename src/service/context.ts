/** On whose behalf a verb runs: the account, who acts for it, and what they may do. */

import { ServiceError } from './errors.ts'
import { grantOf, type Permission, type Role } from './roles.ts'

export type Actor =
  | { readonly kind: 'api_key'; readonly id: string }
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'oauth_client'; readonly id: string }
  | { readonly kind: 'system' }

export const scopes = ['read', 'write'] as const
export type Scope = (typeof scopes)[number]

export interface Account {
  readonly id: string
  readonly companyName: string
  /** Fiction lives in accounts of its own; their journeys run on the sandbox's clock. */
  readonly isFiction: boolean
}

export interface Context {
  readonly account: Account
  readonly actor: Actor
  readonly scopes: readonly Scope[]
  readonly requestId: string
  /** What the person behind it is in the account; missing where no person is: a key, the operator. */
  readonly role?: Role
  /** Behind it stands a page that anybody may open: it is shown the journey, and nobody who has to do with it. */
  readonly isEmbedded?: true
  /** Where the request came from, for the audit log. */
  readonly from?: Origin
}

export interface Origin {
  readonly ip: string | null
  readonly userAgent: string | null
}

/** First line of every verb. */
export function requireScope(context: Context, scope: Scope): void {
  if (!context.scopes.includes(scope)) {
    throw new ServiceError('forbidden', `This key may not ${scope === 'write' ? 'change anything' : 'read'}.`)
  }
}

/**
 * What is more than to read and write. A key without a person behind it may do with webhooks what it likes, as the API
 * has it; keys, members and owners are for people, and for the operator.
 */
export function hasPermission({ actor, role, scopes: held }: Context, permission: Permission): boolean {
  if (!held.includes('write')) return false
  if (actor.kind === 'system') return true
  return role === undefined ? permission === 'webhooks' : grantOf(role).permissions.includes(permission)
}

export function requirePermission(context: Context, permission: Permission): void {
  if (hasPermission(context, permission)) return
  requireScope(context, 'write')
  if (context.role === undefined)
    throw new ServiceError('forbidden', 'This is for a person who is signed in, not for a key.')
  throw new ServiceError(
    'forbidden',
    `Your role in this account does not let you manage ${permission}. Ask one of its owners.`,
  )
}
