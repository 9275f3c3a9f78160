/**
 * One read replica: whether it can be used, whether it has replayed up to a position of the log, and statements that are
 * sent to it. Its address may be that of a balancer with several servers behind it, so each connection is checked by
 * itself.
 */

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { ShareExhausted } from '../account-shares.ts'
import { type Db, openPool } from '../database.ts'
import type { Fairness } from '../lend-fairly.ts'
import { type LogPosition, readReplayed, readServerState, type ServerState } from './log-position.ts'

/** Why a request reads at the primary although there are replicas. `conflict`: replay cancelled a statement. */
export type ReplicaUnusedReason =
  | 'unreachable'
  | 'not_a_replica'
  | 'another_database'
  | 'another_timeline'
  | 'unknown_origin'
  | 'behind'
  | 'slow'
  | 'busy'
  | 'conflict'
  | 'refused'
  | 'failed'

export class ReplicaUnusable extends Error {
  readonly why: ReplicaUnusedReason

  constructor(why: ReplicaUnusedReason, options?: ErrorOptions) {
    super(`the replica is not used: ${why}`, options)
    this.name = 'ReplicaUnusable'
    this.why = why
  }
}

export interface ReplicaOptions {
  readonly url: string
  readonly connectionsMax: number
  readonly fairness: Fairness
  /** Longest time that a request waits for the replica to have replayed what it must. */
  readonly waitMs: number
}

/** What the last check of the primary found. */
export interface PrimaryState extends LogPosition {
  readonly system: string | null
}

