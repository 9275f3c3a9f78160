/** The scopes of OAuth access tokens, by the scopes of ours that they give, and what each means to a person. */

import type { Scope } from '../../context.ts'

export const tokenScopes: Readonly<Record<Scope, string>> = { read: 'tracking:read', write: 'tracking:write' }

/** All at once, so that nobody has to come back for the second. */
export const allScopes = [tokenScopes.read, tokenScopes.write] as const

/** Only asked for, never in a token: that the app may come back by itself. */
export const offlineScope = 'offline_access'

/** Null for a scope that is none of ours. */
export function scopesOf(words: string | null): readonly Scope[] {
  const given = new Set((words ?? '').split(' '))
  return (['read', 'write'] as const).filter((scope) => given.has(tokenScopes[scope]))
}
