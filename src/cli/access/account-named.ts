/** The account that a command works for, named by id or by company name; or the only account there is. */

import type { Context } from '../../modules/access/context.ts'
import { operatorContexts } from '../../modules/accounts/operator-contexts.ts'
import type { Service } from '../../modules/service.ts'
import { UsageError } from '../framework/command.ts'

export const accountOption = {
  type: 'string',
  value: '<id or name>',
  about: 'the account; optional if there is only one',
} as const

/** A context that may do everything in the account, as the operator of the installation. */
export async function findAccountContext(service: Service, named: string | null): Promise<Context> {
  const { found, known: accounts } = await operatorContexts(service, named)
  const [context] = found
  if (context !== undefined && found.length === 1) return context
  const known = accounts.map(({ id, companyName }) => `${id} (${companyName})`).join(', ')
  const which = found.length > 1 ? 'Several accounts match' : `There is no account ${named ?? ''}`.trim()
  throw new UsageError(
    known === '' ? 'There is no account yet.' : `${which}. Give one of these with --account: ${known}.`,
  )
}
