// A database of its own for a test: a clone of the migrated template, dropped on close. Closing fails when the test has
// left a connection open, because what leaks in a test leaks in the product.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { openPool } from '../../src/db/database.ts'
import { grantServing } from '../../src/db/grant-serving.ts'
import { fileOfTests } from '../../tools/test/run-of-tests.ts'
import { cloneDatabase, startTestServer, type TestServer, urlOf, withAdmin } from './cluster.ts'
import { openDistributedDatabase } from './distributed.ts'

export type TestDatabase = {
  readonly url: string
  readonly pool: pg.Pool
  readonly close: () => Promise<void>
}

/** What many tests need in their database before they begin: done once for all of a run. */
export type Filling = { readonly name: string; readonly fill: (url: string) => Promise<void> }

/**
 * `isServing`: connects as a role that may only read and write rows. `like`: the URL of another test database to clone,
 * to which nobody may be connected. `filling`: what is in the new database besides the tables.
 */
export async function openTestDatabase({
  isServing = false,
  like,
  filling,
}: {
  readonly isServing?: boolean
  readonly like?: string
  readonly filling?: Filling
} = {}): Promise<TestDatabase> {
  if (coordinator !== null) return openDivided(coordinator, filling)
  const { server, letGo } = await useServer()
  const name = `landfall_test_${process.pid}_${fileOfTests()}_${randomBytes(5).toString('hex')}`
  const empty = like === undefined ? server.template : new URL(like).pathname.slice(1)
  const template = filling === undefined ? empty : await fillOnce(server, filling)
  await cloneDatabase(server.adminUrl, name, template)
  const owner = urlOf(server.adminUrl, name)
  const role = isServing ? await makeRole(server.adminUrl, `${name}_server`) : null
  if (role !== null) await grantServing(owner, role)
  const url = role === null ? owner : urlAs(owner, role)
  const pool = openPool({ connection: url, connectionsMax: 10 })
  const clients: pg.PoolClient[] = []
  pool.on('connect', (client) => clients.push(client))
  return {
    url,
    pool,
    close: async () => {
      const checkedOut = pool.totalCount - pool.idleCount
      // For a client that was never released, pool.end would wait for ever. Dropping the database ends that client
      // instead.
      if (checkedOut === 0) await pool.end()
      else for (const client of clients) client.on('error', () => {})
      const leaked = checkedOut === 0 ? await findLeaks(server.adminUrl, name) : []
      await withAdmin(server.adminUrl, async (client) => {
        await client.query(`drop database ${name} with (force)`)
        if (role !== null) await client.query(`drop role ${role}`)
      })
      await letGo()
      assert.equal(checkedOut, 0, `${checkedOut} client(s) of the test's pool were never released`)
      assert.deepEqual(leaked, [], 'connections to the test database were left open')
    },
  }
}

/** Where tests run on a cluster of Citus: its coordinator. `npm test` says so in the environment (`--distributed`). */
const coordinator =
  process.env['LANDFALL_TEST_DISTRIBUTED'] === '1' ? (process.env['LANDFALL_TEST_CITUS_URL'] ?? null) : null

/** The same on a database that is divided by account. Everybody connects as its owner. */
async function openDivided(on: string, filling: Filling | undefined): Promise<TestDatabase> {
  const { url, close } = await openDistributedDatabase(on, filling?.fill)
  const pool = openPool({ connection: url, connectionsMax: 10 })
  return {
    url,
    pool,
    close: async () => {
      await pool.end()
      await close()
    },
  }
}

/** Returns the name of a template with the filling. Of several processes that ask at once, one makes it. */
async function fillOnce(
  { adminUrl, template }: Pick<TestServer, 'adminUrl' | 'template'>,
  { name, fill }: Filling,
): Promise<string> {
  const filled = `${template}_${name}`
  await withAdmin(adminUrl, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [filled])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [filled])
    if (rowCount === 0) {
      const making = `${filled}_making`
      await client.query(`drop database if exists ${making} with (force)`)
      await cloneDatabase(adminUrl, making, template)
      await fill(urlOf(adminUrl, making))
      await client.query(`alter database ${making} rename to ${filled}`)
    }
    await client.query('select pg_advisory_unlock(hashtext($1))', [filled])
  })
  return filled
}

const rolePassword = 'for tests alone'

/** Makes a role that can sign in and has no other rights; returns its name. */
export async function makeRole(adminUrl: string, name: string): Promise<string> {
  await withAdmin(adminUrl, (client) => client.query(`create role ${name} login password '${rolePassword}'`))
  return name
}

/** The URL of the same database for another role. */
export function urlAs(url: string, role: string): string {
  return url.replace(/^(\w+:\/\/)(?:[^@/]*@)?/, `$1${role}:${encodeURIComponent(rolePassword)}@`)
}

/**
 * The connections that are still open. A closed connection stays listed until its server process has ended, so the
 * question is repeated.
 */
export async function findLeaks(adminUrl: string, name: string): Promise<readonly string[]> {
  return withAdmin(adminUrl, async (client) => {
    for (const until = Date.now() + 2_000; ; ) {
      const { rows } = await client.query<{ readonly leak: string }>(
        `select application_name || ': ' || left(query, 200) as leak from pg_stat_activity where datname = $1`,
        [name],
      )
      if (rows.length === 0 || Date.now() > until) return rows.map(({ leak }) => leak)
      await client.query('select pg_sleep(0.01)')
    }
  })
}

// `npm test` starts one server for all files and names it in the environment. A file that runs alone starts its own
// server with its first database, and stops the server with the last.
let own: Promise<TestServer> | null = null
let ownUsers = 0

export async function useServer(): Promise<{
  readonly server: Pick<TestServer, 'adminUrl' | 'template'>
  readonly letGo: () => Promise<void>
}> {
  const { LANDFALL_TEST_ADMIN_URL: adminUrl, LANDFALL_TEST_TEMPLATE: template } = process.env
  if (adminUrl !== undefined && template !== undefined) return { server: { adminUrl, template }, letGo: async () => {} }
  own ??= startTestServer(process.env)
  ownUsers += 1
  const server = await own
  return {
    server,
    letGo: async () => {
      ownUsers -= 1
      if (ownUsers > 0) return
      own = null
      await server.stop()
    },
  }
}
