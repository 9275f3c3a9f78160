/** An account's say over what is learnt by it: whether others may learn too, and that all of it is forgotten. */

import { inTransaction } from '../../store/database.ts'
import { deleteOutcomes, setSharing } from '../../store/inference-outcomes.ts'
import { type Context, requireScope } from '../context.ts'
import type { Service } from '../service.ts'

/** Counts for what was learnt before as well: every process takes it out of what accounts share within seconds. */
export async function shareOutcomes(
  service: Service,
  context: Context,
  input: { readonly shares: boolean },
): Promise<void> {
  requireScope(context, 'write')
  await setSharing(service.pool, { accountId: context.account.id, shares: input.shares })
}

/** Removes every outcome and prediction of the account; returns how many outcomes. The account's tracking is untouched. */
export async function forgetOutcomes(service: Service, context: Context): Promise<number> {
  requireScope(context, 'write')
  return inTransaction(service.pool, (db) => deleteOutcomes(db, context.account.id))
}
