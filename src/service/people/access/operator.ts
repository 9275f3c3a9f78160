/** Who works at the machine itself: whoever runs its commands may do everything in each account of the installation. */

import { listAccounts } from '../../../store/people/accounts.ts'
import type { Context } from '../../context.ts'
import type { Service } from '../../service.ts'

export interface Named {
  readonly id: string
  readonly companyName: string
}

/** The accounts of the id or the company's name, all of them when none is named; and which there are. */
export async function operatorContexts(
  service: Service,
  named: string | null,
): Promise<{ readonly found: readonly Context[]; readonly known: readonly Named[] }> {
  const known = await listAccounts(service.pool)
  const wanted = named?.trim().toLowerCase()
  const found = known
    .filter(({ id, companyName }) => [undefined, id, companyName.toLowerCase()].includes(wanted))
    .map((account): Context => {
      return { account, actor: { kind: 'system' }, scopes: ['read', 'write'], requestId: 'command line' }
    })
  return { found, known }
}
