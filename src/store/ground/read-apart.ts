/**
 * Sends what requests only read to read replicas. A request gets a replica that has everything which was changed for its
 * account before the request came; else it reads at the primary (docs/decisions/0037).
 */

import { setTimeout as pause } from 'node:timers/promises'
import { currentPlace, onBehalfOfNobody, type ReadingPlace } from '../account-share.ts'
import { markTransactions, mustCount } from '../change-marks.ts'
import { type Db, inTransaction, type Pool } from '../database.ts'
import { readChangeCounts, readStanding, type Standing } from './account-changes.ts'
import { type Lag, NotHere, openReplica, type Replica, type ReplicaOptions, type WhyNot } from './replica.ts'
import { uncounted } from './uncounted-writes.ts'

/** Every transaction of the pool, and every statement that it sends alone, is counted from now on. */
export function countChangesOf(pool: Pool): void {
  markTransactions(pool, uncounted)
  const query = pool.query.bind(pool) as (...given: readonly unknown[]) => unknown
  pool.query = ((...given: readonly unknown[]) => {
    const [statement] = given
    if (given.length > 1 || !mustCount(pool, statement)) return query(...given)
    return inTransaction(pool, (db) => db.query(statement as Parameters<Db['query']>[0]))
  }) as typeof pool.query
}

export interface ReplicasTold {
  /** A request that only reads was placed. */
  readonly placed: (target: 'replica' | 'primary', why: WhyNot | 'fresh') => void
  /** A request went on at the primary because a statement could not be read at its replica. */
  readonly left: (replica: string, why: WhyNot, error: unknown) => void
  readonly changed: (replica: string, whyNot: WhyNot | null, lag: Lag | null) => void
  readonly primaryUnreachable: (error: unknown) => void
}

export interface ReplicaState {
  readonly name: string
  readonly whyNot: WhyNot | null
  readonly lag: Lag | null
}

export interface Replicas {
  readonly states: () => readonly ReplicaState[]
  readonly close: () => Promise<void>
}

interface Reader extends Replicas {
  readonly place: (accountId: string) => Promise<ReadingPlace | null>
}

const readers = new WeakMap<Pool, Reader>()

export function hasReplicas(pool: Pool): boolean {
  return readers.has(pool)
}

/** Null when the pool has no replicas. */
export function replicasOf(pool: Pool): Replicas | null {
  return readers.get(pool) ?? null
}

/** Null when the request must read at the primary. */
export function findPlace(pool: Pool, accountId: string): Promise<ReadingPlace | null> {
  return readers.get(pool)?.place(accountId) ?? Promise.resolve(null)
}

const lookEveryMs = 1_000

