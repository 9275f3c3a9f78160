/** The scopes of OAuth access tokens, by the scopes of ours that they give. */

import type { Scope } from '../access/context.ts'

/** `admin` has none: no app manages keys or members. */
type ScopeOfApps = Exclude<Scope, 'admin'>

export const tokenScopes: Readonly<Record<ScopeOfApps, string>> = {
  read: 'tracking:read',
  write: 'tracking:write',
}

/** Both at once, so that an app does not have to send a second request. */
export const allScopes = [tokenScopes.read, tokenScopes.write] as const

/** Only requested, never in a token: it allows the app to get new tokens without the person. */
export const offlineScope = 'offline_access'

/** Ignores scopes that Landfall does not have. */
export function scopesOf(scopeText: string | null): readonly ScopeOfApps[] {
  const given = new Set((scopeText ?? '').split(' '))
  return (['read', 'write'] as const).filter((scope) => given.has(tokenScopes[scope]))
}
