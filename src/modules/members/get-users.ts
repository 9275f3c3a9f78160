/** People of the account, by their ids. */

import { type Context, requireScope } from '../access/context.ts'
import type { Service } from '../service.ts'
import { type Colleague, findColleagues } from './memberships-sql.ts'

/** Returns those of the ids that are members, in no order. */
export async function getUsers(
  service: Service,
  context: Context,
  input: { readonly ids: readonly string[] },
): Promise<readonly Colleague[]> {
  requireScope(context, 'read')
  return findColleagues(service.pool, { accountId: context.account.id, ids: input.ids })
}
