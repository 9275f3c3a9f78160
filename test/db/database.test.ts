/** The connections to Postgres when Postgres ends them. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import {
  afterCommit,
  inDryRun,
  inTransaction,
  joinTransactions,
  openPool,
  openSingleConnection,
} from '../../src/db/database.ts'
import { openTestDatabase } from '../support/database.ts'

test('a connection that is ended during a transaction fails that transaction and nothing else', async () => {
  const { pool, close } = await openTestDatabase()
  try {
    await assert.rejects(
      inTransaction(pool, async (db) => {
        const { rows } = await db.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })
        await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
        // No statement runs when the connection ends, so only the connection itself can report its end.
        for (let turns = 0; turns < 200; turns += 1) await turn()
        await db.query({ text: 'select 1' })
      }),
    )
    const { rows } = await pool.query<{ two: number }>('select 2 as two')
    assert.equal(rows[0]?.two, 2)
  } finally {
    await close()
  }
})

test('a connection that is ended while it is checked out and idle affects no other', async () => {
  const { pool, close } = await openTestDatabase()
  try {
    const lent = await pool.connect()
    const { rows } = await lent.query<{ pid: number }>('select pg_backend_pid() as pid')
    await pool.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
    for (let turns = 0; turns < 200; turns += 1) await turn()
    await assert.rejects(lent.query('select 1'))
    lent.release(true)
    const { rows: next } = await pool.query<{ two: number }>('select 2 as two')
    assert.equal(next[0]?.two, 2)
  } finally {
    await close()
  }
})

test('a connection that is ended while it is idle in the pool affects no other', async () => {
  const { pool, url, close } = await openTestDatabase()
  const other = openPool({ connection: url, connectionsMax: 1 })
  try {
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid')
    await pool.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
    for (let turns = 0; turns < 200; turns += 1) await turn()
    assert.equal((await other.query<{ two: number }>('select 2 as two')).rows[0]?.two, 2)
  } finally {
    await other.end()
    await close()
  }
})

test('a separate connection that is ended is not replaced by another from the pool', async () => {
  const { pool, close } = await openTestDatabase()
  const alone = openSingleConnection(pool)
  try {
    const { rows } = await alone.query<{ pid: number }>('select pg_backend_pid() as pid')
    await pool.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
    for (let tries = 0; tries < 3; tries += 1) await assert.rejects(alone.query('select 1'))
  } finally {
    await alone.end()
    await close()
  }
})

test('a dry run returns its result, stores nothing, and runs no callback after commit', async () => {
  const { pool, close } = await openTestDatabase()
  const told: string[] = []
  const made = async (): Promise<number | null> =>
    (await pool.query(`select from settings where name = 'of a dry run'`)).rowCount
  try {
    const written = await inDryRun(pool, async (db) => {
      afterCommit(db, () => told.push('made'))
      const row = `insert into settings (name, value) values ('of a dry run', '1') returning name`
      return (await db.query<{ name: string }>({ text: row })).rows
    })
    assert.deepEqual(written, [{ name: 'of a dry run' }])
    await assert.rejects(
      inDryRun(pool, () => Promise.reject(new Error('no'))),
      /no/,
    )
    assert.equal(await made(), 0)
    assert.deepEqual(told, [])
    assert.equal(pool.idleCount, pool.totalCount, 'every connection was given back')
  } finally {
    await close()
  }
})

test('callbacks after commit run after it, and never for a full or partial rollback', async () => {
  const database = await openTestDatabase()
  try {
    const { pool } = database
    const told: string[] = []
    await inTransaction(pool, async (db) => {
      afterCommit(db, () => told.push('kept'))
      assert.deepEqual(told, [])
    })
    const fail = (of: typeof pool, name: string): Promise<void> =>
      inTransaction(of, async (db) => {
        afterCommit(db, () => told.push(name))
        throw new Error('no')
      })
    await assert.rejects(fail(pool, 'lost'), /no/)
    afterCommit(pool, () => told.push('in none'))
    assert.deepEqual(told, ['kept', 'in none'])

    const joined = await joinTransactions(pool)
    await inTransaction(joined.pool, async (db) => afterCommit(db, () => told.push('part')))
    await assert.rejects(fail(joined.pool, 'lost part'), /no/)
    await inTransaction(joined.pool, async (db) => afterCommit(db, () => told.push('later part')))
    assert.equal(told.length, 2)
    await joined.commit()
    assert.deepEqual(told.slice(2), ['part', 'later part'])
  } finally {
    await database.close()
  }
})
