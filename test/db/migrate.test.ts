import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import pg from 'pg'
import { inTransaction, type Pool } from '../../src/db/database.ts'
import { findChangedTables } from '../../src/db/lock-tables.ts'
import { applyMigrations, listMigrations, migrate } from '../../src/db/migrate.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

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

test('refuses a migration that changed after it ran, by its name', async () => {
  const database = await openTestDatabase()
  try {
    await database.pool.query(`update migration_hashes set sha256 = 'another' where name like '0001%'`)
    await assert.rejects(migrate(database.url), /The migration 0001_\w+ has changed since this database ran it/)
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

test('a failing migration also rolls back the earlier migrations of the same run', async () => {
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
      ['user_identities'],
    )
  } finally {
    await database.close()
  }
})

test('migrations wait for transactions of running servers, and let others through while they wait', async () => {
  // The one that follows makes a table that refers to users.
  const { database, pending } = await openEarlier('0106')
  const { pool } = database
  const atWork = await pool.connect()
  try {
    await atWork.query('begin')
    await atWork.query('lock table users in row exclusive mode')
    const migrated = migrate(database.url)
    await eventually(() => isWaiting(pool, 'users'))
    // Queued behind the migrations, until these give up for a moment.
    await pool.query('delete from users where false')
    const { rows } = await pool.query(`select to_regclass('public.user_identities') as made`)
    assert.deepEqual(rows, [{ made: null }])
    await atWork.query('commit')
    assert.equal((await migrated).applied, pending)
  } finally {
    atWork.release()
    await database.close()
  }
})

test('a server that folds a journey while the migrations begin is not interrupted', async () => {
  // Those that follow change containers and then shipments; a fold takes them the other way round.
  const { database, pending } = await openEarlier('0097')
  const { pool } = database
  const begun = Promise.withResolvers<{ readonly applied: number }>()
  try {
    await inTransaction(pool, async (folding) => {
      await folding.query({ text: 'lock table shipments in row exclusive mode' })
      const migrated = migrate(database.url)
      begun.resolve(migrated)
      await eventually(async () => {
        const { rows } = await pool.query(`select from pg_locks where locktype = 'advisory' and not granted`)
        return rows.length > 0
      })
      await folding.query({ text: 'lock table containers in row exclusive mode' })
    })
    assert.equal((await begun.promise).applied, pending)
  } finally {
    await database.close()
  }
})

async function isWaiting(pool: Pool, table: string): Promise<boolean> {
  const { rows } = await pool.query('select from pg_locks where relation = $1::regclass and not granted', [table])
  return rows.length > 0
}

/** A database without the migrations from this number on. */
async function openEarlier(number: string): Promise<{ database: TestDatabase; pending: number }> {
  const database = await openTestDatabase()
  const all = listMigrations()
  const done = all.filter(({ name }) => name < number)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('drop schema public cascade; create schema public')
  await client.query('begin')
  await applyMigrations(client, done)
  for (const { name, sha256 } of done)
    await client.query('insert into migration_hashes (name, sha256) values ($1, $2)', [name, sha256])
  await client.query('commit')
  await client.end()
  return { database, pending: all.length - done.length }
}

test('finds the tables that migrations change in their text, and only those', () => {
  const text = `
    -- Rows of accounts are left alone: update accounts
    create table made (account uuid references users (id), primary key (account));
    alter table only public.shipments add column x text;
    create unique index i on containers (id) where status = 'new';
    create trigger t after update on events for each row execute function f();
    update claims set x = (select max(y) from looks);
    insert into mails select * from inbound_messages;
    insert into looks select 1;
    drop trigger t on looks;`
  const shared = 'share row exclusive'
  assert.deepEqual(Object.fromEntries(findChangedTables([text])), {
    users: shared,
    containers: shared,
    events: shared,
    claims: shared,
    mails: shared,
    shipments: 'access exclusive',
    looks: 'access exclusive',
  })
})

test('webhooks from before the choice of a content type continue to be sent the same type', async () => {
  const database = await openTestDatabase()
  const step = new URL('../../src/db/migrations/0022_webhook_content_type.sql', import.meta.url)
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

test('a webhook with only a pattern, from before there were events of documents, keeps their earlier names', async () => {
  const database = await openTestDatabase()
  const step = new URL('../../src/db/migrations/0131_names_of_document_events.sql', import.meta.url)
  const earlier = ['document.extracted', 'document.extraction_failed']
  try {
    for (const [before, after] of [
      [
        ['*', 'container.updated'],
        ['*', 'container.updated', ...earlier],
      ],
      [
        ['document.*', ...earlier],
        ['document.*', ...earlier],
      ],
      [['container.updated'], ['container.updated']],
      [['document.extracted'], ['document.extracted']],
    ]) {
      await database.pool.query('delete from webhooks')
      await database.pool.query(
        `with account as (
           insert into accounts (id, company_name, is_fiction, created_at)
           values (gen_random_uuid(), 'Old', false, now()) returning id
         )
         insert into webhooks (account_id, id, url, is_active, events, created_at, updated_at)
         select id, gen_random_uuid(), 'https://example.com/', true, $1, now(), now() from account`,
        [before],
      )
      await database.pool.query(readFileSync(step, 'utf8'))
      const { rows } = await database.pool.query('select events from webhooks')
      assert.deepEqual(rows, [{ events: after }])
    }
  } finally {
    await database.close()
  }
})
