// Migrates a database to the schema of this code. Runs the numbered SQL files that the database has not run, in the
// order of their numbers, under a lock that makes a second process wait. A file that has run must never change; its
// hash is stored.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { callIt } from '../platform/call-it.ts'
import { isErrorCode } from '../platform/error-code.ts'
import { isDistributed } from './distributed/is-distributed.ts'
import { lockTables } from './lock-tables.ts'

const folder = fileURLToPath(new URL('./migrations/', import.meta.url))

/**
 * Everybody who changes the schema or the rights of roles acquires this lock, and holds it until the connection ends.
 */
export const migrationLock = 7_116_100_001

interface MigrationResult {
  /** How many files ran. */
  readonly applied: number
  /** How long others waited for the tables that they change. Missing when none ran. */
  readonly heldMs?: number
}

/**
 * `connection` is a URL. All pending files run in one transaction: when one fails, the schema stays as it was. Servers
 * of an older version may be at work: the migration waits until it has the tables to itself. When nothing is pending,
 * the rights of the serving role are enough.
 */
export async function migrate(connection: string): Promise<MigrationResult> {
  const files = readMigrations()
  const client = new pg.Client({ connectionString: connection, application_name: 'landfall migrate' })
  await client.connect()
  try {
    const done = await findAppliedMigrations(client, files)
    if (files.every(({ name }) => done.has(name))) return { applied: 0 }
    await requireCreatePrivilege(
      client,
      files.filter(({ name }) => !done.has(name)).map(({ name }) => name),
    )
    // Even `create … if not exists` fails when two processes run it at once. So there is one process at a time, until
    // the connection ends.
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    return await retryLockConflicts(() => runPending(client, files))
  } finally {
    await client.end()
  }
}

/** In one transaction. */
async function runPending(client: pg.Client, files: readonly MigrationFile[]): Promise<MigrationResult> {
  await client.query('begin')
  try {
    // On many nodes, changes of different tables in one transaction go over one connection to each node.
    if (await isDistributed(client))
      await client.query(
        `set local citus.multi_shard_modify_mode = 'sequential'; set local citus.enable_unsafe_triggers = on`,
      )
    await client.query(`create table if not exists migration_hashes (name text primary key, sha256 text not null)`)
    const done = await findAppliedMigrations(client, files)
    const pending = files.filter(({ name }) => !done.has(name)).map(({ name }) => name)
    await lockTables(
      client,
      pending.map((name) => readFileSync(join(folder, `${name}.sql`), 'utf8')),
    )
    const heldSinceMs = performance.now()
    const applied = await runMigrationFiles(client, '.*')
    await client.query(
      `insert into migration_hashes (name, sha256) select * from unnest($1::text[], $2::text[]) on conflict do nothing`,
      [files.map(({ name }) => name), files.map(({ sha256 }) => sha256)],
    )
    await client.query('commit')
    return applied === 0 ? { applied } : { applied, heldMs: performance.now() - heldSinceMs }
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** How long servers that are at work are waited for. A copy of the database that is being made is such a reader too. */
const undisturbedWithinMs = 300_000

/** Repeats what other transactions have disturbed: by a lock that did not come in time, or by a deadlock. */
async function retryLockConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + undisturbedWithinMs; ; ) {
    try {
      return await work()
    } catch (error) {
      const isInUse = isErrorCode(error, '55P03') || isErrorCode(error, '40P01')
      if (!isInUse) throw error
      if (Date.now() > until)
        throw new Error(
          `The migrations could not lock their tables within ${undisturbedWithinMs / 60_000} minutes: other transactions held them. Nothing was changed. Stop the workers and long queries, and try again.`,
          { cause: error },
        )
    }
    // In between, those who were queued go on. The length is random, so that it does not coincide with the rhythm of a
    // busy worker.
    await pause(500 + Math.random() * 1_000)
  }
}

/**
 * Makes the tables of an empty database as exactly these migrations make them, within the transaction of the caller,
 * who holds the lock. Throws where one of them is not known here or was another file.
 */
