/** The way to Postgres when Postgres goes away. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { afterCommit, inTransaction, joinTransactions, openAlone } from '../../src/store/database.ts'
import { openTestDatabase } from '../support/database.ts'

test('a connection that is ended in the middle of a transaction fails that transaction and nothing else', async () => {
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

test('a connection of its own that is ended is not followed by another, which would see and write what is served', async () => {
  const { pool, close } = await openTestDatabase()
  const alone = openAlone(pool)
  try {
    const { rows } = await alone.query<{ pid: number }>('select pg_backend_pid() as pid')
    await pool.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
    for (let tries = 0; tries < 3; tries += 1) await assert.rejects(alone.query('select 1'))
  } finally {
    await alone.end()
    await close()
  }
})

test('what waits for the commit is told after it, and never of what was rolled back, in whole or in part', async () => {
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
