/** An owner who migrates and a role that serves: the rights of each, and that the whole service needs no more. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fuzz } from '../../qa/fuzz/run.ts'
import { openPool, type Pool } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { dropPartitions, ensurePartition } from '../../src/pipeline/jobs/partitions.ts'
import { urlOf, withAdmin } from '../support/cluster.ts'
import { openCommandLine } from '../support/command-line.ts'
import { findLeaks, makeRole, openTestDatabase, urlAs, useServer } from '../support/database.ts'
import { findStatements } from '../support/statements.ts'
import { openWorld } from '../support/world.ts'

const mayNot = { code: '42501' }

describe('an installation with separate database roles for the owner and the server', () => {
  const name = `landfall_roles_${process.pid}`
  const [owner, server] = [`${name}_owner`, `${name}_server`]
  let [ownerUrl, serverUrl] = ['', '']
  let end: () => Promise<void>
  let env: Record<string, string> = {}
  const { call } = openCommandLine(() => env)

  before(async () => {
    const { server: cluster, letGo } = await useServer()
    await makeRole(cluster.adminUrl, owner)
    await makeRole(cluster.adminUrl, server)
    // As docs/hardening.md has it.
    await withAdmin(cluster.adminUrl, (client) => client.query(`create database ${name} owner ${owner}`))
    const url = urlOf(cluster.adminUrl, name)
    ;[ownerUrl, serverUrl] = [urlAs(url, owner), urlAs(url, server)]
    end = async () => {
      assert.deepEqual(await findLeaks(cluster.adminUrl, name), [])
      await withAdmin(cluster.adminUrl, async (client) => {
        await client.query(`drop database ${name} with (force)`)
        for (const role of [server, owner]) await client.query(`drop role ${role}`)
      })
      await letGo()
    }
  })
  after(() => end())

  test('does not start with the server role until the owner has migrated the database', async () => {
    env = { DATABASE_URL: serverUrl }
    const tried = await call('database migrate')
    assert.equal(tried.code, 1)
    assert.match(tried.err, /lacks \d+ migrations .* role landfall_roles_\d+_server may not run them/)
    assert.match(tried.err, /LANDFALL_MIGRATION_DATABASE_URL/)
    env = { LANDFALL_MIGRATION_DATABASE_URL: ownerUrl }
    const alone = await call('database migrate')
    assert.match(alone.err, /needs a database in DATABASE_URL|There is no installation/)
  })

  test('needs the owner role only to migrate the database', async () => {
    env = { DATABASE_URL: serverUrl, LANDFALL_MIGRATION_DATABASE_URL: ownerUrl }
    for (const { code, out, err } of await Promise.all([call('database migrate'), call('database migrate')])) {
      assert.equal(code, 0, err)
      assert.match(out, /landfall_roles_\d+_server may read and write rows and cannot change the schema/)
    }
    assert.match((await call('history check')).out, /^Identical\.$/m)
    env = { DATABASE_URL: serverUrl }
    assert.equal((await call('limits list')).code, 0)
    const checked = await call('history check')
    assert.equal(checked.code, 1)
    assert.match(checked.err, /LANDFALL_MIGRATION_DATABASE_URL/)
    assert.deepEqual(await migrate(serverUrl), { applied: 0 })
    env = { DATABASE_URL: ownerUrl }
    assert.match((await call('database migrate')).out, /may also create, change and drop tables/)
  })

  test('does not allow the serving role to create, change or drop tables, or to change append-only rows', async () => {
    const pool = openPool({ connection: serverUrl, connectionsMax: 2 })
    try {
      for (const statement of [
        'create table x (id int)',
        'create schema x',
        'alter table shipments add column x int',
        'drop table shipments',
        'truncate shipments',
        'create index on shipments (id)',
        'drop function make_positions_month(date)',
        `update audit_events set action = 'x'`,
        'delete from ledger',
        `delete from migrations`,
        `update migration_hashes set sha256 = 'x'`,
        `create role x`,
      ])
        await assert.rejects(pool.query(statement), mayNot, statement)
    } finally {
      await pool.end()
    }
  })

  test('creates and drops the monthly partitions of positions', async () => {
    const pool = openPool({ connection: serverUrl, connectionsMax: 4 })
    const table = 'vessel_positions'
    try {
      await store(pool, '2026-03-01T00:00:00Z')
      await Promise.all([1, 2, 3].map(() => ensurePartition({ pool }, table, '2026-03-05')))
      await ensurePartition({ pool }, table, '2026-04-01')
      const { rows } = await pool.query(`select tableoid::regclass::text as place from vessel_positions`)
      assert.deepEqual(rows, [{ place: 'vessel_positions_202603' }], 'moved out of the default partition')
      assert.deepEqual(await dropPartitions({ pool }, { table, before: '2026-03-31T23:59:59Z' }), [])
      assert.deepEqual(
        (await dropPartitions({ pool }, { table, before: '2026-04-01T00:00:00Z' })).map(({ name }) => name),
        ['vessel_positions_202603'],
      )
      assert.equal((await pool.query('select from vessel_positions')).rowCount, 0)
    } finally {
      await pool.end()
    }
  })
})

function store(pool: Pool, heardAt: string): Promise<unknown> {
  return pool.query(
    `insert into vessel_positions (is_fiction, imo, heard_at, latitude, longitude, source)
     values (false, '9321483', $1, 1, 2, 'test')`,
    [heardAt],
  )
}

test('the serving role may run every statement of the store', async () => {
  const database = await openTestDatabase({ isServing: true })
  const statements = await findStatements()
  const client = await database.pool.connect()
  const refused: string[] = []
  try {
    await assert.rejects(client.query('explain delete from ledger'), mayNot)
    // The rights are checked where a plan is begun, which EXPLAIN does too; with values, a plan may leave a table out.
    await client.query('set plan_cache_mode = force_generic_plan')
    for (const { name, text } of statements) {
      await client.query(`prepare "${name}" as ${text}`)
      const { rows } = await client.query<{ values: string }>(
        `select array_to_string(array_fill('null'::text, array[cardinality(parameter_types)]), ', ') as values
           from pg_prepared_statements where name = $1`,
        [name],
      )
      const values = rows[0]?.values === '' ? '' : `(${rows[0]?.values})`
      await client
        .query(`explain execute "${name}"${values}`)
        .catch((error: Error) => refused.push(`${name}: ${error.message}`))
    }
  } finally {
    client.release()
    await database.close()
  }
  assert.deepEqual(refused, [])
})

test('the whole service runs as the serving role: workers, requests of every kind, queries into the past', async () => {
  const world = await openWorld({ isServing: true })
  try {
    const { api, stranger } = world
    const past = await api.call({
      url: `/v2/shipments/${stranger.ids['shipment']}?as_of=${new Date(api.clock.now()).toISOString()}`,
      key: stranger.key,
    })
    assert.equal(past.status, 200, past.text)
    const report = await fuzz(world, { seed: 7, seconds: 60, requestsMax: 250, operation: null })
    assert.deepEqual(report.faults, [])
    await api.pass(3)
    const failed = api
      .logged()
      .filter(({ event }) => ['job.failed', 'request.crashed', 'database.unreachable'].includes(String(event)))
    assert.deepEqual(failed, [])
  } finally {
    await world.close()
  }
})
