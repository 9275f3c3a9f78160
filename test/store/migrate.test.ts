import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { migrate } from '../../src/store/ground/migrate.ts'
import { openTestDatabase } from '../support/database.ts'

test('a migrated database has nothing left to run, however many processes try at once', async () => {
  const database = await openTestDatabase()
  try {
    assert.deepEqual(await Promise.all([migrate(database.url), migrate(database.url)]), [
      { applied: 0 },
      { applied: 0 },
    ])
  } finally {
    await database.close()
  }
})

test('a migration that changed after it ran is refused by its name', async () => {
  const database = await openTestDatabase()
  try {
    await database.pool.query(`update migration_hashes set sha256 = 'another' where name like '0001%'`)
    await assert.rejects(
      migrate(database.url),
      /The migration 0001_\w+ has changed since this database ran it/,
    )
  } finally {
    await database.close()
  }
})

test('an empty database gets every migration once', async () => {
  const database = await openTestDatabase()
  try {
    await database.pool.query('drop schema public cascade')
    await database.pool.query('create schema public')
    const counts = await Promise.all([migrate(database.url), migrate(database.url)])
    const { rows } = await database.pool.query('select count(*) as n from migrations')
    assert.deepEqual(counts.map(({ applied }) => applied).sort(), [0, rows[0].n])
  } finally {
    await database.close()
  }
})

test('when one migration fails, those before it are taken back too', async () => {
  const database = await openTestDatabase()
  try {
    await database.pool.query('drop schema public cascade')
    await database.pool.query('create schema public')
    // The last of them finds its table there already.
    await database.pool.query('create table user_identities (id uuid)')
    await assert.rejects(migrate(database.url), /user_identities.*already exists/)
    const { rows } = await database.pool.query(
      `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
    )
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['migration_hashes', 'migrations', 'user_identities'],
    )
    const { rows: ran } = await database.pool.query('select count(*)::integer as n from migrations')
    assert.deepEqual(ran, [{ n: 0 }])
  } finally {
    await database.close()
  }
})

test('webhooks from before the type of their content could be chosen go on being sent what they read', async () => {
  const database = await openTestDatabase()
  const step = new URL('../../src/store/migrations/0022_webhook_content_type.sql', import.meta.url)
  try {
    await database.pool.query('alter table webhooks drop column content_type')
    await database.pool.query(
      `with account as (
         insert into accounts (id, company_name, is_fiction, created_at)
         values (gen_random_uuid(), 'Old', false, now()) returning id
       )
       insert into webhooks (account_id, id, url, is_active, events, created_at, updated_at)
       select id, gen_random_uuid(), 'https://example.com/', true, '{}', now(), now() from account`,
    )
    await database.pool.query(readFileSync(step, 'utf8'))
    const { rows } = await database.pool.query('select content_type from webhooks')
    assert.deepEqual(rows, [{ content_type: 'application/vnd.api+json' }])
  } finally {
    await database.close()
  }
})
