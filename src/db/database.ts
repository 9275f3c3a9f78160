/**
 * The way to Postgres: the pool, conversion of types, named statements and transactions. Every query of the service
 * goes through it.
 */

import pg from 'pg'
import { isTracing } from '../platform/traces.ts'
import { currentReplicaSession } from './account-shares.ts'
import { type Fairness, shareConnectionsFairly } from './lend-fairly.ts'
import { traceStatements } from './trace-statements.ts'

/** A connection or a transaction: the first parameter of every database function. */
export interface Db {
  query<Row extends object>(statement: {
    readonly name?: string
    readonly text: string
    readonly values?: unknown[]
  }): Promise<{ readonly rows: Row[]; readonly rowCount: number | null }>
}

export type Pool = pg.Pool

const timestamptz = 1184
const int8 = 20
const date = 1082

/** ISO 8601 UTC for instants; `infinity` stays itself. Postgres writes `2026-01-06 14:30:00+00` with timezone UTC. */
function readInstant(text: string): string {
  // Rows that were written together have the same times, so the last result is reused.
  if (text !== lastRead.text) lastRead = { text, instant: writeInstant(text) }
  return lastRead.instant
}

let lastRead = { text: '', instant: '' }

function writeInstant(text: string): string {
  if (!text.endsWith('+00')) return text.endsWith('infinity') ? text : new Date(text).toISOString()
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`
  const fraction = text.length > 22 ? text.slice(20, -3) : ''
  return `${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}

const statementMsMax = 30_000

/**
 * Opens a pool whose sessions use UTC and return instants as ISO strings, bigints as numbers (no sequence here reaches
 * 2^53) and dates as text. The server ends a statement that takes longer than 30 s. `fairness`: the share of the pool
 * that one account may have; all of it when it is left out.
 */
export function openPool(options: {
  readonly connection: string | pg.PoolConfig
  readonly connectionsMax: number
  readonly fairness?: Fairness
  /** The `application_name` of its sessions. */
  readonly name?: string
  /** Longest wait for a connection; as long as it takes when left out. */
  readonly connectMs?: number
  /** Every session refuses to write. */
  readonly isReadOnly?: boolean
}): Pool {
  const base = typeof options.connection === 'string' ? { connectionString: options.connection } : options.connection
  const pool = new pg.Pool({
    ...base,
    // Statements that are not awaited travel together, and run in their order. Not at a replica: its connections are ended
    // while a statement hangs, and in this mode the driver would wait for the statement.
    pipeline: options.isReadOnly !== true,
    max: options.connectionsMax,
    ...(options.name ? { application_name: options.name } : {}),
    ...(options.connectMs ? { connectionTimeoutMillis: options.connectMs } : {}),
    // No parallel workers for one statement: starting them takes longer than any statement here may take.
    options: `-c timezone=UTC -c statement_timeout=${statementMsMax} -c idle_in_transaction_session_timeout=60000 -c max_parallel_workers_per_gather=0${options.isReadOnly === true ? ' -c default_transaction_read_only=on' : ''}`,
    types: {
      getTypeParser(type: number, format?: 'text' | 'binary') {
        if (format !== 'binary') {
          if (type === timestamptz) return readInstant
          if (type === int8) return Number
          if (type === date) return String
        }
        return pg.types.getTypeParser(type, format as 'text')
      },
    } as pg.CustomTypesConfig,
  })
  // An error event without a listener ends the process. A connection that breaks emits some, lent or idle.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  if (options.fairness !== undefined) shareConnectionsFairly(pool, options.fairness, statementMsMax)
  if (isTracing()) traceStatements(pool)
  return pool
}

/**
 * A pool of one connection to the same database. Settings of its session, and a transaction that is begun on it, are
 * seen by nobody else. The caller must end it.
 */
export function openSingleConnection({ options }: Pool, limit?: { readonly statementMs: number }): Pool {
  // A spread does not copy the password, because the driver makes it non-enumerable.
  const pool = new pg.Pool({
    ...options,
    password: options.password,
    max: 1,
    idleTimeoutMillis: 0,
    ...(limit === undefined ? {} : { statement_timeout: limit.statementMs }),
  })
  // A second connection would lack the settings of the first, and would read and write the tables that are served. So
  // it is closed at once.
  let isOpened = false
  pool.on('connect', (client) => {
    client.on('error', () => {})
    if (isOpened) void client.end()
    isOpened = true
  })
  pool.on('error', () => {}) // the next statement fails, because the connection is gone
  return pool
}

/**
 * Runs `work` in one transaction. An error rolls the transaction back and is thrown on. On a pool of `joinTransactions`
 * it is a part of the joined transaction: its changes are stored when the joined transaction is committed. With `plans`
 * = `once`, each named statement in it is planned once for a connection, whatever its values. That is for statements
 * whose plan never depends on the values and takes longer than the statement.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (db: Db) => Promise<T>,
  plans: 'as they fit' | 'once' = 'as they fit',
): Promise<T> {
  const whole = wholes.get(pool)
  if (whole?.isOpen() === true) return whole.runInSavepoint(work)
  const transaction = await sendBegin(pool, plans === 'once' ? `begin; ${planOnce}` : 'begin')
  let result: T
  try {
    // Not awaited first: it travels with the first statement of `work`, which fails where the beginning has failed.
    result = await work(transaction.db)
    await transaction.begun
    await transaction.commit()
  } catch (error) {
    const cause: unknown = await transaction.begun.then(
      () => error,
      (first: unknown) => first,
    )
    await transaction.rollback()
    throw cause
  }
  transaction.runCallbacks()
  return result
}

/** Runs `work` in a transaction of its own that is rolled back in any case. */
export async function inDryRun<T>(pool: Pool, work: (db: Db) => Promise<T>): Promise<T> {
  const { db, rollback } = await beginTransaction(pool)
  return work(db).finally(rollback)
}

/** Not for Citus, which needs the values. Without sorting, the next of a lane is found by index, not by all that is pending. */
const planOnce = `select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_sort', 'off', true)
  where not exists (select from pg_extension where extname = 'citus')`

/** For each transaction, the pool that it was begun on, and the functions to call after its commit. */
const transactions = new WeakMap<Db, { readonly pool: Db; readonly callbacks: (() => void)[] }>()

/** The pool of a transaction. A pool is its own. */
export const poolOf = (db: Db): Db => transactions.get(db)?.pool ?? db

/**
 * Calls `callback` when the transaction is committed, and at once if there is no transaction. Never calls it when the
 * transaction, or its part of a joined transaction, is rolled back. Used for counting and logging.
 */
export function afterCommit(db: Db, callback: () => void): void {
  const transaction = transactions.get(db)
  if (transaction === undefined) callback()
  else transaction.callbacks.push(callback)
}

/** One transaction in place of many. The caller must commit it or roll it back. */
export interface JoinedTransactions {
  /**
   * Everything that goes through this pool is in the one transaction, reads too. After the end it behaves like the
   * original pool.
   */
  readonly pool: Pool
  readonly commit: () => Promise<void>
  readonly rollback: () => Promise<void>
}

interface SavepointRunner {
  readonly isOpen: () => boolean
  readonly runInSavepoint: <T>(work: (db: Db) => Promise<T>) => Promise<T>
}

const wholes = new WeakMap<Pool, SavepointRunner>()

/** Parts run one after the other. Two at once would be rolled back together, so the second is a mistake and throws. */
export async function joinTransactions(pool: Pool): Promise<JoinedTransactions> {
  const { db, commit, runCallbacks, rollback } = await beginTransaction(pool)
  let isOpen = true
  let isInSavepoint = false
  const joined = new Proxy(pool, {
    get: (target, name) => (isOpen && name === 'query' ? db.query.bind(db) : Reflect.get(target, name)),
  })
  wholes.set(joined, {
    isOpen: () => isOpen,
    runInSavepoint: async (work) => {
      if (isInSavepoint) throw new Error('two parts of one transaction run at the same time')
      isInSavepoint = true
      const callbackCount = transactions.get(db)?.callbacks.length ?? 0
      try {
        await db.query({ text: 'savepoint part' })
        const result = await work(db)
        await db.query({ text: 'release savepoint part' })
        return result
      } catch (error) {
        transactions.get(db)?.callbacks.splice(callbackCount)
        // Where even this fails, the next statement fails too.
        await db.query({ text: 'rollback to savepoint part' }).catch(() => {})
        throw error
      } finally {
        isInSavepoint = false
      }
    },
  })
  const end = (how: () => Promise<void>) => async (): Promise<void> => {
    isOpen = false
    await how()
  }
  const undo = end(rollback)
  return {
    pool: joined,
    commit: async () => {
      await end(commit)().catch((error: unknown) => undo().then(() => Promise.reject(error)))
      runCallbacks()
    },
    rollback: undo,
  }
}

interface Transaction {
  readonly db: Db
  /** Rejects when it could not begin. */
  readonly begun: Promise<unknown>
  /** When it rejects, the caller must still call `rollback`. */
  readonly commit: () => Promise<void>
  /** After the commit: calls the functions that waited for it. */
  readonly runCallbacks: () => void
  readonly rollback: () => Promise<void>
}

/**
 * Every transaction of a server shares this advisory lock until its end, and migrations have it for themselves. So
 * migrations wait until the transactions at work have ended, and new ones wait before they hold anything: they cannot
 * meet crosswise. It travels with `begin` and costs no exchange of its own.
 */
export const migrationGate = 7_116_100_002

async function beginTransaction(pool: Pool): Promise<Transaction> {
  const transaction = await sendBegin(pool, 'begin')
  try {
    await transaction.begun
    return transaction
  } catch (error) {
    await transaction.rollback()
    throw error
  }
}

async function sendBegin(pool: Pool, statement: string): Promise<Transaction> {
  // What it writes, or reads at the primary, the rest of the request must see.
  currentReplicaSession()?.switchToPrimary()
  const client = await pool.connect()
  let broken: Error | undefined
  // A connection that breaks while it is lent reports it by an event, too.
  const onError = (error: Error): void => {
    broken = error
  }
  client.on('error', onError)
  const callbacks: (() => void)[] = []
  transactions.set(client, { pool, callbacks })
  const giveBack = (): void => {
    transactions.delete(client)
    client.removeListener('error', onError)
    client.release(broken)
  }
  const rollback = async (): Promise<void> => {
    // A connection that cannot roll back must not be given to the next caller.
    await client.query('rollback').catch((cause: Error) => {
      broken = cause
    })
    giveBack()
  }
  const begun = client.query(`${statement}; select pg_advisory_xact_lock_shared(${migrationGate})`)
  begun.catch(() => {}) // the first statement fails too
  const commit = async (): Promise<void> => {
    await client.query('commit')
    giveBack()
  }
  const runCallbacks = (): void => {
    for (const each of callbacks) each()
  }
  return { db: client, begun, commit, runCallbacks, rollback }
}
