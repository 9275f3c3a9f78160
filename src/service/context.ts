/** On whose behalf a verb runs: the account, who acts for it, and what they may do. */

import { ServiceError } from './errors.ts'

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
}

/** First line of every verb. */
export function requireScope(context: Context, scope: Scope): void {
  if (!context.scopes.includes(scope)) {
    throw new ServiceError('forbidden', `This key may not ${scope === 'write' ? 'change anything' : 'read'}.`)
  }
}
