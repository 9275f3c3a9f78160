/**
 * Work that waits for all accounts in one queue is leased in two steps. The first statement finds the work that has
 * been due longest, of any account, and locks nothing. The second one leases the found work of one account, and checks
 * again that it is due and that nobody else has it. So no statement locks rows of two accounts, which may be on two
 * machines (docs/decisions/0046).
 */

import { compareText } from '../../domain/statements/statement.ts'

/** A row of an account: both columns of its key. */
export interface RowOfAccount {
  readonly accountId: string
  readonly id: string
}

type AcquireRows<T> = (accountId: string, ids: readonly string[]) => Promise<readonly T[]>

/** Leases the found rows of each account, one account after the other, in the order in which they were found. */
export async function acquirePerAccount<T>(
  found: readonly RowOfAccount[],
  acquire: AcquireRows<T>,
): Promise<readonly T[]> {
  const acquired: T[] = []
  for (const [accountId, rows] of byAccount(found))
    acquired.push(
      ...(await acquire(
        accountId,
        rows.map(({ id }) => id),
      )),
    )
  return acquired
}

/** Leases the found rows of the first account whose rows others have not leased completely. */
export async function acquireFromFirstAccount<T>(
  found: readonly RowOfAccount[],
  acquire: AcquireRows<T>,
): Promise<readonly T[]> {
  for (const [accountId, rows] of byAccount(found)) {
    const acquired = await acquire(
      accountId,
      rows.map(({ id }) => id),
    )
    if (acquired.length > 0) return acquired
  }
  return []
}

/**
 * What belongs to each account, in the order of the accounts. All who lock rows of several accounts in one transaction go
 * through them in this order, so that they never wait for each other.
 */
export function inOrderOfAccounts<T extends { readonly accountId: string }>(
  all: readonly T[],
): readonly (readonly [accountId: string, readonly T[]])[] {
  return [...byAccount(all)].toSorted(([a], [b]) => compareText(a, b))
}

/**
 * Sends the statements of one account after those of the other, in the order of the accounts, without awaiting them: on one
 * connection they travel together and run in this order. `work` returns one result for each item, and so does this, in the
 * order of `all`.
 */
export async function ofEachAccount<T extends { readonly accountId: string }, Result>(
  all: readonly T[],
  work: (accountId: string, ofAccount: readonly T[]) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const accounts = inOrderOfAccounts(all)
  const answers = await Promise.all(accounts.map(([accountId, ofAccount]) => work(accountId, ofAccount)))
  const results = new Map<T, Result>()
  for (const [place, [, ofAccount]] of accounts.entries())
    for (const [each, item] of ofAccount.entries()) results.set(item, answers[place]?.[each] as Result)
  return all.map((each) => results.get(each) as Result)
}

function byAccount<T extends { readonly accountId: string }>(found: readonly T[]): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(found, ({ accountId }) => accountId)
}

/** An id before those of all accounts. */
export const nobody = '00000000-0000-0000-0000-000000000000'
const lastOfAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * The next account in round-robin order: of those with work the first after `after`, or else the first of all. `find`
 * searches among the accounts after the one up to the other.
 */
export async function findNextRoundRobin<T>(
  after: string | null,
  find: (after: string, upTo: string) => Promise<T | null>,
): Promise<T | null> {
  return (await find(after ?? nobody, lastOfAll)) ?? (after === null ? null : await find(nobody, after))
}