/** The pool must be counted (`countChangesOf`). Resolves after the first look at each replica. */
export async function openReplicas(
  pool: Pool,
  given: Omit<ReplicaOptions, 'url'> & { readonly urls: readonly string[] },
  told: ReplicasTold,
): Promise<Replicas> {
  const replicas = given.urls.map((url) => openReplica({ ...given, url }))
  const past = openPast()
  const stopping = new AbortController()
  const look = async (): Promise<void> => {
    const primary = await readStanding(pool, []).catch((error: unknown) => {
      told.primaryUnreachable(error)
      return null
    })
    if (primary !== null) past.add(primary)
    const lookAt = async (replica: Replica): Promise<void> => {
      const before = replica.whyNot()
      await replica.look(primary, past.findLagMs)
      tellChange(replica, before)
    }
    await Promise.all(replicas.map(lookAt))
  }
  /** Also called when a request has found out, so that the log says it at once. */
  const tellChange = (replica: Replica, before: WhyNot | null): void => {
    const now = replica.whyNot()
    if (now !== before && !stopping.signal.aborted) told.changed(replica.name, now, replica.lag())
  }
  const place = async (accountId: string): Promise<ReadingPlace | null> => {
    const usable = replicas.filter((each) => each.whyNot() === null)
    let why: WhyNot = replicas[0]?.whyNot() ?? 'unreachable'
    // Nothing is asked of the primary while no replica can be used.
    if (usable.length > 0) {
      const counts = await readChangeCounts(pool, accountId)
      const first = turn++ % usable.length
      for (const replica of [...usable.slice(first), ...usable.slice(0, first)]) {
        try {
          await replica.catchUp(accountId, counts)
          told.placed('replica', 'fresh')
          return openPlace(replica, accountId, counts)
        } catch (error) {
          if (!(error instanceof NotHere)) throw error
          why = error.why
          tellChange(replica, null)
        }
      }
    }
    told.placed('primary', why)
    return null
  }
  let turn = 0
  const openPlace = (
    replica: Replica,
    accountId: string,
    counts: Awaited<ReturnType<typeof readChangeCounts>>,
  ): ReadingPlace => {
    let isHere = true
    return {
      get name() {
        return isHere ? `${replica.name} ${counts.key}` : ''
      },
      leave: () => {
        isHere = false
      },
      read: async (statement, otherwise) => {
        if (!isHere) return otherwise()
        try {
          return (await replica.read(accountId, counts, (db) =>
            db.query(statement as Parameters<Db['query']>[0]),
          )) as Awaited<ReturnType<typeof otherwise>>
        } catch (error) {
          if (!(error instanceof NotHere)) throw error
          // From now on: a request must not see something and then its past.
          isHere = false
          told.left(replica.name, error.why, error.cause)
          tellChange(replica, null)
          return otherwise()
        }
      },
    }
  }
  await look()
  const looking = onBehalfOfNobody(async () => {
    while (!stopping.signal.aborted) {
      await pause(lookEveryMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (!stopping.signal.aborted) await look()
    }
  })
  sendReads(pool)
  const reader: Reader = {
    place,
    states: () => replicas.map((each) => ({ name: each.name, whyNot: each.whyNot(), lag: each.lag() })),
    close: async () => {
      stopping.abort()
      readers.delete(pool)
      await looking
      await Promise.all(replicas.map((each) => each.close()))
    },
  }
  readers.set(pool, reader)
  return reader
}

function sendReads(pool: Pool): void {
  const query = pool.query.bind(pool) as (...given: readonly unknown[]) => unknown
  pool.query = ((...given: readonly unknown[]) => {
    const [statement] = given
    const place = currentPlace()
    if (place === null || given.length > 1 || !onlyReads(statement)) return query(...given)
    return place.read(statement, () => query(statement) as Promise<unknown>)
  }) as typeof pool.query
}

const begins = /^(?:\s|--[^\n]*\n)*(?:select|with|values)\b/i
/** A standby would refuse it, or it means nothing there. */
const doesMore =
  /\b(?:insert into|update \w+\s|delete from|merge into|for (?:no key )?update|for (?:key )?share|nextval|setval|pg_notify|set_config|create )|pg_(?:try_)?advisory/i

/** By name: the same texts are sent again and again. A text without a name is made for one list. */
const known = new Map<string, boolean>()

function onlyReads(statement: unknown): statement is { readonly name?: unknown; readonly text: string } {
  if (typeof statement !== 'object' || statement === null || !('text' in statement)) return false
  const name = 'name' in statement && typeof statement.name === 'string' ? statement.name : null
  const found = name === null ? undefined : known.get(name)
  if (found !== undefined) return found
  const text = String(statement.text)
  const answer = begins.test(text) && !doesMore.test(text)
  if (name !== null) known.set(name, answer)
  return answer
}

interface Past {
  readonly add: (primary: Standing) => void
  readonly findLagMs: (position: bigint) => number
}

/** An hour of looks. */
const looksMax = 3_600

/** Where the primary's log was when, so that a position says how long ago it was the newest. */
function openPast(): Past {
  const looks: { readonly atMs: number; readonly position: bigint }[] = []
  return {
    add: ({ position }) => {
      // A smaller position: another server is the primary now, and its log is another.
      if ((looks.at(-1)?.position ?? 0n) > position) looks.length = 0
      looks.push({ atMs: performance.now(), position })
      if (looks.length > looksMax) looks.shift()
    },
    findLagMs: (position) => {
      const missing = looks.find((each) => each.position > position)
      return missing === undefined ? 0 : performance.now() - missing.atMs
    },
  }
}
