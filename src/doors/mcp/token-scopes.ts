/** The scopes of OAuth access tokens, by the scopes of ours that they give. */

import type { Scope } from '../../service/context.ts'

export const tokenScopes: Readonly<Record<Scope, string>> = { read: 'tracking:read', write: 'tracking:write' }

/** All at once, so that nobody has to come back for the second. */
export const allScopes = [tokenScopes.read, tokenScopes.write] as const
