/**
 * Sends what requests only read to read replicas. A request gets a replica that shows everything which was committed
 * before the request came; else it reads at the primary (docs/decisions/0043).
 */

import { setTimeout as pause } from 'node:timers/promises'
import { currentPlace, onBehalfOfNobody, type ReadingPlace } from '../account-share.ts'
import { type Db, openPool, type Pool } from '../database.ts'
import { type LogPosition, readLogPosition, readSystem } from './log-position.ts'
import {
  type Lag,
  NotHere,
  openReplica,
  type PrimaryState,
  type Replica,
  type ReplicaOptions,
  type WhyNot,
} from './replica.ts'

export interface ReplicasTold {
  /** A request that only reads was placed. `primary_silent`: the primary did not say its position. */
  readonly placed: (target: 'replica' | 'primary', why: WhyNot | 'fresh' | 'primary_silent') => void
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
  readonly place: () => Promise<ReadingPlace | null>
}

const readers = new WeakMap<Pool, Reader>()

/** Null when the pool has no replicas. */
export function replicasOf(pool: Pool): Replicas | null {
  return readers.get(pool) ?? null
}

/** Null when the request must read at the primary. */
export function findPlace(pool: Pool): Promise<ReadingPlace | null> {
  return readers.get(pool)?.place() ?? Promise.resolve(null)
}

const lookEveryMs = 1_000

/** Resolves after the first look at each replica. */
export async function openReplicas(
  pool: Pool,
  given: Omit<ReplicaOptions, 'url'> & { readonly urls: readonly string[] },
  told: ReplicasTold,
): Promise<Replicas> {
  const replicas = given.urls.map((url) => openReplica({ ...given, url }))
  // Its own connection to the primary: a question waits for none that is lent, and changes no time limit of one.
  const asking = openPool({
    // A spread does not copy the password, because the driver makes it non-enumerable.
    connection: { ...pool.options, password: pool.options.password },
    connectionsMax: 1,
  })
  asking.on('error', () => {})
  const past = openPast()
  const stopping = new AbortController()
  const said = new Map<Replica, WhyNot | null>()
  /** Also called when a request has found out, so that the log says it at once, and once. */
  const tellChange = (replica: Replica): void => {
    const now = replica.whyNot()
    if (now === said.get(replica) || stopping.signal.aborted) return
    said.set(replica, now)
    told.changed(replica.name, now, replica.lag())
  }
  const look = async (): Promise<void> => {
    const primary = await lookAtPrimary(asking).catch((error: unknown) => {
      told.primaryUnreachable(error)
      return null
    })
    if (primary !== null) past.add(primary.bytes)
    const lookAt = async (replica: Replica): Promise<void> => {
      await replica.look(primary, past.findLagMs)
      tellChange(replica)
    }
    await Promise.all(replicas.map(lookAt))
  }
  const askPosition = oneForAll(() => readLogPosition(asking))
  let turn = 0
  const place = async (): Promise<ReadingPlace | null> => {
    const usable = replicas.filter((each) => each.whyNot() === null)
    const replica = usable[turn++ % Math.max(1, usable.length)]
    // Nothing is asked of the primary while no replica can be used.
    if (replica === undefined) {
      told.placed('primary', replicas[0]?.whyNot() ?? 'unreachable')
      return null
    }
    let target: LogPosition
    try {
      target = await askPosition()
    } catch {
      // The request asks the primary itself, and says what is wrong with it as without replicas.
      told.placed('primary', 'primary_silent')
      return null
    }
    try {
      await replica.catchUp(target)
    } catch (error) {
      if (!(error instanceof NotHere)) throw error
      tellChange(replica)
      told.placed('primary', error.why)
      return null
    }
    told.placed('replica', 'fresh')
    return openPlace(replica, target)
  }
  const openPlace = (replica: Replica, target: LogPosition): ReadingPlace => {
    let isHere = true
    return {
      get name() {
        return isHere ? `${replica.name} ${target.timeline} ${target.bytes}` : ''
      },
      leave: () => {
        isHere = false
      },
      read: async (statement, otherwise) => {
        if (!isHere) return otherwise()
        try {
          return (await replica.read(target, (db) =>
            db.query(statement as Parameters<Db['query']>[0]),
          )) as Awaited<ReturnType<typeof otherwise>>
        } catch (error) {
          if (!(error instanceof NotHere)) throw error
          // From now on: a request must not see something and then its past.
          isHere = false
          if (error.why === 'refused') noteRefused(statement)
          told.left(replica.name, error.why, error.cause)
          tellChange(replica)
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
      await Promise.all([asking.end(), ...replicas.map((each) => each.close())])
    },
  }
  readers.set(pool, reader)
  return reader
}

async function lookAtPrimary(pool: Pool): Promise<PrimaryState> {
  return { ...(await readLogPosition(pool)), system: await readSystem(pool) }
}

/**
 * Callers who come while a question is under way share the next one, so that none gets an answer from before they came,
 * and there is one question at a time.
 */
function oneForAll<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let underWay: Promise<unknown> = Promise.resolve()
  let next: Promise<Answer> | null = null
  return () => {
    if (next !== null) return next
    const asked = underWay
      .catch(() => {})
      .then(() => {
        next = null
        return ask()
      })
    next = asked
    underWay = asked
    return asked
  }
}

function sendReads(pool: Pool): void {
  const query = pool.query.bind(pool) as (...given: readonly unknown[]) => unknown
  pool.query = ((...given: readonly unknown[]) => {
    const [statement] = given
    const place = currentPlace()
    if (place === null) return query(...given)
    if (given.length === 1 && mayBeRead(statement))
      return place.read(statement, () => query(statement) as Promise<unknown>)
    place.leave()
    return query(...given)
  }) as typeof pool.query
}

const begins = /^(?:\s|--[^\n]*\n)*(?:select|with|values)\b/i
/** A standby takes these, but they mean nothing there. What it refuses is found out by sending it. */
const isForThePrimary = /pg_(?:try_)?advisory|set_config/i

/** By name: the same texts are sent again and again. A text without a name is made for one list. */
const known = new Map<string, boolean>()

function mayBeRead(statement: unknown): statement is { readonly name?: unknown; readonly text: string } {
  if (typeof statement !== 'object' || statement === null || !('text' in statement)) return false
  const name = nameOf(statement)
  const found = name === null ? undefined : known.get(name)
  if (found !== undefined) return found
  const text = String(statement.text)
  const answer = begins.test(text) && !isForThePrimary.test(text)
  if (name !== null) known.set(name, answer)
  return answer
}

function noteRefused(statement: object): void {
  const name = nameOf(statement)
  if (name !== null) known.set(name, false)
}

function nameOf(statement: object): string | null {
  return 'name' in statement && typeof statement.name === 'string' ? statement.name : null
}

interface Past {
  readonly add: (bytes: bigint) => void
  readonly findLagMs: (bytes: bigint) => number
}

/** An hour of looks. */
const looksMax = 3_600

/** Where the primary's log was when, so that a position says how long ago it was the newest. */
function openPast(): Past {
  const looks: { readonly atMs: number; readonly bytes: bigint }[] = []
  return {
    add: (bytes) => {
      // A smaller position: another server is the primary now, and its log is another.
      if ((looks.at(-1)?.bytes ?? 0n) > bytes) looks.length = 0
      looks.push({ atMs: performance.now(), bytes })
      if (looks.length > looksMax) looks.shift()
    },
    findLagMs: (bytes) => {
      const missing = looks.find((each) => each.bytes > bytes)
      return missing === undefined ? 0 : performance.now() - missing.atMs
    },
  }
}
