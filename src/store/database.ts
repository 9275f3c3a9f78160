/** The way to Postgres: pool, types at the edge, named statements and transactions. Everything in `store/` goes through it. */

import pg from 'pg'

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
  if (!text.endsWith('+00')) return text.endsWith('infinity') ? text : new Date(text).toISOString()
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`
  const fraction = text.length > 22 ? text.slice(20, -3) : ''
  return `${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}

/**
 * Opens a pool whose sessions speak UTC and return instants as ISO strings, bigints as numbers (no sequence here
 * reaches 2^53) and dates as text. A statement longer than 30 s is cut off by the server.
 */
export function openPool(options: {
  readonly connection: string | pg.PoolConfig
  readonly connectionsMax: number
}): Pool {
  const base =
    typeof options.connection === 'string' ? { connectionString: options.connection } : options.connection
  const pool = new pg.Pool({
    ...base,
    max: options.connectionsMax,
    options: '-c timezone=UTC -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000',
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
  return pool
}

/**
 * A pool of one connection to where the other one leads: what is set in its session, and a transaction that is begun on
 * it, is seen by nobody else. To be ended by the caller.
 */
export function openAlone({ options }: Pool): Pool {
  // Spreading leaves the password out: the driver hides it from enumeration.
  return new pg.Pool({ ...options, password: options.password, max: 1 })
}

/** Runs `work` in one transaction; anything thrown rolls it back and is thrown on. */
export async function inTransaction<T>(pool: Pool, work: (db: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  // A connection that breaks while it is lent says so by an event as well, and one that nobody hears ends the process.
  const hear = (error: Error): void => {
    broken = error
  }
  client.on('error', hear)
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    // A connection that cannot roll back is of no use to the next caller.
    await client.query('rollback').catch((cause: Error) => {
      broken = cause
    })
    throw error
  } finally {
    client.removeListener('error', hear)
    client.release(broken)
  }
}
