/**
 * Sends what requests only read to read replicas. A request gets a replica that shows everything which was committed
 * before the request came; else it reads at the primary (docs/decisions/0043).
 */

import { setTimeout as pause } from 'node:timers/promises'
import { currentReplicaSession, onBehalfOfNobody, type ReplicaSession } from '../account-shares.ts'
import { type Db, openPool, type Pool } from '../database.ts'
import { type LogPosition, readLogPosition, readSystem } from './log-position.ts'
import {
  type Lag,
  openReplica,
  type PrimaryState,
  type Replica,
  type ReplicaOptions,
  ReplicaUnusable,
  type ReplicaUnusedReason,
} from './replica.ts'

export interface ReplicaListener {
  /** A request that only reads was placed. `primary_silent`: the primary did not return its position. */
  readonly placed: (target: 'replica' | 'primary', why: ReplicaUnusedReason | 'fresh' | 'primary_silent') => void
  /** A request went on at the primary because a statement could not be read at its replica. */
  readonly fellBack: (replica: string, why: ReplicaUnusedReason, error: unknown) => void
  readonly changed: (replica: string, whyNot: ReplicaUnusedReason | null, lag: Lag | null) => void
  readonly primaryUnreachable: (error: unknown) => void
}

export interface ReplicaState {
  readonly name: string
  readonly whyNot: ReplicaUnusedReason | null
  readonly lag: Lag | null
}

export interface Replicas {
  readonly states: () => readonly ReplicaState[]
  readonly close: () => Promise<void>
}

interface ReplicaReader extends Replicas {
  readonly place: () => Promise<ReplicaSession | null>
}

const readers = new WeakMap<Pool, ReplicaReader>()

/** Null when the pool has no replicas. */
export function replicasOf(pool: Pool): Replicas | null {
  return readers.get(pool) ?? null
}

/** Null when the request must read at the primary. */
export function findReplicaSession(pool: Pool): Promise<ReplicaSession | null> {
  return readers.get(pool)?.place() ?? Promise.resolve(null)
}

const refreshEveryMs = 1_000

