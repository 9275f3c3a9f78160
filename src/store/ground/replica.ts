/**
 * One read replica: whether it can be used, whether it has what an account changed, and statements that are sent to it.
 * Its address may be that of a balancer with several servers behind it, so each connection is checked by itself.
 */

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { ShareTaken } from '../account-share.ts'
import { type Db, openPool } from '../database.ts'
import type { Fairness } from '../lend-fairly.ts'
import { type ChangeCounts, hasChanges, readStanding, type Standing } from './account-changes.ts'

/** Why a request reads at the primary although there are replicas. `conflict`: replay cancelled a statement. */
export type WhyNot =
  | 'unreachable'
  | 'not_a_replica'
  | 'another_database'
  | 'schema_behind'
  | 'lagging'
  | 'behind'
  | 'busy'
  | 'conflict'
  | 'failed'

export class NotHere extends Error {
  readonly why: WhyNot

  constructor(why: WhyNot, options?: ErrorOptions) {
    super(`the replica is not used: ${why}`, options)
    this.name = 'NotHere'
    this.why = why
  }
}

export interface ReplicaOptions {
  readonly url: string
  readonly connectionsMax: number
  readonly fairness: Fairness
  /** The migrations that this program needs. */
  readonly migrations: readonly string[]
  /** Longest time that a request waits for the replica to have its account's last change. */
  readonly waitMs: number
  /** A replica that is further behind serves nobody. */
  readonly lagMaxMs: number
}

