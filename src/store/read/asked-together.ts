/**
 * Requests that know nothing of each other often ask the same question about several rows of one account at the same
 * time. One statement answers all of them. A request that asks alone waits only for this turn of the event loop.
 */

import { currentPlace } from '../account-share.ts'
import type { Db } from '../database.ts'

/** Maximum of ids in one statement. A statement has one connection, and must not hold up the next one for long. */
const togetherMax = 50

interface Key {
  readonly accountId: string
  readonly id: string
}

interface Asked<Answer> {
  readonly ids: Set<string>
  readonly answers: Promise<ReadonlyMap<string, Answer>>
}

/** Null for an id that is not in the answers. Questions are gathered by pool or connection, as in `makeMemory`. */
export function askTogether<Answer>(
  ask: (
    db: Db,
    of: { readonly accountId: string; readonly ids: readonly string[] },
  ) => Promise<ReadonlyMap<string, Answer>>,
): (db: Db, key: Key) => Promise<Answer | null> {
  const open = new WeakMap<Db, Map<string, Asked<Answer>>>()

  const begin = (
    db: Db,
    of: { readonly accountId: string; readonly line: string },
    waiting: Map<string, Asked<Answer>>,
  ): Asked<Answer> => {
    const ids = new Set<string>()
    const answers = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      // Whoever asks from now on is part of the next statement, so that every answer was read after it was asked for.
      if (waiting.get(of.line) === asked) waiting.delete(of.line)
      return ask(db, { accountId: of.accountId, ids: [...ids] })
    })
    const asked = { ids, answers }
    waiting.set(of.line, asked)
    return asked
  }
  return async (db, { accountId, id }) => {
    const waiting = open.get(db) ?? new Map<string, Asked<Answer>>()
    open.set(db, waiting)
    // A request that must read at the primary cannot use what another one reads at a replica.
    const line = `${accountId} ${currentPlace()?.name ?? ''}`
    const known = waiting.get(line)
    const asked =
      known === undefined || known.ids.size >= togetherMax ? begin(db, { accountId, line }, waiting) : known
    asked.ids.add(id)
    return (await asked.answers).get(id) ?? null
  }
}
