import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { openTestDatabase } from '../support/database.ts'

test('each test database is a separate clone that no other test sees', async () => {
  const one = await openTestDatabase()
  const two = await openTestDatabase()
  try {
    await one.pool.query('create table only_here (i int)')
    const seen = await two.pool.query(`select to_regclass('only_here') as table`)
    assert.deepEqual(seen.rows, [{ table: null }])
  } finally {
    await one.close()
    await two.close()
  }
})

test('closing a test database fails when a client of its pool was not released', async () => {
  const database = await openTestDatabase()
  await database.pool.connect()
  await assert.rejects(database.close(), /never released/)
})

test('closing a test database fails when another connection to it is left open', async () => {
  const database = await openTestDatabase()
  const client = new pg.Client({ connectionString: database.url, application_name: 'the leak' })
  client.on('error', () => {})
  await client.connect()
  await assert.rejects(database.close(), /left open/)
  await client.end()
})
