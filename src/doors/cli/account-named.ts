/** The account that a command works for: by its id or its company's name, or the only one there is. */

import type { Context } from '../../service/context.ts'
import type { Service } from '../../service/service.ts'
import { listAccounts } from '../../store/people/accounts.ts'
import { UsageError } from './command.ts'

export const accountOption = {
  type: 'string',
  value: '<id or name>',
  about: 'account it is for; may be left out where there is only one',
} as const

/** A context that may do everything in the account, as the operator of the installation. */
export async function accountNamed(service: Service, named: string | null): Promise<Context> {
  const accounts = await listAccounts(service.pool)
  const wanted = named?.trim().toLowerCase()
  const found = accounts.filter(
    ({ id, companyName }) => wanted === undefined || id === wanted || companyName.toLowerCase() === wanted,
  )
  const [account] = found
  if (account !== undefined && found.length === 1) {
    return { account, actor: { kind: 'system' }, scopes: ['read', 'write'], requestId: 'command line' }
  }
  const known = accounts.map(({ id, companyName }) => `${id} (${companyName})`).join(', ')
  const which = found.length > 1 ? 'Several accounts are meant' : `There is no account ${named ?? ''}`.trim()
  throw new UsageError(
    known === '' ? 'There is no account yet.' : `${which}; --account names one of ${known}.`,
  )
}
