/**
 * Independent requests often query several rows of one account at the same time. One statement reads all of them. A
 * request that is alone waits only until the end of this tick of the event loop.
 */

import { currentReplicaSession } from './account-shares.ts'
import type { Db } from './database.ts'

/** Maximum of ids in one statement. A statement has one connection, and must not hold up the next one for long. */
const togetherMax = 50

interface Key {
  readonly accountId: string
  readonly id: string
}

interface Batch<Answer> {
  readonly ids: Set<string>
  readonly answers: Promise<ReadonlyMap<string, Answer>>
}

/** Null for an id that is not in the result. Ids are collected by pool or connection, as in `makeRowCache`. */
export function batchQueries<Answer>(
  runBatch: (
    db: Db,
    of: { readonly accountId: string; readonly ids: readonly string[] },
  ) => Promise<ReadonlyMap<string, Answer>>,
): (db: Db, key: Key) => Promise<Answer | null> {
  const open = new WeakMap<Db, Map<string, Batch<Answer>>>()

  const begin = (
    db: Db,
    of: { readonly accountId: string; readonly line: string },
    waiting: Map<string, Batch<Answer>>,
  ): Batch<Answer> => {
    const ids = new Set<string>()
    const answers = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      // Callers that come from now on are part of the next statement, so every result was read after it was requested.
      if (waiting.get(of.line) === batch) waiting.delete(of.line)
      return runBatch(db, { accountId: of.accountId, ids: [...ids] })
    })
    const batch = { ids, answers }
    waiting.set(of.line, batch)
    return batch
  }
  return async (db, { accountId, id }) => {
    const waiting = open.get(db) ?? new Map<string, Batch<Answer>>()
    open.set(db, waiting)
    // A request that must read at the primary cannot use what another one reads at a replica.
    const line = `${accountId} ${currentReplicaSession()?.name ?? ''}`
    const known = waiting.get(line)
    const batch = known === undefined || known.ids.size >= togetherMax ? begin(db, { accountId, line }, waiting) : known
    batch.ids.add(id)
    return (await batch.answers).get(id) ?? null
  }
}