/** Resolves after the first check of each replica. */
export async function openReplicas(
  pool: Pool,
  replicaOptions: Omit<ReplicaOptions, 'url'> & { readonly urls: readonly string[] },
  listener: ReplicaListener,
): Promise<Replicas> {
  const replicas = replicaOptions.urls.map((url) => openReplica({ ...replicaOptions, url }))
  // Its own connection to the primary: a question waits for none that is lent, and changes no time limit of one.
  const monitorPool = openPool({
    // A spread does not copy the password, because the driver makes it non-enumerable.
    connection: { ...pool.options, password: pool.options.password },
    connectionsMax: 1,
  })
  const past = createLogPositionHistory()
  const stopping = new AbortController()
  const reportedStates = new Map<Replica, ReplicaUnusedReason | null>()
  /** Also called when a request has noticed the change, so that it is logged at once, and once. */
  const reportChange = (replica: Replica): void => {
    const now = replica.whyNot()
    if (now === reportedStates.get(replica) || stopping.signal.aborted) return
    reportedStates.set(replica, now)
    listener.changed(replica.name, now, replica.lag())
  }
  const refreshAll = async (): Promise<void> => {
    const primary = await readPrimaryState(monitorPool).catch((error: unknown) => {
      listener.primaryUnreachable(error)
      return null
    })
    if (primary !== null) past.add(primary.bytes)
    const refreshReplica = async (replica: Replica): Promise<void> => {
      await replica.refresh(primary, past.findLagMs)
      reportChange(replica)
    }
    await Promise.all(replicas.map(refreshReplica))
  }
  const requestPosition = coalesceCalls(() => readLogPosition(monitorPool))
  let nextIndex = 0
  const place = async (): Promise<ReplicaSession | null> => {
    const usable = replicas.filter((each) => each.whyNot() === null)
    const replica = usable[nextIndex++ % Math.max(1, usable.length)]
    // The primary is not queried while no replica can be used.
    if (replica === undefined) {
      listener.placed('primary', replicas[0]?.whyNot() ?? 'unreachable')
      return null
    }
    let target: LogPosition
    try {
      target = await requestPosition()
    } catch {
      // The request queries the primary itself, and reports its errors as without replicas.
      listener.placed('primary', 'primary_silent')
      return null
    }
    try {
      await replica.catchUp(target)
    } catch (error) {
      if (!(error instanceof ReplicaUnusable)) throw error
      reportChange(replica)
      listener.placed('primary', error.why)
      return null
    }
    listener.placed('replica', 'fresh')
    return openPlace(replica, target)
  }
  const openPlace = (replica: Replica, target: LogPosition): ReplicaSession => {
    let isHere = true
    return {
      get name() {
        return isHere ? `${replica.name} ${target.timeline} ${target.bytes}` : ''
      },
      switchToPrimary: () => {
        isHere = false
      },
      read: async (statement, otherwise) => {
        if (!isHere) return otherwise()
        try {
          return (await replica.read(target, (db) => db.query(statement as Parameters<Db['query']>[0]))) as Awaited<
            ReturnType<typeof otherwise>
          >
        } catch (error) {
          if (!(error instanceof ReplicaUnusable)) throw error
          // From now on: a request must not see something and then its past.
          isHere = false
          if (error.why === 'refused') markPrimaryOnly(statement)
          listener.fellBack(replica.name, error.why, error.cause)
          reportChange(replica)
          return otherwise()
        }
      },
    }
  }
  await refreshAll()
  const refreshing = onBehalfOfNobody(async () => {
    while (!stopping.signal.aborted) {
      await pause(refreshEveryMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (!stopping.signal.aborted) await refreshAll()
    }
  })
  routeReadsToReplicas(pool)
  const reader: ReplicaReader = {
    place,
    states: () => replicas.map((each) => ({ name: each.name, whyNot: each.whyNot(), lag: each.lag() })),
    close: async () => {
      stopping.abort()
      readers.delete(pool)
      await refreshing
      await Promise.all([monitorPool.end(), ...replicas.map((each) => each.close())])
    },
  }
  readers.set(pool, reader)
  return reader
}

async function readPrimaryState(pool: Pool): Promise<PrimaryState> {
  return { ...(await readLogPosition(pool)), system: await readSystem(pool) }
}

/**
 * Callers who come while a query is under way share the next one. So no caller gets a result from before it came, and
 * there is one query at a time.
 */
function coalesceCalls<Answer>(call: () => Promise<Answer>): () => Promise<Answer> {
  let underWay: Promise<unknown> = Promise.resolve()
  let next: Promise<Answer> | null = null
  return () => {
    if (next !== null) return next
    const pending = underWay
      .catch(() => {})
      .then(() => {
        next = null
        return call()
      })
    next = pending
    underWay = pending
    return pending
  }
}

function routeReadsToReplicas(pool: Pool): void {
  const query = pool.query.bind(pool) as (...args: readonly unknown[]) => unknown
  pool.query = ((...args: readonly unknown[]) => {
    const [statement] = args
    const place = currentReplicaSession()
    if (place === null) return query(...args)
    if (args.length === 1 && mayRunOnReplica(statement))
      return place.read(statement, () => query(statement) as Promise<unknown>)
    place.switchToPrimary()
    return query(...args)
  }) as typeof pool.query
}

const begins = /^(?:\s|--[^\n]*\n)*(?:select|with|values)\b/i
/**
 * A standby accepts these, but they have no effect there. Statements that a standby refuses are found by sending them.
 */
const isForThePrimary = /pg_(?:try_)?advisory|set_config/i

/** By name: the same texts are sent again and again. A text without a name is made for one list. */
const known = new Map<string, boolean>()

function mayRunOnReplica(statement: unknown): statement is { readonly name?: unknown; readonly text: string } {
  if (typeof statement !== 'object' || statement === null || !('text' in statement)) return false
  const name = nameOf(statement)
  const found = name === null ? undefined : known.get(name)
  if (found !== undefined) return found
  const text = String(statement.text)
  const answer = begins.test(text) && !isForThePrimary.test(text)
  if (name !== null) known.set(name, answer)
  return answer
}

function markPrimaryOnly(statement: object): void {
  const name = nameOf(statement)
  if (name !== null) known.set(name, false)
}

function nameOf(statement: object): string | null {
  return 'name' in statement && typeof statement.name === 'string' ? statement.name : null
}

interface LogPositionHistory {
  readonly add: (bytes: bigint) => void
  readonly findLagMs: (bytes: bigint) => number
}

/** The samples of one hour. */
const samplesMax = 3_600

/** The positions of the primary's log over time, which convert a position to its age. */
function createLogPositionHistory(): LogPositionHistory {
  const samples: { readonly atMs: number; readonly bytes: bigint }[] = []
  return {
    add: (bytes) => {
      // A smaller position: another server is the primary now, and its log is another.
      if ((samples.at(-1)?.bytes ?? 0n) > bytes) samples.length = 0
      samples.push({ atMs: performance.now(), bytes })
      if (samples.length > samplesMax) samples.shift()
    },
    findLagMs: (bytes) => {
      const missing = samples.find((each) => each.bytes > bytes)
      return missing === undefined ? 0 : performance.now() - missing.atMs
    },
  }
}
