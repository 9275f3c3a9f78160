/**
 * The same question about several rows of one account, asked at the same time by requests that know nothing of each other:
 * one statement answers all of them. Whoever asks alone waits for nobody but what this turn of the event loop brings.
 */

import type { Db } from '../database.ts'

/** A statement that is lent one connection must not hold up the next one for long. */
const togetherMax = 50

interface Key {
  readonly accountId: string
  readonly id: string
}

interface Asked<Answer> {
  readonly ids: Set<string>
  readonly answers: Promise<ReadonlyMap<string, Answer>>
}

/** Null for an id that is not in the answers. By pool or connection, as `makeMemory` has it. */
export function askTogether<Answer>(
  ask: (
    db: Db,
    of: { readonly accountId: string; readonly ids: readonly string[] },
  ) => Promise<ReadonlyMap<string, Answer>>,
): (db: Db, key: Key) => Promise<Answer | null> {
  const open = new WeakMap<Db, Map<string, Asked<Answer>>>()

  const begin = (db: Db, accountId: string, waiting: Map<string, Asked<Answer>>): Asked<Answer> => {
    const ids = new Set<string>()
    const answers = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      // Whoever comes from now on is part of the next one: what is answered was read after it was asked for.
      if (waiting.get(accountId) === asked) waiting.delete(accountId)
      return ask(db, { accountId, ids: [...ids] })
    })
    const asked = { ids, answers }
    waiting.set(accountId, asked)
    return asked
  }
  return async (db, { accountId, id }) => {
    const waiting = open.get(db) ?? new Map<string, Asked<Answer>>()
    open.set(db, waiting)
    const known = waiting.get(accountId)
    const asked = known === undefined || known.ids.size >= togetherMax ? begin(db, accountId, waiting) : known
    asked.ids.add(id)
    return (await asked.answers).get(id) ?? null
  }
}
