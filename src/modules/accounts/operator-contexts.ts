/**
 * The operator at the machine itself: a person who can run its commands may do everything in each account of the
 * installation.
 */

import { type Context, scopes } from '../access/context.ts'
import type { Service } from '../service.ts'
import { listAccounts } from './accounts-sql.ts'

export interface NamedAccount {
  readonly id: string
  readonly companyName: string
}

/** `found`: the accounts with this id or company name, or all accounts when `named` is null. `known`: all accounts. */
export async function operatorContexts(
  service: Service,
  named: string | null,
): Promise<{ readonly found: readonly Context[]; readonly known: readonly NamedAccount[] }> {
  const known = await listAccounts(service.pool)
  const wanted = named?.trim().toLowerCase()
  const found = known
    .filter(({ id, companyName }) => [undefined, id, companyName.toLowerCase()].includes(wanted))
    .map((account): Context => {
      return { account, actor: { kind: 'system' }, scopes: [...scopes], requestId: 'command line' }
    })
  return { found, known }
}
