/** An account's say over what is learnt by it, whether others may learn too, that all of it is forgotten; and whom its numbers are asked of. */

import { inTransaction } from '../../store/database.ts'
import { deleteOutcomes, setSharing } from '../../store/inference/outcomes.ts'
import { type SearchSettings, writeSearchSettings } from '../../store/people/accounts.ts'
import { type Context, requireScope } from '../context.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'

/** More lines than there are. */
export const searchLinesMax = 1_000

/** Counts for what was learnt before as well: every process takes it out of what accounts share within seconds. */
export async function shareOutcomes(
  service: Service,
  context: Context,
  input: { readonly shares: boolean },
): Promise<void> {
  requireScope(context, 'write')
  await setSharing(service.pool, { accountId: context.account.id, shares: input.shares })
}

/** How the account's numbers are searched for when no line is named; counts for requests that are made from now on. */
export async function setSearch(service: Service, context: Context, input: SearchSettings): Promise<void> {
  requireScope(context, 'write')
  const { linesMax } = input
  if (linesMax !== null && (!Number.isInteger(linesMax) || linesMax < 1 || linesMax > searchLinesMax))
    throw new ServiceError(
      'invalid',
      `How many lines are asked is a whole number from 1 to ${searchLinesMax}.`,
    )
  await writeSearchSettings(service.pool, { accountId: context.account.id, ...input })
}

/** Removes every outcome and prediction of the account; returns how many outcomes. The account's tracking is untouched. */
export async function forgetOutcomes(service: Service, context: Context): Promise<number> {
  requireScope(context, 'write')
  return inTransaction(service.pool, (db) => deleteOutcomes(db, context.account.id))
}