export async function applyMigrations(
  client: pg.Client,
  wanted: readonly { readonly name: string; readonly sha256: string }[],
): Promise<void> {
  const files = new Map(readMigrations().map(({ name, sha256 }) => [name, sha256]))
  const strange = wanted.find(({ name, sha256 }) => files.get(name) !== sha256)
  if (strange !== undefined) throw new Error(`This version does not know the migration ${strange.name}.`)
  await client.query('create table migration_hashes (name text primary key, sha256 text not null)')
  await runMigrationFiles(client, wanted.map(({ name }) => name).join('|'))
}

/** Runs the files that have not run and whose names fit the pattern. Returns how many. */
async function runMigrationFiles(client: pg.Client, names: string): Promise<number> {
  // The runner would begin and end a transaction of its own.
  const query = (text: string, values?: unknown[]): unknown =>
    /^(begin|commit|rollback);?$/i.test(text)
      ? Promise.resolve({ rows: [] })
      : client.query(qualifyFunctionNames(text), values)
  const { runner } = await import('node-pg-migrate')
  const ran = await runner({
    dbClient: new Proxy(client, {
      get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)),
    }),
    dir: folder,
    ignorePattern: `(?!(?:${names})\\.sql$).*`,
    direction: 'up',
    migrationsTable: 'migrations',
    noLock: true,
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  })
  return ran.length
}

/**
 * Names functions of indexes with their schema, which the files before 0127 do not. While PostgreSQL 17 or newer makes
 * an index of rows that are there, it finds functions under no other name. The files themselves never change.
 */
function qualifyFunctionNames(text: string): string {
  return text.replace(functionsOfIndexes, 'public.$1(')
}

const functionsOfIndexes =
  /(?<![\w.])(acts_on|discharged_at|earliest_free_day|given_free_day|hold_names|last_free_day|moment_of|sails_later)\(/g

/** The migrations that this code knows, in their order. */
export function listMigrations(): readonly { readonly name: string; readonly sha256: string }[] {
  return readMigrations()
}

/** Names of the files that this database has run. Throws where one of them has changed since. */
async function findAppliedMigrations(client: pg.Client, files: readonly MigrationFile[]): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ isThere: boolean }>(
    `select to_regclass('public.migration_hashes') is not null as "isThere"`,
  )
  if (rows[0]?.isThere !== true) return new Set()
  const stored = await client
    .query<MigrationFile>('select name, sha256 from migration_hashes')
    .catch((error: unknown) => {
      if (!isErrorCode(error, '42501')) throw error
      throw new Error(`The role of this database may not read its tables yet. ${byOwner}`)
    })
  for (const { name, sha256 } of stored.rows) {
    const file = files.find((each) => each.name === name)
    // A migration that is missing here was run by newer code, which keeps its schema safe for older code.
    if (file !== undefined && file.sha256 !== sha256) {
      throw new Error(`The migration ${name} has changed since this database ran it. Undo that and add a new file.`)
    }
  }
  return new Set(stored.rows.map(({ name }) => name))
}

const byOwner = `Run \`${callIt} database migrate\` with the owner in LANDFALL_MIGRATION_DATABASE_URL; see docs/hardening.md.`

async function requireCreatePrivilege(client: pg.Client, pending: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ role: string; mayCreate: boolean }>(
    `select current_user::text as role, has_schema_privilege('public', 'create') as "mayCreate"`,
  )
  const [row] = rows
  if (row?.mayCreate !== false) return
  throw new Error(
    `The database lacks ${pending.length} migrations (${pending[0]} and after), and its role ${row.role} may not run them. ${byOwner}`,
  )
}

interface MigrationFile {
  readonly name: string
  readonly sha256: string
}

function readMigrations(): readonly MigrationFile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  const odd = names.find((name) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name))
  if (odd !== undefined) throw new Error(`The name of a migration must be NNNN_what_it_does.sql; ${odd} is not.`)
  return names.map((name) => ({
    name: name.slice(0, -'.sql'.length),
    sha256: createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  }))
}
