/** On whose behalf a verb runs: the account, who acts for it, and what they may do. */

import { ServiceError } from '../errors.ts'
import { grantOf, type Permission, type Role } from './roles.ts'

export type Actor =
  | { readonly kind: 'api_key'; readonly id: string }
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'oauth_client'; readonly id: string }
  | { readonly kind: 'system' }

/** `admin`: to manage API keys and members, and to read the audit log. It adds to `write`, and no app has it. */
export const scopes = ['read', 'write', 'admin'] as const
export type Scope = (typeof scopes)[number]

export interface Account {
  readonly id: string
  readonly companyName: string
  /** True for an account of the sandbox: its carriers are simulated, and its journeys use the sandbox's clock. */
  readonly isSandbox: boolean
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
    throw new ServiceError('forbidden', `This key may not ${scope === 'read' ? 'read' : 'change anything'}.`)
  }
}

/**
 * The role that limits what the actor may give to others: that of the person, and for a key with the scope `admin` the
 * role `admin`. Null for other keys.
 */
export function findActingRole({ role, scopes: held }: Context): Role | null {
  return role ?? (held.includes('admin') ? 'admin' : null)
}

/**
 * Whether the actor may do more than read and write. Every key that may write may manage webhooks. Keys, members and
 * owners need the scope `admin` besides, which people have by their role. An app that acts for a person never has it.
 */
export function hasPermission(context: Context, permission: Permission): boolean {
  const { actor, role, scopes: held } = context
  if (!held.includes('write')) return false
  if (actor.kind === 'system') return true
  if (permission === 'webhooks') return role === undefined || grantOf(role).permissions.includes('webhooks')
  const acting = findActingRole(context)
  return held.includes('admin') && acting !== null && grantOf(acting).permissions.includes(permission)
}

export function requirePermission(context: Context, permission: Permission): void {
  if (hasPermission(context, permission)) return
  requireScope(context, 'write')
  const isPerson = context.actor.kind === 'user'
  if (!isPerson && permission === 'owners')
    throw new ServiceError('forbidden', 'This is for a person who is signed in, not for a key.')
  if (!isPerson && permission !== 'webhooks')
    throw new ServiceError(
      'forbidden',
      'This needs a key with the scope `admin`, or a person whose role allows it. Apps cannot do it.',
    )
  throw new ServiceError(
    'forbidden',
    `Your role in this account does not let you manage ${permission}. Ask one of its owners.`,
  )
}