export interface Replica {
  /** Host and port, for logs and metrics. */
  readonly name: string
  /** Null while it can be used. */
  readonly whyNot: () => WhyNot | null
  readonly lag: () => Lag | null
  /** Looks at it once; `findLagMs` gives the lag that goes with a position of its log. */
  readonly look: (primary: Standing | null, findLagMs: (position: bigint) => number) => Promise<void>
  /** Waits until it has the changes. Throws `NotHere` when that takes too long. */
  readonly catchUp: (accountId: string, counts: ChangeCounts) => Promise<void>
  /** Throws `NotHere` when the statement must be sent to the primary. */
  readonly read: <T>(accountId: string, counts: ChangeCounts, work: (db: Db) => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

export interface Lag {
  readonly ms: number
  readonly bytes: number
}

const ofTheServer: readonly WhyNot[] = ['unreachable', 'not_a_replica', 'another_database', 'schema_behind']

/** Time for a connection, and for the answer to a look. */
const patienceMs = 2_000
/** A replica that was further behind than this a moment ago is not waited for. */
const worthWaitingMs = 1_000
const gapMs = 2
const gapMaxMs = 20
const accountsMax = 20_000

export function openReplica(options: ReplicaOptions): Replica {
  const { url: connection, connectionsMax, fairness, migrations } = options
  const shared = { connection, connectMs: patienceMs, isReadOnly: true }
  const pool = openPool({ ...shared, connectionsMax, fairness })
  const looking = openPool({ ...shared, connectionsMax: 1 })
  // A broken connection is noticed where it is used, and by the next look.
  for (const each of [pool, looking]) each.on('error', () => {})
  const lent = new Set<pg.PoolClient>()
  const servers = new WeakMap<pg.PoolClient, string>()
  /** By server: the counts that were last seen there, by account. */
  const seen = new Map<string, Map<string, string>>()
  let whyNot: WhyNot | null = 'unreachable'
  let primary: Standing | null = null
  let lag: Lag | null = null

  const judge = (standing: Standing): WhyNot | null => {
    if (!standing.isStandby) return 'not_a_replica'
    if (standing.system !== (primary?.system ?? standing.system)) return 'another_database'
    return standing.missing.length > 0 ? 'schema_behind' : null
  }
  const stopUsing = (why: WhyNot): void => {
    whyNot = why
    seen.clear()
    // Statements that wait for a server which says nothing fail now, and are sent to the primary.
    if (why === 'unreachable') for (const client of lent) void client.end()
  }
  const serverOf = async (client: pg.PoolClient): Promise<string> => {
    const known = servers.get(client)
    if (known !== undefined) return known
    const standing = await readStanding(client, migrations)
    const why = judge(standing)
    if (why !== null) throw new NotHere(why)
    servers.set(client, standing.server)
    return standing.server
  }
  const requireChanges = async (
    client: pg.PoolClient,
    accountId: string,
    counts: ChangeCounts,
  ): Promise<void> => {
    const server = await serverOf(client)
    const known = seen.get(server) ?? new Map<string, string>()
    seen.set(server, known)
    if (known.get(accountId) === counts.key) return
    const answer = await hasChanges(client, counts)
    if (answer === 'promoted') throw new NotHere('not_a_replica')
    if (answer === 'no') throw new NotHere('behind')
    known.delete(accountId)
    known.set(accountId, counts.key)
    const oldest = known.size > accountsMax ? known.keys().next().value : undefined
    if (oldest !== undefined) known.delete(oldest)
  }
  const read: Replica['read'] = async (accountId, counts, work) => {
    let client: pg.PoolClient | undefined
    let broken: Error | undefined
    // An error event without a listener ends the process.
    const hear = (error: Error): void => {
      broken = error
    }
    try {
      client = await pool.connect()
      client.on('error', hear)
      lent.add(client)
      await requireChanges(client, accountId, counts)
      return await work(client)
    } catch (error) {
      const why = whyNotOf(error, client === undefined && pool.totalCount >= connectionsMax)
      if (why === null) throw error
      // A connection to a server that cannot be used is not used again; the next one may be to another server.
      if (ofTheServer.includes(why)) broken ??= new Error(why)
      if (why === 'unreachable' || why === 'not_a_replica') stopUsing(why)
      throw error instanceof NotHere ? error : new NotHere(why, { cause: error })
    } finally {
      if (client !== undefined) {
        client.removeListener('error', hear)
        lent.delete(client)
        client.release(broken)
      }
    }
  }
  return {
    name: nameOf(connection),
    whyNot: () => whyNot,
    lag: () => lag,
    look: async (ofPrimary, findLagMs) => {
      primary = ofPrimary ?? primary
      const standing = await lookOnce(looking, migrations)
      if (standing === null) {
        lag = null
        if (whyNot !== 'unreachable') stopUsing('unreachable')
        return
      }
      const bytes = Number((primary?.position ?? 0n) - standing.position)
      lag = standing.isStandby
        ? { ms: bytes > 0 ? findLagMs(standing.position) : 0, bytes: Math.max(0, bytes) }
        : null
      const why = judge(standing) ?? ((lag?.ms ?? 0) > options.lagMaxMs ? 'lagging' : null)
      if (why === null) whyNot = null
      else if (why !== whyNot) stopUsing(why)
    },
    catchUp: async (accountId, counts) => {
      const startedAt = performance.now()
      for (let gap = gapMs; ; gap = Math.min(gap * 2, gapMaxMs)) {
        try {
          return await read(accountId, counts, async () => {})
        } catch (error) {
          const isBehind = error instanceof NotHere && error.why === 'behind'
          const isHopeless = (lag?.ms ?? 0) > worthWaitingMs
          if (!isBehind || isHopeless || performance.now() - startedAt + gap > options.waitMs) throw error
        }
        await pause(gap)
      }
    },
    read,
    close: async () => {
      await Promise.all([pool.end(), looking.end()])
    },
  }
}

/** Null when the server does not answer in time. */
async function lookOnce(pool: pg.Pool, migrations: readonly string[]): Promise<Standing | null> {
  const client = await pool.connect().catch(() => null)
  if (client === null) return null
  const hear = (): void => {}
  client.on('error', hear)
  const late = new AbortController()
  const standing = await Promise.race([
    readStanding(client, migrations).catch(() => null),
    pause(patienceMs, null, { signal: late.signal }).catch(() => null),
  ])
  late.abort()
  // The listener stays on a connection that is closed: it may still break.
  if (standing !== null) client.removeListener('error', hear)
  client.release(standing === null)
  return standing
}

/** Null for what the primary would answer too: the account's share is taken, or the statement takes too long. */
function whyNotOf(error: unknown, isFull: boolean): WhyNot | null {
  if (error instanceof ShareTaken) return null
  if (error instanceof NotHere) return error.why
  if (!(error instanceof pg.DatabaseError)) return isFull ? 'busy' : 'unreachable'
  const code = error.code ?? ''
  if (code === '57014') return null
  // Replay needs a lock or a page that the statement holds.
  if (code === '40001' || code === '40P01') return 'conflict'
  if (code === '53300') return 'busy'
  return /^(08|28|3D|57P)/.test(code) ? 'unreachable' : 'failed'
}

/** Without the user and the password. */
function nameOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url)
  return `${decodeURIComponent(hostname) || searchParams.get('host') || 'local'}:${port || searchParams.get('port') || '5432'}`
}