export interface Replica {
  /** Host and port, for logs and metrics. */
  readonly name: string
  /** Null while it can be used. */
  readonly whyNot: () => ReplicaUnusedReason | null
  readonly lag: () => Lag | null
  /** Checks it once; `findLagMs` gives the lag that belongs to a position of its log. */
  readonly refresh: (primary: PrimaryState | null, findLagMs: (bytes: bigint) => number) => Promise<void>
  /** Waits until it has replayed up to there. Throws `ReplicaUnusable` when that takes too long. */
  readonly catchUp: (target: LogPosition) => Promise<void>
  /** Throws `ReplicaUnusable` when the statement must be sent to the primary. */
  readonly read: <T>(target: LogPosition, work: (db: Db) => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

export interface Lag {
  readonly ms: number
  readonly bytes: number
}

const ofTheServer: readonly ReplicaUnusedReason[] = [
  'unreachable',
  'not_a_replica',
  'another_database',
  'another_timeline',
  'unknown_origin',
]

/** Time limit for a connection, and for the reply to a check. */
const patienceMs = 2_000
/** A replica that was further behind than this a moment ago is not waited for. */
const worthWaitingMs = 1_000
const gapMs = 2
const gapMaxMs = 20

interface Server {
  readonly name: string
  readonly timeline: string | null
  /** It has replayed at least this much. */
  replayed: bigint
  /** One query serves all who wait for its result. */
  positionCheck: Promise<void> | null
}

export function openReplica(options: ReplicaOptions): Replica {
  const { url: connection, connectionsMax, fairness } = options
  const shared = { connection, connectMs: patienceMs, isReadOnly: true }
  const pool = openPool({ ...shared, connectionsMax, fairness })
  const monitorPool = openPool({ ...shared, connectionsMax: 1 })
  // A broken connection is noticed where it is used, and by the next check.
  const lent = new Set<pg.PoolClient>()
  let servers = new Map<string, Server>()
  let serversOf = new WeakMap<pg.PoolClient, Server>()
  let whyNot: ReplicaUnusedReason | null = 'unreachable'
  let primary: PrimaryState | null = null
  let lag: Lag | null = null

  const judge = (serverState: ServerState): ReplicaUnusedReason | null => {
    if (!serverState.isStandby) return 'not_a_replica'
    if (primary === null || primary.system === null || serverState.system === null) return 'unknown_origin'
    if (serverState.system !== primary.system) return 'another_database'
    return serverState.timeline === primary.timeline ? null : 'another_timeline'
  }
  const stopUsing = (why: ReplicaUnusedReason): void => {
    whyNot = why
    servers = new Map()
    serversOf = new WeakMap()
    // Statements that wait for a server which does not respond fail now, and are sent to the primary.
    if (why === 'unreachable') for (const client of lent) void client.end()
  }
  const serverOf = async (client: pg.PoolClient): Promise<Server> => {
    const known = serversOf.get(client)
    if (known !== undefined) return known
    const of = serversOf
    const serverState = await readServerState(client)
    const why = judge(serverState)
    if (why !== null) throw new ReplicaUnusable(why)
    const { server: name, timeline, bytes } = serverState
    const server = servers.get(name) ?? { name, timeline, replayed: bytes, positionCheck: null }
    servers.set(name, server)
    of.set(client, server)
    return server
  }
  const checkPosition = async (client: pg.PoolClient, server: Server): Promise<void> => {
    const { isStandby, bytes } = await readReplayed(client)
    // Sessions live on when a replica is promoted.
    if (!isStandby) throw new ReplicaUnusable('not_a_replica')
    if (bytes > server.replayed) server.replayed = bytes
  }
  const requireReplayed = async (client: pg.PoolClient, target: LogPosition): Promise<void> => {
    const server = await serverOf(client)
    if (server.timeline !== target.timeline) throw new ReplicaUnusable('another_timeline')
    if (server.replayed >= target.bytes) return
    server.positionCheck ??= checkPosition(client, server).finally(() => {
      server.positionCheck = null
    })
    await server.positionCheck
    if (server.replayed < target.bytes) throw new ReplicaUnusable('behind')
  }
  const lend = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    let client: pg.PoolClient | undefined
    let broken: Error | undefined
    // An error event without a listener ends the process.
    const onError = (error: Error): void => {
      broken = error
    }
    try {
      client = await pool.connect()
      client.on('error', onError)
      lent.add(client)
      return await work(client)
    } catch (error) {
      const why = classifyReplicaError(error, client === undefined && pool.totalCount >= connectionsMax)
      if (why === null) throw error
      // A connection to a server that cannot be used is not used again; the next one may be to another server.
      if (ofTheServer.includes(why)) {
        broken ??= new Error(why)
        stopUsing(why)
      }
      throw error instanceof ReplicaUnusable ? error : new ReplicaUnusable(why, { cause: error })
    } finally {
      if (client !== undefined) {
        client.removeListener('error', onError)
        lent.delete(client)
        client.release(broken)
      }
    }
  }
  const poll = async (target: LogPosition, untilMs: number): Promise<void> => {
    for (let gap = gapMs; ; gap = Math.min(gap * 2, gapMaxMs)) {
      try {
        return await lend((client) => requireReplayed(client, target))
      } catch (error) {
        const isBehind = error instanceof ReplicaUnusable && error.why === 'behind'
        const isHopeless = (lag?.ms ?? 0) > worthWaitingMs
        if (!isBehind || isHopeless || performance.now() + gap > untilMs) throw error
      }
      await pause(gap)
    }
  }
  return {
    name: nameOf(connection),
    whyNot: () => whyNot,
    lag: () => lag,
    refresh: async (ofPrimary, findLagMs) => {
      primary = ofPrimary ?? primary
      const serverState = await readStateOnce(monitorPool)
      if (serverState === null) {
        lag = null
        if (whyNot !== 'unreachable') stopUsing('unreachable')
        return
      }
      const bytes = Number((primary?.bytes ?? 0n) - serverState.bytes)
      lag = serverState.isStandby
        ? { ms: bytes > 0 ? findLagMs(serverState.bytes) : 0, bytes: Math.max(0, bytes) }
        : null
      const why = judge(serverState)
      if (why === null) whyNot = null
      else if (why !== whyNot) stopUsing(why)
    },
    catchUp: async (target) => {
      // The wait for a server that does not respond is no longer than for one that is behind.
      const late = new AbortController()
      const polling = poll(target, performance.now() + options.waitMs)
      try {
        await Promise.race([
          polling,
          pause(options.waitMs, undefined, { signal: late.signal }).then(() => {
            throw new ReplicaUnusable('slow')
          }),
        ])
      } finally {
        late.abort()
        polling.catch(() => {})
      }
    },
    read: (target, work) =>
      lend(async (client) => {
        await requireReplayed(client, target)
        return work(client)
      }),
    close: async () => {
      await Promise.all([pool.end(), monitorPool.end()])
    },
  }
}

/** Null when the server does not answer in time. */
async function readStateOnce(pool: pg.Pool): Promise<ServerState | null> {
  const client = await pool.connect().catch(() => null)
  if (client === null) return null
  const onError = (): void => {}
  client.on('error', onError)
  const late = new AbortController()
  const serverState = await Promise.race([
    readServerState(client).catch(() => null),
    pause(patienceMs, null, { signal: late.signal }).catch(() => null),
  ])
  late.abort()
  // The listener stays on a connection that is closed: it may still break.
  if (serverState !== null) client.removeListener('error', onError)
  client.release(serverState === null)
  return serverState
}

/**
 * Null for an error that the primary would return too: the account's share is used up, or the statement takes too long.
 */
function classifyReplicaError(error: unknown, isFull: boolean): ReplicaUnusedReason | null {
  if (error instanceof ShareExhausted) return null
  if (error instanceof ReplicaUnusable) return error.why
  if (!(error instanceof pg.DatabaseError)) return isFull ? 'busy' : 'unreachable'
  const code = error.code ?? ''
  if (code === '57014') return null
  // Replay needs a lock or a page that the statement or the session holds.
  if (code === '40001' || code === '40P01') return 'conflict'
  // It writes, or reads what a standby does not have: sequences' next values, unlogged and temporary tables.
  if (code === '25006' || code === '0A000') return 'refused'
  if (code === '53300') return 'busy'
  return /^(08|28|3D|57P)/.test(code) ? 'unreachable' : 'failed'
}

/** Without the user and the password. */
function nameOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url)
  return `${decodeURIComponent(hostname) || searchParams.get('host') || 'local'}:${port || searchParams.get('port') || '5432'}`
}
