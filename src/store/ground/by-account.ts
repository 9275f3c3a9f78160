/**
 * Work that waits for all accounts in one queue is taken in two steps. The first statement finds what has been due
 * longest, of whatever account, and locks nothing. The second one takes what was found of one account, and checks again
 * that it is due and that nobody else has it. So no statement locks rows of two accounts, which may lie on two machines
 * (docs/decisions/0046).
 */

import { compareText } from '../../core/statements/statement.ts'

/** A row of an account: both parts of its key. */
export interface RowOfAccount {
  readonly accountId: string
  readonly id: string
}

type Take<T> = (accountId: string, ids: readonly string[]) => Promise<readonly T[]>

/** Takes what was found of each account, one after the other, in the order in which they were found. */
export async function takeOfEach<T>(found: readonly RowOfAccount[], take: Take<T>): Promise<readonly T[]> {
  const taken: T[] = []
  for (const [accountId, rows] of byAccount(found))
    taken.push(
      ...(await take(
        accountId,
        rows.map(({ id }) => id),
      )),
    )
  return taken
}

/** Takes what was found of the first account of which nobody else has taken all. */
export async function takeOfFirst<T>(found: readonly RowOfAccount[], take: Take<T>): Promise<readonly T[]> {
  for (const [accountId, rows] of byAccount(found)) {
    const taken = await take(
      accountId,
      rows.map(({ id }) => id),
    )
    if (taken.length > 0) return taken
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

function byAccount<T extends { readonly accountId: string }>(
  found: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(found, ({ accountId }) => accountId)
}

/** An id before those of all accounts. */
export const nobody = '00000000-0000-0000-0000-000000000000'
const lastOfAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * The account whose turn is next: of those with work the first after `after`, or else the first of all. `find` looks
 * among the accounts after the one up to the other.
 */
export async function nextInTurn<T>(
  after: string | null,
  find: (after: string, upTo: string) => Promise<T | null>,
): Promise<T | null> {
  return (await find(after ?? nobody, lastOfAll)) ?? (after === null ? null : await find(nobody, after))
}
