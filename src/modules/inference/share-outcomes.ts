/**
 * The settings of an account for learning: whether others may learn from its outcomes, the deletion of all its
 * outcomes, and which lines are polled about its numbers.
 */

import { inTransaction } from '../../db/database.ts'
import { type Context, requireScope } from '../access/context.ts'
import { type SearchSettings, writeSearchSettings } from '../accounts/accounts-sql.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { deleteOutcomes, setSharing } from './outcomes-sql.ts'

/** More than the number of lines that exist. */
export const searchLinesMax = 1_000

/**
 * Applies to earlier outcomes too. When sharing ends, every process removes them from the shared evidence within
 * seconds.
 */
export async function shareOutcomes(
  service: Service,
  context: Context,
  input: { readonly shares: boolean },
): Promise<void> {
  requireScope(context, 'write')
  await setSharing(service.pool, { accountId: context.account.id, shares: input.shares })
}

/** How the line of a number is searched for when none is named. Applies to requests that are made from now on. */
export async function setSearch(service: Service, context: Context, input: SearchSettings): Promise<void> {
  requireScope(context, 'write')
  const { linesMax } = input
  if (linesMax !== null && (!Number.isInteger(linesMax) || linesMax < 1 || linesMax > searchLinesMax))
    throw new ServiceError('invalid', `The number of lines to poll must be a whole number from 1 to ${searchLinesMax}.`)
  await writeSearchSettings(service.pool, { accountId: context.account.id, ...input })
}

/** Removes every outcome and prediction of the account; returns how many outcomes. The account's tracking is untouched. */
export async function forgetOutcomes(service: Service, context: Context): Promise<number> {
  requireScope(context, 'write')
  return inTransaction(service.pool, (db) => deleteOutcomes(db, context.account.id))
}
