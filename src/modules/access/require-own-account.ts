/**
 * An API key opens one account. A request that names another by `x-account-id` is refused; it is never answered with
 * data of the key's own account.
 */

import { ServiceError } from '../errors.ts'
import type { Account } from './context.ts'

/** `named`: null when the request names none. */
export function requireOwnAccount({ account }: { readonly account: Account }, named: string | null): void {
  if (named === null || named.toLowerCase() === account.id) return
  throw new ServiceError(
    'forbidden',
    'An API key works only for its own account, but x-account-id names another. Leave the header out, or use a key of that account.',
    { source: { header: 'x-account-id' } },
  )
}
