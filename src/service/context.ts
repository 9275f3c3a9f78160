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
  /** True for an account of the sandbox: its carriers are simulated, and its journeys use the sandbox's clock. */
  readonly isFiction: boolean
}

export interface Context {
  readonly account: Account
  readonly actor: Actor
  readonly scopes: readonly Scope[]
  readonly requestId: string
  /** The role of the person who acts; missing where no person acts: a key, the operator. */
  readonly role?: Role
  /**
   * True for a page that anybody may open. It is shown the journey, but nothing about the people and companies
   * involved.
   */
  readonly isEmbedded?: true
  /** Where the request came from, for the audit log. */
  readonly from?: Origin
}

export interface Origin {
  readonly ip: string | null
  readonly userAgent: string | null
}

/** The first line of every verb calls this. */
export function requireScope(context: Context, scope: Scope): void {
  if (!context.scopes.includes(scope)) {
    throw new ServiceError('forbidden', `This key may not ${scope === 'write' ? 'change anything' : 'read'}.`)
  }
}

/**
 * Whether the actor may do more than read and write. A key without a person may manage webhooks, as the API allows.
 * Keys, members and owners are managed only by people and by the operator.
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
