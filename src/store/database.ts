/** The way to Postgres: pool, types at the edge, named statements and transactions. Everything in `store/` goes through it. */

import pg from 'pg'
import { type Fairness, lendFairly } from './lend-fairly.ts'

/** A connection or a transaction: what every store function takes first. */
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
  // What was written together bears the same moments.
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
 * Opens a pool whose sessions speak UTC and return instants as ISO strings, bigints as numbers (no sequence here
 * reaches 2^53) and dates as text. A statement longer than 30 s is cut off by the server. `fairness`: what an account
 * may have of it; everything where it is left out.
 */
export function openPool(options: {
  readonly connection: string | pg.PoolConfig
  readonly connectionsMax: number
  readonly fairness?: Fairness
}): Pool {
  const base =
    typeof options.connection === 'string' ? { connectionString: options.connection } : options.connection
  const pool = new pg.Pool({
    ...base,
    max: options.connectionsMax,
    // No helpers for one statement: to start them takes longer than any statement here has to.
    options: `-c timezone=UTC -c statement_timeout=${statementMsMax} -c idle_in_transaction_session_timeout=60000 -c max_parallel_workers_per_gather=0`,
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
  if (options.fairness !== undefined) lendFairly(pool, options.fairness, statementMsMax)
  return pool
}

/**
 * A pool of one connection to where the other one leads: what is set in its session, and a transaction that is begun on
 * it, is seen by nobody else. To be ended by the caller.
 */
export function openAlone({ options }: Pool, limit?: { readonly statementMs: number }): Pool {
  // Spreading leaves the password out: the driver hides it from enumeration.
  const pool = new pg.Pool({
    ...options,
    password: options.password,
    max: 1,
    idleTimeoutMillis: 0,
    ...(limit === undefined ? {} : { statement_timeout: limit.statementMs }),
  })
  // A second connection would know nothing of what was set in the first, and see and write what is served: none is used.
  let isOpened = false
  pool.on('connect', (client) => {
    if (isOpened) void client.end()
    isOpened = true
  })
  // Whoever asks it next hears that the connection is gone.
  pool.on('error', () => {})
  return pool
}

/**
 * Runs `work` in one transaction; anything thrown rolls it back and is thrown on. On a pool that joins them it is a part
 * of the whole: what it does is kept when the whole is. `plans` once: named statements in it are planned once a connection,
 * whatever their values, for those whose plan never depends on them and takes longer than they do.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (db: Db) => Promise<T>,
  plans: 'as they fit' | 'once' = 'as they fit',
): Promise<T> {
  const whole = wholes.get(pool)
  if (whole?.isOpen() === true) return whole.runPart(work)
  const transaction = await begin(
    pool,
    plans === 'once' ? 'begin; set local plan_cache_mode = force_generic_plan' : 'begin',
  )
  let result: T
  try {
    result = await work(transaction.db)
    await transaction.commit()
  } catch (error) {
    await transaction.rollback()
    throw error
  }
  transaction.tell()
  return result
}

/** By transaction, what is told of it after its commit. */
const told = new WeakMap<Db, (() => void)[]>()

/**
 * Calls `tell` when the transaction is committed, and never when it, or its part of a whole, is rolled back; at once where
 * there is none. For what is counted and logged.
 */
export function afterCommit(db: Db, tell: () => void): void {
  const waiting = told.get(db)
  if (waiting === undefined) tell()
  else waiting.push(tell)
}

/** One transaction in the place of many, to be ended by the caller one way or the other. */
export interface JoinedTransactions {
  /** Everything that goes through it is in the one transaction, its reads too. Afterwards it is the pool that it is of. */
  readonly pool: Pool
  readonly commit: () => Promise<void>
  readonly rollback: () => Promise<void>
}

interface Whole {
  readonly isOpen: () => boolean
  readonly runPart: <T>(work: (db: Db) => Promise<T>) => Promise<T>
}

const wholes = new WeakMap<Pool, Whole>()

/** Parts run one after the other: two at once would be undone together, so the second is a mistake and throws. */
export async function joinTransactions(pool: Pool): Promise<JoinedTransactions> {
  const { db, commit, tell, rollback } = await begin(pool)
  let isOpen = true
  let isInPart = false
  const joined = new Proxy(pool, {
    get: (target, name) => (isOpen && name === 'query' ? db.query.bind(db) : Reflect.get(target, name)),
  })
  wholes.set(joined, {
    isOpen: () => isOpen,
    runPart: async (work) => {
      if (isInPart) throw new Error('two parts of one transaction at the same time')
      isInPart = true
      const toldBefore = told.get(db)?.length ?? 0
      try {
        await db.query({ text: 'savepoint part' })
        const result = await work(db)
        await db.query({ text: 'release savepoint part' })
        return result
      } catch (error) {
        told.get(db)?.splice(toldBefore)
        // Where even this fails, so does whatever comes next.
        await db.query({ text: 'rollback to savepoint part' }).catch(() => {})
        throw error
      } finally {
        isInPart = false
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
      tell()
    },
    rollback: undo,
  }
}

const inTheWay: readonly unknown[] = ['40P01', '40001', '23505']

/** Deadlock, serialization failure, or the same row made at the same moment: once more, it may go well. */
export function isInTheWay(error: unknown): boolean {
  return error instanceof pg.DatabaseError && inTheWay.includes(error.code)
}

/** Somebody else held a row for longer than this transaction may wait. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03'
}

interface Transaction {
  readonly db: Db
  /** When it rejects, `rollback` is still to be called. */
  readonly commit: () => Promise<void>
  /** After the commit: calls what waited for it. */
  readonly tell: () => void
  readonly rollback: () => Promise<void>
}

async function begin(pool: Pool, statement = 'begin'): Promise<Transaction> {
  const client = await pool.connect()
  let broken: Error | undefined
  // A connection that breaks while it is lent says so by an event as well, and one that nobody hears ends the process.
  const hear = (error: Error): void => {
    broken = error
  }
  client.on('error', hear)
  const waiting: (() => void)[] = []
  told.set(client, waiting)
  const giveBack = (): void => {
    told.delete(client)
    client.removeListener('error', hear)
    client.release(broken)
  }
  const rollback = async (): Promise<void> => {
    // A connection that cannot roll back is of no use to the next caller.
    await client.query('rollback').catch((cause: Error) => {
      broken = cause
    })
    giveBack()
  }
  try {
    await client.query(statement)
  } catch (error) {
    await rollback()
    throw error
  }
  const commit = async (): Promise<void> => {
    await client.query('commit')
    giveBack()
  }
  const tell = (): void => {
    for (const each of waiting) each()
  }
  return { db: client, commit, tell, rollback }
}
